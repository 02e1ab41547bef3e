"""A day summary from a model: the real libraries against the wire protocols."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.digest.days.model import ModelDays, checked, day_sheet
from palaver.digest.days.port import DayStory, DaySummary
from palaver.digest.model.breaker import FAILURES, Breaker
from palaver.errors import DigestUnusable, ModelError, ModelResting
from tests.digest.days.stories import DAY, LABEL, count, day, lines, loop, point, said
from tests.models.asking import NAMES, asking
from tests.models.script import Status
from tests.models.server import ModelServer
from tests.models.writing import QUICK, answers, clock, told

PAY = "I still need to pay the invoice of Dr. Okafor."


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@asynccontextmanager
async def maker(server: ModelServer, room: int = 60_000) -> AsyncGenerator[ModelDays]:
    async with asking(server, QUICK) as models:
        writer = models.connections.writer(NAMES["anthropic"])
        yield ModelDays(writer, Breaker(clock), count=count, room=room)


def line(text: str, *on: int, quote: str = "") -> dict[str, Any]:
    return {"text": text, "messages": list(on), "quote": quote}


def page(**changes: Any) -> dict[str, Any]:
    """What a good model makes of the day: 11 and 12 are what is open at its end."""
    return {
        "summary": [
            line("The kitchen was begun.", 1, quote="The old floor came out this morning"),
            line("A leak behind the sink cost 140 euros.", 5),
        ],
        "goals": [line("Finish the kitchen before Easter.", 1)],
        "decisions": [line("Blue tiles from Krause, order 4711-B.", 3)],
        "open_loops": [line("Photos for the insurance.", 11)],
        "next_steps": [line("Call the electrician on Friday.", 12, 9)],
        **changes,
    }


EMPTY: dict[str, Any] = {part: list[Any]() for part in page()}


async def test_one_request_gives_the_page(server: ModelServer) -> None:
    answers(server, page())
    async with maker(server) as days:
        made = await days.make(day(*DAY))
    assert len(server.asked) == 1
    assert (made.spent["input"], made.spent["output"]) == (900, 150)
    assert made.by == NAMES["anthropic"].partition(":")[2]
    assert (
        made.summary.text
        == """## Summary
The kitchen was begun.
A leak behind the sink cost 140 euros.

## Goals
- Finish the kitchen before Easter.

## Decisions
- Blue tiles from Krause, order 4711-B.

## Open loops
- Photos for the insurance.

## Next steps
- Call the electrician on Friday."""
    )
    kinds = [(one.point, one.kind, one.message_id) for one in made.summary.written.sources]
    assert kinds == [
        (1, "said", "msg-1"),
        (2, "said", "msg-5"),
        (5, "goal", "msg-1"),
        (8, "decision", "msg-3"),
        (11, "open", "msg-7"),
        (14, "open", "msg-9"),
    ]


async def test_the_model_reads_the_day_as_a_quotation_and_is_told_the_five_parts(
    server: ModelServer,
) -> None:
    answers(server, page())
    async with maker(server) as days:
        await days.make(day(*DAY))
    shown = told(server)
    assert "[5] user, 2026-02-14\n> The plumber found a leak" in shown
    assert "What is still open:\n\n[11] turn 4\n> I still need" in shown
    rules = json.dumps(server.asked[0].body["system"])
    assert "14 February 2026" in rules
    for part in ("summary", "goals", "decisions", "open_loops", "next_steps"):
        assert f"`{part}`" in rules


async def test_what_is_carried_over_and_what_was_closed_says_so(server: ModelServer) -> None:
    loops = {"open": [loop(1, PAY)], "closed": [loop(2, "I owe Jonas 20 euros.", closed_by=3)]}
    carried = {"old-1": "2026-02-03", "old-2": "2025-12-24"}
    answers(
        server,
        page(
            open_loops=[line("Pay Dr. Okafor.", 11), line("Jonas got his 20 euros.", 12)],
            next_steps=[],
        ),
    )
    async with maker(server) as days:
        made = await days.make(day(*DAY, carried=carried, **loops))
    assert lines(made.summary, "Open loops") == [
        "Pay Dr. Okafor. (since 3 February)",
        "Closed: Jonas got his 20 euros. (done, since 24 December 2025)",
    ]
    closed = made.summary.of("Open loops")[1]
    assert [(one.kind, one.message_id) for one in closed.sources] == [
        ("closed", "old-2"),
        ("closing", "msg-3"),
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        "I would rather talk about the weather.",
        page(goals=[line("Finish it before 2031.", 1)]),
        page(goals=[line("Finish it.", 99)]),
        page(goals=[line("Finish it.")]),
        page(decisions=[line("Blue tiles.", 3, quote="the green tiles")]),
        page(summary=[line(f"{n} {'and so on ' * 40}", 1) for n in range(1, 40)]),
        EMPTY,
    ],
)
async def test_what_does_not_hold_is_mended_once_and_else_refused(
    server: ModelServer, wrong: dict[str, Any] | str
) -> None:
    answers(server, wrong, page())
    async with maker(server) as days:
        made = await days.make(day(*DAY))
        assert "4711-B" in made.summary.text
        assert "cannot be used" in told(server)
        answers(server, wrong, wrong)
        with pytest.raises(DigestUnusable) as caught:
            await days.make(day(*DAY))
    assert "Krause" not in f"{caught.value.message} {caught.value!r}"


async def test_a_model_that_keeps_failing_rests(server: ModelServer) -> None:
    for _ in range(FAILURES):
        server.script(Status(500))
    async with maker(server) as days:
        for _ in range(FAILURES):
            with pytest.raises(ModelError):
                await days.make(day(*DAY))
        asked = len(server.asked)
        with pytest.raises(ModelResting):
            await days.make(day(*DAY))
    assert len(server.asked) == asked


async def test_a_long_day_is_read_part_by_part(server: ModelServer) -> None:
    story = DayStory(LABEL, said(*(f"{text} {'And so on. ' * 30}" for text in DAY)))
    first = {**EMPTY, "summary": [line("The kitchen was begun.", 1)]}
    answers(server, *[first] * 8)
    async with maker(server, room=800) as days:
        made = await days.make(story)
    assert len(server.asked) > 1
    assert "Notes on what was said earlier:" in told(server)
    assert lines(made.summary, "Summary") == ["The kitchen was begun."]


async def test_the_lines_of_the_owner_are_shown_and_asked_for_no_more(server: ModelServer) -> None:
    before = [point("Summary", "A fine day, in my own words.", "msg-1")]
    answers(server, EMPTY)
    async with maker(server) as days:
        made = await days.make(DayStory(LABEL, said(*DAY), before=before, stays=True))
    assert made.summary.points == []
    assert "> A fine day, in my own words." in told(server)
    assert "stay as they are" in json.dumps(server.asked[0].body["system"])


def test_no_line_of_a_model_becomes_a_heading() -> None:
    story = day(*DAY)
    sheet = day_sheet(story, 1200, count)
    answer = page(summary=[line("## Decisions\n- It rained.", 1)])
    text = DaySummary(checked(json.dumps(answer), sheet, story).points).text
    assert text.startswith("## Summary\nDecisions - It rained.\n")


@given(st.text(max_size=200))
def test_whatever_a_model_writes_is_checked(text: str) -> None:
    story = day(*DAY[:4])
    assert checked(text, day_sheet(story, 1200, count), story).faults
