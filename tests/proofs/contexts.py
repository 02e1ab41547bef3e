"""A window never costs more than its budget, and keeps its other promises, whatever the history."""

from __future__ import annotations

from datetime import UTC

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palaver.context.scales import Scales
from palaver.context.window import fit
from palaver.context.wire import blocks_of, is_said
from palaver.index.records import Message
from tests.context.histories import COUNTER, broken, stored
from tests.proofs.report import Report

_BUDGETS = st.one_of(st.integers(-10, 60), st.integers(60, 600), st.integers(600, 9000))


def prove(histories: int) -> Report:
    """Makes windows on so many generated histories."""
    report = Report("contexts", "histories")

    @settings(
        max_examples=histories,
        database=None,
        deadline=None,
        print_blob=False,
        suppress_health_check=[HealthCheck.data_too_large, HealthCheck.too_slow],
    )
    @given(stored(most=40), _BUDGETS, st.booleans())
    def check(messages: list[Message], budget: int, keep_first: bool) -> None:
        report.tried += 1
        blocks = blocks_of(filter(is_said, messages), UTC)
        window = fit(blocks, budget, Scales(COUNTER, budget), keep_first=keep_first)
        promise = broken(blocks, window, budget, keep_first=keep_first)
        assert not promise, f"{promise}: {len(messages)} messages, {budget} tokens"

    try:
        check()
    except AssertionError as error:
        report.fail(str(error).partition("\n")[0])
    return report
