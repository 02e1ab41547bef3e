"""Log records: every event by its name, with its fields and the trace it belongs to."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import asdict, fields
from typing import get_args

import pytest

from palaver.telemetry import (
    Compressed,
    ContextLoaded,
    Digested,
    Event,
    Logged,
    ModelAnswered,
    Several,
    Started,
    TurnEnded,
    trace_id,
    traced,
)

EVENTS: dict[str, Event] = {
    "conversation_context_loaded": ContextLoaded("conv-1", 9, 5, 4, 700, {"history": 700}),
    "model_answered": ModelAnswered("conv-1", "sonnet", "complete", 2.5, 0.4, 30, 1200, 80),
    "turn_ended": TurnEnded("conv-1", "interrupted", 2.6),
    "conversation_digested": Digested("conv-1", "title", "haiku", "kept", 1.5, 900, 40, 0.001),
    "conversation_compressed": Compressed("conv-1", "compression", "kept", 12, 5000, 400),
    "palaver_started": Started(3, 17, 1, digests_queued=4, milliseconds=41.5),
}


def test_there_is_an_example_of_every_event():
    assert {type(event) for event in EVENTS.values()} == set(get_args(Event))


@pytest.mark.parametrize("name", EVENTS)
def test_every_event_has_a_name_and_its_fields(name: str, caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.INFO, "palaver.telemetry"):
        Several(Logged(), Logged()).tell(EVENTS[name])
    first, second = caplog.records
    assert first.message == second.message == name
    assert {one.name: vars(first)[one.name] for one in fields(EVENTS[name])} == asdict(EVENTS[name])


def test_nothing_is_logged_unless_somebody_asks_for_it(caplog: pytest.LogCaptureFixture):
    Logged().tell(EVENTS["turn_ended"])
    assert caplog.records == []


async def test_all_that_is_told_in_a_trace_has_one_id():
    async def task() -> str:
        return trace_id()

    assert trace_id() != trace_id()
    with traced():
        own = trace_id()
        with traced():
            assert trace_id() == own
        assert await asyncio.create_task(task()) == own == trace_id()
    assert trace_id() != own
