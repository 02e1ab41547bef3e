"""The breaker: whatever goes wrong, a model is not asked more often than it bears."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.digest.model.breaker import FAILURES, LONGEST, SHORTEST, Breaker
from palaver.errors import DigestUnusable, ModelBusy, ModelError, ModelResting, ModelTimeout

KINDS = (ModelError, ModelBusy, ModelTimeout, DigestUnusable)


class Asking:
    """Asks a model that does as it is told, and counts."""

    def __init__(self) -> None:
        self.now = datetime(2026, 2, 14, tzinfo=UTC)
        self.breaker = Breaker(lambda: self.now)
        self.asked: list[datetime] = []

    def ask(self, error: type[BaseException] | None = ModelBusy) -> bool:
        """Whether it was asked."""
        before = len(self.asked)
        try:
            with self.breaker.watching():
                self.asked.append(self.now)
                if error:
                    raise error
        except (ModelError, asyncio.CancelledError):
            pass
        return len(self.asked) > before

    def broken(self) -> Asking:
        for _ in range(FAILURES):
            assert self.ask()
        return self


def test_after_some_failures_it_rests_and_is_then_tried_once() -> None:
    one = Asking().broken()
    assert not one.ask(None)
    one.now += SHORTEST - timedelta(seconds=1)
    assert not one.ask(None)
    one.now += timedelta(seconds=1)
    assert one.ask(ModelTimeout)
    one.now += SHORTEST
    assert not one.ask(None), "it rests twice as long now"
    one.now += SHORTEST
    assert one.ask(None)
    for _ in range(FAILURES):
        assert one.ask()
    one.now += SHORTEST
    assert one.ask(None), "it begins with the shortest rest again"


def test_a_success_between_failures_is_enough() -> None:
    one = Asking()
    for _ in range(20):
        assert one.ask()
        assert one.ask(DigestUnusable)
        assert one.ask(None)


def test_only_one_tries_it_out() -> None:
    one = Asking().broken()
    one.now += SHORTEST
    with one.breaker.watching(), pytest.raises(ModelResting), one.breaker.watching():
        raise AssertionError
    assert one.ask(None)


def test_who_gives_up_trying_lets_the_next_one_try() -> None:
    one = Asking().broken()
    one.now += SHORTEST
    assert one.ask(asyncio.CancelledError)
    assert one.ask(None)


def test_what_began_before_the_rest_does_not_make_it_longer_or_end_it() -> None:
    one = Asking()
    late = one.breaker.watching()
    later = one.breaker.watching()
    late.__enter__()
    later.__enter__()
    one.broken()
    assert late.__exit__(ModelBusy, ModelBusy(), None) is False
    later.__exit__(None, None, None)
    assert not one.ask(None)
    one.now += SHORTEST
    assert one.ask(None)


def test_a_clock_that_is_set_back_makes_no_long_rest() -> None:
    one = Asking().broken()
    one.now -= timedelta(days=1)
    assert one.ask(None)


@given(st.lists(st.tuples(st.integers(0, 4000), st.sampled_from(KINDS)), max_size=200))
def test_a_model_that_only_fails_is_asked_rarely(steps: list[tuple[int, type[ModelError]]]) -> None:
    one = Asking()
    for seconds, error in steps:
        one.now += timedelta(seconds=seconds)
        one.ask(error)
    for start in one.asked:
        within = [at for at in one.asked if start <= at < start + SHORTEST]
        assert len(within) <= FAILURES
    probes = one.asked[FAILURES:]
    for number, (earlier, later) in enumerate(pairwise(probes), start=1):
        assert later - earlier >= min(SHORTEST * 2 ** min(number, 10), LONGEST)


@given(st.lists(st.sampled_from([None, *KINDS]), min_size=1, max_size=60))
def test_it_is_asked_again_when_it_has_rested(outcomes: list[type[ModelError] | None]) -> None:
    one = Asking()
    for outcome in outcomes:
        one.ask(outcome)
    one.now += LONGEST
    assert one.ask(None)
    assert one.ask(None)
