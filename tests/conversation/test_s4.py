"""S4's list of tests (§12.6), line by line: where each is shown, on every engine.

A *day segment* is a `Day`, and a *transcript chunk* is a piece: a part of one message, cut by what
it says alone. So there is nothing to compute again at night, and `content_hash` is `piece_key`.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from palaver.app import Palaver
from palaver.conversation.records import NewMessage
from palaver.recall.continuous_results import ContinuousPage
from palaver.settings import Settings
from tests.library import BagOfWords, Clock

HERE = "conversation/test_s4.py"
DAYS, SUMMARIES = "conversation/test_days.py", "digest/days/test_summaries.py"
SEARCH, GET = "conversation/test_continuous_search.py", "conversation/test_continuous_get.py"
LINES: dict[str, list[tuple[str, str]]] = {
    "get or create": [
        (DAYS, "test_many_who_begin_it_at_once_begin_one"),
        (DAYS, "test_it_goes_on_after_a_start"),
        (DAYS, "test_one_that_was_deleted_is_followed_by_another"),
        (DAYS, "test_processes_that_open_a_day_at_once_open_one"),
        (DAYS, "test_nodes_that_open_a_day_at_once_open_one"),
    ],
    "invariants of a day segment": [
        ("index/test_days.py", "test_a_day_is_the_turns_from_its_first_one_on"),
        ("index/test_days.py", "test_a_day_that_is_not_later_does_not_begin"),
        (
            "index/test_days.py",
            "test_days_do_not_move_when_messages_are_erased_or_rows_are_made_again",
        ),
        (HERE, "test_a_day_is_told_further_and_further_closed_and_found"),
    ],
    "coverage never falls": [
        (SUMMARIES, "test_what_was_made_of_less_never_takes_the_place_of_what_tells_more"),
        ("conversation/test_day_views.py", "test_a_summary_that_comes_meanwhile_is_not_undone"),
    ],
    "boundaries of chunks": [
        ("index/test_pieces.py", "test_a_long_message_has_several_pieces"),
        ("index/test_pieces.py", "test_of_what_a_tool_says_only_the_head_and_the_tail_are_kept"),
        ("index/test_contract.py", "test_what_a_system_says_is_not_found"),
    ],
    "idempotence of chunks": [
        ("index/test_pieces.py", "test_a_piece_is_known_by_its_words_and_its_text"),
        ("index/test_pieces.py", "test_one_by_one_is_the_same_as_all_at_once"),
        ("index/test_contract.py", "test_a_rebuild_changes_no_answer"),
    ],
    "search: scoring": [
        (SEARCH, "test_the_score_is_that_of_the_specification_to_the_digit"),
        (SEARCH, "test_without_a_vector_only_words_count"),
        (SEARCH, "test_the_penalty_is_a_setting"),
        (SEARCH, "test_equal_ones_come_newest_day_first_then_newest_message"),
    ],
    "search: pagination": [
        (SEARCH, "test_pages_meet_without_a_gap"),
        (SEARCH, "test_new_messages_do_not_move_a_cursor"),
        (SEARCH, "test_a_cursor_belongs_to_its_question"),
    ],
    "search: user scoping": [(SEARCH, "test_nobody_finds_what_somebody_else_has_said")],
    "get: limit": [
        (GET, "test_a_message_comes_with_those_around_it"),
        (GET, "test_a_limit_holds_wherever_the_message_stands"),
    ],
    "get: before and after": [
        (GET, "test_what_comes_before_and_after_is_strictly_so"),
        (GET, "test_pages_meet_without_a_gap"),
    ],
    "get: truncation": [
        (GET, "test_no_more_is_given_than_fits"),
        (GET, "test_one_message_that_is_too_long_is_cut_and_says_so"),
    ],
    "get: user scoping": [(GET, "test_what_is_elsewhere_and_what_is_nowhere_are_the_same")],
    "the night closes days, and tells and finds them": [
        (SUMMARIES, "test_a_day_that_is_over_is_told_and_closed_once"),
        (
            "conversation/test_days_told.py",
            "test_a_night_that_was_missed_is_made_up_for_at_the_next_start",
        ),
        (HERE, "test_a_day_is_told_further_and_further_closed_and_found"),
    ],
    "triggers by day do not move the boundary back": [
        (SUMMARIES, "test_ten_messages_are_told_and_nine_are_not"),
        (HERE, "test_a_day_is_told_further_and_further_closed_and_found"),
    ],
}
SATURDAY = "2026-02-14"


@pytest.mark.parametrize("line", LINES)
def test_every_line_has_its_tests(line: str) -> None:
    tests = Path(__file__).parent.parent
    for path, name in LINES[line]:
        text = (tests / path).read_text()
        assert re.search(rf"^(?:async )?def {name}\(", text, re.MULTILINE), f"{path}::{name}"


@pytest.fixture
async def palaver(kept: Settings, clock: Clock) -> AsyncIterator[Palaver]:
    async with Palaver.open(settings=kept, clock=clock, embedder=BagOfWords()) as opened:
        yield opened


async def test_a_day_is_told_further_and_further_closed_and_found(
    palaver: Palaver, clock: Clock
) -> None:
    """Ten messages, ten more, three more, and the night."""
    conversation = (await palaver.continuous.ensure()).id
    ids: list[str] = []
    for count in (10, 10, 3):
        for number in range(count):
            text = f"Heron {len(ids) // 2} was seen at pond {number}."
            new = NewMessage(role=("user", "assistant")[number % 2], content=text)
            ids += [one.id for one in await palaver.append_many(conversation, [new])]
            clock.advance(minutes=1)
        await palaver.settle()
    by_day = await palaver.continuous.day(SATURDAY)
    assert (by_day.summary_covers_until, by_day.closed) == (ids[19], False)
    clock.advance(days=1)
    await palaver.settle()
    told = [one for one in await palaver.lines(conversation) if one.event == "day_summary"]
    covers = [one.data["covers"] for one in told]
    assert covers == sorted({*covers})
    assert [one.data["reason"] for one in told] == ["messages", "messages", "night"]
    day = await palaver.continuous.day(SATURDAY)
    assert (day.summary_covers_until, day.closed) == (ids[-1], True)
    assert [one.id for one in day.messages] == ids
    page = await palaver.continuous.search("heron", limit=20)
    assert {one.kind for one in page.results} == {"message", "summary"}
    assert all(one.covered_by_summary for one in page.results if one.kind == "message")
    await palaver.rebuild()  # pieces that are cut again are the same
    await palaver.settle()
    assert _shown(await palaver.continuous.search("heron", limit=20)) == _shown(page)


def _shown(page: ContinuousPage) -> list[tuple[str, str | None, float]]:
    return [(one.kind, one.day_label, round(one.score, 4)) for one in page.results]
