"""Searching the continuous conversation, on every engine: S4's rules, line by line."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from typing import Any

import numpy as np
import pytest

from palaver.app import Palaver
from palaver.conversation.records import NewMessage
from palaver.errors import BadCursor, BadText, BadValue
from palaver.recall.continuous_results import ContinuousPage, FoundMessage, FoundSummary
from palaver.settings import Settings
from tests.conversation.diary import Diary, source
from tests.library import BagOfWords, Clock

TUESDAY, WEDNESDAY, FRIDAY = "2026-02-03", "2026-02-04", "2026-02-06"


async def _opened(kept: Settings, clock: Clock, **index: object) -> AsyncIterator[Diary]:
    chosen = kept.model_copy(update={"index": kept.index.model_copy(update=index)})
    palaver = Palaver.open(settings=chosen, clock=clock, embedder=BagOfWords(), digests=False)
    async with palaver:
        yield Diary(palaver, clock)


@pytest.fixture
async def diary(kept: Settings, clock: Clock) -> AsyncIterator[Diary]:
    async for one in _opened(kept, clock):
        yield one


@pytest.fixture
async def s4(kept: Settings, clock: Clock) -> AsyncIterator[Diary]:
    async for one in _opened(kept, clock, ranking="s4"):
        yield one


async def find(diary: Diary, query: str, **given: Any) -> ContinuousPage:
    await diary.palaver.catch_up()
    return await diary.palaver.continuous.search(query, **given)


def shown(page: ContinuousPage) -> list[tuple[str, str | None]]:
    return [(one.kind, one.day_label) for one in page.results]


# -- what is found, and how it is told ----------------------------------------------------------


async def test_messages_and_summaries_are_found_in_one_list(diary: Diary) -> None:
    asked, replied = await diary.on(
        "2026-02-03T10:00Z", "Which harbour do we sail to?", "Kiel, I think."
    )
    text = "## Summary\nWe planned a trip.\n\n## Decisions\n- The harbour is Kiel."
    await diary.tell(TUESDAY, text, replied, [source(replied, 4)])
    later, _ = await diary.on("2026-02-04T10:00Z", "The harbour has a crane.", "Noted.")
    page = await find(diary, "harbour")
    assert {*shown(page)} == {("message", TUESDAY), ("summary", TUESDAY), ("message", WEDNESDAY)}
    by_kind = {(one.kind, one.day_label): one for one in page.results}
    summary, covered = by_kind["summary", TUESDAY], by_kind["message", TUESDAY]
    assert isinstance(summary, FoundSummary)
    assert isinstance(covered, FoundMessage)
    assert summary.summary_snippet == (
        "Summary: We planned a trip. Decisions: The harbour is Kiel."
    )
    marked = [summary.summary_snippet[start:end] for start, end in summary.highlights]
    assert (marked, summary.message_ids) == (["harbour"], [replied.id])
    assert (covered.message_id, covered.snippet_message_id) == (asked.id, asked.id)
    assert (covered.covered_by_summary, covered.timestamp) == (True, asked.timestamp)
    assert covered.day_segment_id == summary.day_segment_id
    free = by_kind["message", WEDNESDAY]
    assert isinstance(free, FoundMessage)
    assert (free.covered_by_summary, free.message_id) == (False, later.id)
    assert [one.score for one in page.results] == sorted(
        (one.score for one in page.results), reverse=True
    )


async def test_the_message_is_the_first_of_its_turn(diary: Diary) -> None:
    asked, replied = await diary.on("2026-02-03T10:00Z", "Where to?", "To the harbour.")
    (found,) = (await find(diary, "harbour")).results
    assert isinstance(found, FoundMessage)
    assert (found.message_id, found.snippet_message_id) == (asked.id, replied.id)
    assert (found.snippet, found.role) == ("To the harbour.", "assistant")


async def test_only_the_newest_summary_of_a_day_is_found(diary: Diary) -> None:
    asked, replied = await diary.on("2026-02-03T10:00Z", "Something.", "Yes.")
    await diary.tell(TUESDAY, "The zebra.", asked)
    assert shown(await find(diary, "zebra")) == [("summary", TUESDAY)]
    await diary.tell(TUESDAY, "The lion.", replied)
    assert shown(await find(diary, "zebra", min_score=0.01)) == []
    assert shown(await find(diary, "lion")) == [("summary", TUESDAY)]


async def test_no_other_search_finds_a_summary_by_its_words(diary: Diary) -> None:
    asked, _ = await diary.on("2026-02-03T10:00Z", "Something.", "Yes.")
    await diary.tell(TUESDAY, "The zebra.", asked)
    await diary.palaver.catch_up()
    assert await diary.palaver.search("zebra") == []
    assert await diary.palaver.search_messages("zebra") == []
    page = await diary.palaver.search_page("zebra", kind="message")
    assert (page.results, page.total_matches) == ([], 0)
    assert shown(await find(diary, "zebra")) == [("summary", TUESDAY)]
    assert await diary.palaver.search("zebra") == []


async def test_what_was_erased_is_found_nowhere(diary: Diary) -> None:
    asked, replied = await diary.on("2026-02-03T10:00Z", "The zebra is ill.", "Oh.")
    await diary.tell(TUESDAY, "The zebra is ill.", replied, [source(asked, 0)])
    assert len((await find(diary, "zebra")).results) == 2
    await diary.palaver.redact(asked.conversation_id, asked.id)
    assert (await find(diary, "zebra")).results == []


async def test_only_the_continuous_conversation_is_searched(diary: Diary) -> None:
    other = await diary.palaver.start()
    await diary.palaver.append(other.id, "user", "The zebra is elsewhere.")
    assert (await find(diary, "zebra")).results == []
    await diary.on("2026-02-03T10:00Z", "The zebra is here.")
    assert shown(await find(diary, "zebra")) == [("message", TUESDAY)]


async def test_nobody_finds_what_somebody_else_has_said(
    kept: Settings, clock: Clock, diary: Diary
) -> None:
    asked, _ = await diary.on("2026-02-03T10:00Z", "The zebra is mine.", "Yes.")
    await diary.tell(TUESDAY, "The zebra.", asked)
    other = Palaver.open(
        settings=kept, user="usr-01HQXK5J7G8M3N4P5R6S7T8V9W", clock=clock, index_vectors=False
    )
    async with other:
        theirs = Diary(other, clock)
        assert (await other.continuous.search("zebra")).results == []
        await theirs.on("2026-02-03T11:00Z", "The zebra is theirs.", "No.")
        (found,) = (await other.continuous.search("zebra")).results
        assert isinstance(found, FoundMessage)
        assert found.snippet == "The zebra is theirs."


# -- S4's formula, to the digit -----------------------------------------------------------------


def _raw(rounds: int, holding: int, count: int, length: int) -> float:
    """BM25 of a term in a piece."""
    rarity = math.log1p((rounds - holding + 0.5) / (holding + 0.5))
    return rarity * 2.2 * count / (count + 1.2 * (0.25 + 0.75 * length / 75))


async def test_the_score_is_that_of_the_specification_to_the_digit(s4: Diary) -> None:
    _, told = await s4.on("2026-02-03T10:00Z", "zebra runs", "indeed")
    await s4.on("2026-02-04T10:00Z", "zebra sleeps now", "indeed")
    await s4.tell(TUESDAY, "zebra summary here today", told)
    page = await find(s4, "zebra")
    bag = BagOfWords()

    def cosine(text: str) -> float:
        asked, found = bag.embed(["zebra", text])
        return min(max(float(asked @ found), 0.0), 1.0)

    def base(text: str) -> float:
        raw = _raw(rounds=3, holding=3, count=1, length=len(text.split()))
        return 0.7 * cosine(text) + 0.3 * raw / (raw + 1)

    expected = {
        ("message", TUESDAY): 0.85 * base("zebra runs"),
        ("message", WEDNESDAY): base("zebra sleeps now"),
        ("summary", TUESDAY): base("zebra summary here today"),
    }
    found = {(one.kind, one.day_label): one.score for one in page.results}
    assert found == pytest.approx(expected, abs=1e-4)  # vectors are stored with few digits


async def test_without_a_vector_only_words_count(kept: Settings, clock: Clock) -> None:
    chosen = kept.model_copy(update={"index": kept.index.model_copy(update={"ranking": "s4"})})
    async with Palaver.open(settings=chosen, clock=clock, index_vectors=False) as palaver:
        diary = Diary(palaver, clock)
        await diary.on("2026-02-03T10:00Z", "zebra runs")
        (found,) = (await find(diary, "zebra")).results
        raw = _raw(rounds=1, holding=1, count=1, length=2)
        assert found.score == pytest.approx(0.3 * raw / (raw + 1), abs=1e-5)


async def test_the_penalty_is_a_setting(kept: Settings, clock: Clock) -> None:
    for ranking in ("s4", "tuned"):
        scores: list[float] = []
        for penalty in (1.0, 0.5):
            home = kept.home / f"{ranking}{penalty}"
            chosen = kept.moved(home=home).model_copy(update={"database": kept.database})
            index = chosen.index.model_copy(update={"ranking": ranking, "covered_penalty": penalty})
            chosen = chosen.model_copy(update={"index": index})
            user = f"usr-01HQXK5J7G8M3N4P5R6S7T8V{len(ranking)}{int(penalty * 2)}"
            palaver = Palaver.open(settings=chosen, user=user, clock=clock, index_vectors=False)
            async with palaver:
                diary = Diary(palaver, clock)
                said = await diary.on("2026-02-03T10:00Z", "zebra runs")
                await diary.tell(TUESDAY, "Nothing.", said[0])
                (found,) = (await find(diary, "zebra")).results
                scores.append(found.score)
        assert scores[1] == pytest.approx(0.5 * scores[0])


async def test_equal_ones_come_newest_day_first_then_newest_message(s4: Diary) -> None:
    texts = ("zebra one", "indeed", "zebra one", "indeed")
    tuesday = await s4.on("2026-02-03T10:00Z", *texts)
    await s4.on("2026-02-04T10:00Z", *texts)
    await s4.tell(WEDNESDAY, "zebra one", tuesday[0].model_copy(update={"seq": 0}))
    await s4.tell(TUESDAY, "zebra one", tuesday[0])  # it was made last, and tells of the older day
    page = await find(s4, "zebra")
    *equal, covered = page.results
    assert len({one.score for one in equal}) == 1
    turns = [one.turn_number if isinstance(one, FoundMessage) else one.day_label for one in equal]
    assert turns == [WEDNESDAY, 4, 3, TUESDAY, 2]
    assert covered.score == pytest.approx(0.85 * equal[0].score)


# -- when ---------------------------------------------------------------------------------------


@pytest.fixture
async def weeks(diary: Diary) -> Diary:
    """The zebra is spoken of on three days, the first of them long ago."""
    old, _ = await diary.on("2026-01-05T10:00Z", "The zebra came.", "Oh.")
    await diary.tell("2026-01-05", "A zebra.", old)
    await diary.on("2026-02-03T10:00Z", "The zebra ate.", "Oh.")
    await diary.on("2026-02-06T10:00Z", "The zebra slept.", "Oh.")
    return diary


async def test_two_weeks_are_looked_at_unless_told_otherwise(weeks: Diary) -> None:
    assert {day for _, day in shown(await find(weeks, "zebra"))} == {TUESDAY, FRIDAY}
    every = await find(weeks, "zebra", recency_days=0)
    assert {*shown(every)} == {
        ("message", "2026-01-05"),
        ("summary", "2026-01-05"),
        ("message", TUESDAY),
        ("message", FRIDAY),
    }
    assert {day for _, day in shown(await find(weeks, "zebra", recency_days=1))} == {FRIDAY}


async def test_a_day_is_looked_at_alone_however_long_ago(weeks: Diary) -> None:
    page = await find(weeks, "zebra", day="2026-01-05")
    assert {*shown(page)} == {("message", "2026-01-05"), ("summary", "2026-01-05")}
    assert (await find(weeks, "zebra", day="2026-01-06")).results == []


async def test_a_day_holds_what_was_said_after_midnight(diary: Diary) -> None:
    await diary.on("2026-02-03T23:50Z", "The night begins.")
    conversation = await diary.palaver.continuous.ensure()
    diary.clock.advance(minutes=20)
    await diary.palaver.append(conversation.id, "assistant", "The zebra never sleeps.")
    (found,) = (await find(diary, "zebra", day=TUESDAY)).results
    assert found.day_label == TUESDAY
    assert (await find(diary, "zebra", day=WEDNESDAY)).results == []


async def test_from_and_to_are_times_of_messages_and_days_of_summaries(weeks: Diary) -> None:
    page = await find(weeks, "zebra", from_="2026-01-05T09:00Z", to="2026-01-05T09:30Z")
    assert shown(page) == [("summary", "2026-01-05")]
    page = await find(weeks, "zebra", from_="2026-01-01", to="2026-02-03")
    assert {day for _, day in shown(page)} == {"2026-01-05", TUESDAY}


@pytest.mark.parametrize(
    ("zone", "moment"),
    [
        ("Europe/Berlin", "2026-02-03T13:30Z"),  # 14:30 in winter
        ("America/New_York", "2026-02-03T19:30Z"),
        ("Asia/Tokyo", "2026-02-03T05:30Z"),
    ],
)
async def test_a_time_that_the_query_names_is_applied_in_one_call(
    diary: Diary, zone: str, moment: str
) -> None:
    await diary.lives_in(zone)
    hour = int(moment[11:13])
    await diary.on(f"2026-02-03T{hour - 3:02}:30Z", "We decided to buy tea.", "Good.")
    asked, _ = await diary.on(moment, "We decided to sell the boat.", "Good.")
    await diary.on(f"2026-02-03T{hour + 3:02}:30Z", "We decided to sleep.", "Good.")
    await diary.on("2026-05-20T10:00Z", "We decided to wait.", "Good.")
    page = await find(diary, "What did we decide on 3 February between 2 and 4 pm?")
    (found,) = page.results
    assert isinstance(found, FoundMessage)
    assert (found.message_id, found.day_label) == (asked.id, TUESDAY)
    assert page.time_window is not None
    assert page.empty_window is None


async def test_hours_are_those_of_the_day_on_both_sides_of_daylight_saving(diary: Diary) -> None:
    await diary.lives_in("Europe/Berlin")
    before, _ = await diary.on("2026-03-28T13:30Z", "We decided on soup.", "Good.")  # 14:30 CET
    after, _ = await diary.on("2026-03-29T12:30Z", "We decided on bread.", "Good.")  # 14:30 CEST
    for day, asked in ((28, before), (29, after)):
        page = await find(diary, f"What did we decide on {day} March between 2 and 3 pm?")
        (found,) = page.results
        assert isinstance(found, FoundMessage)
        assert found.message_id == asked.id


async def test_a_time_in_which_nothing_was_said_is_told(weeks: Diary) -> None:
    page = await find(weeks, "the zebra on 2 January")
    assert page.empty_window is not None
    assert {day for _, day in shown(page)} == {"2026-01-05", TUESDAY, FRIDAY}


async def test_all_that_was_said_then_is_listed(weeks: Diary) -> None:
    page = await find(weeks, "what did we talk about on 3 February?")
    assert shown(page) == [("message", TUESDAY)]


async def _afternoon(diary: Diary) -> tuple[list[str], list[str]]:
    """An afternoon of ten turns, one in which something is decided without saying so, among other
    talk of the day. The ids of what was asked from two to four, and of the decision."""
    await diary.lives_in("Europe/Berlin")
    await diary.on("2026-02-03T09:00Z", "Let's take the green paint.", "Good.")
    within: list[str] = []
    decided: list[Any] = []
    for number in range(10):
        text = "Let's take the blue boat." if number == 6 else f"Cloud {number} is grey."
        said = await diary.on(f"2026-02-03T13:{10 * number // 2:02}Z", text, "I see.")
        within.append(said[0].id)
        decided += said[:1] if number == 6 else []
    (late, *_) = await diary.on("2026-02-03T18:00Z", "Let's take the red car.", "Good.")
    told = "## Summary\nClouds.\n\n## Decisions\n- The blue boat.\n- The red car."
    sources = [source(decided[0], 4, "decision"), source(late, 5, "decision")]
    await diary.tell(TUESDAY, told, late, sources)
    await diary.on("2026-05-20T10:00Z", "We decided to wait.", "Good.")
    return within, [decided[0].id]


@pytest.mark.parametrize(
    ("query", "given"),
    [
        ("What did we decide on 3 February between 2 and 4 pm?", {}),
        ("What did we talk about on 3 February between 2 and 4 pm?", {}),
        ("3 February 2026 between 2 and 4 pm", {}),
        ("Was haben wir am 3. Februar zwischen 14 und 16 Uhr beschlossen?", {}),
        ("What did we decide?", {"from_": "2026-02-03T14:00", "to": "2026-02-03T16:00"}),
    ],
)
async def test_a_time_alone_gives_what_was_decided_then_and_then_the_rest_as_it_was_said(
    diary: Diary, query: str, given: dict[str, Any]
) -> None:
    within, decided = await _afternoon(diary)
    page = await find(diary, query, limit=20, **given)
    messages = [one for one in page.results if isinstance(one, FoundMessage)]
    rest = [one for one in within if one not in decided]
    assert [one.message_id for one in messages] == decided + rest
    assert all(0 < one.score <= 1 for one in page.results)
    scores = [one.score for one in page.results]
    assert scores == sorted(scores, reverse=True)
    assert page.empty_window is None
    first = await find(diary, query, limit=4, **given)
    following = await find(diary, query, limit=20, cursor=first.next_cursor, **given)
    assert [*first.results, *following.results] == page.results
    best = await find(diary, query, limit=20, min_score=0.9, **given)
    assert best.results == page.results[:1]


async def test_what_was_decided_on_a_day_is_asked_for_with_the_day(diary: Diary) -> None:
    _, decided = await _afternoon(diary)
    page = await find(diary, "What did we decide?", day=TUESDAY)
    first, second = page.results[:2]
    assert isinstance(first, FoundMessage)
    assert isinstance(second, FoundMessage)
    assert (first.message_id, second.snippet) == (decided[0], "Let's take the red car.")
    alone = await find(diary, "messages", day=TUESDAY)
    assert [one for one in alone.results if one.kind == "message"] == []


async def test_a_decision_at_the_beginning_of_a_long_day_comes_first(diary: Diary) -> None:
    first, _ = await diary.on("2026-02-03T10:00Z", "Oak it is.", "Good.")
    many = [NewMessage(role="user", content=f"Cloud {number}.") for number in range(300)]
    said = await diary.palaver.append_many(first.conversation_id, many)
    await diary.tell(TUESDAY, "- Oak it is.", said[-1], [source(first, 0, "decision")])
    page = await find(diary, "What did we decide on 3 February?")
    (found, *_) = page.results
    assert isinstance(found, FoundMessage)
    assert (found.message_id, found.score) == (first.id, 1)


async def test_the_question_itself_is_not_found(weeks: Diary) -> None:
    said = await weeks.on("2026-02-07T10:00Z", "Where is the zebra?")
    page = await find(weeks, "zebra", before=said[0].timestamp)
    assert "2026-02-07" not in {day for _, day in shown(page)}


# -- page by page -------------------------------------------------------------------------------


@pytest.fixture
async def many(diary: Diary) -> Diary:
    for hour in range(10, 20):
        await diary.on(f"2026-02-03T{hour}:00Z", f"zebra number {hour}", "Yes.")
    return diary


async def _walk(diary: Diary, limit: int, **given: Any) -> list[int]:
    turns: list[int] = []
    cursor = None
    while True:
        page = await find(diary, "zebra", limit=limit, cursor=cursor, **given)
        turns += [one.turn_number for one in page.results if isinstance(one, FoundMessage)]
        cursor = page.next_cursor
        if cursor is None:
            return turns


async def test_six_are_given_unless_told_otherwise(many: Diary) -> None:
    page = await find(many, "zebra")
    assert len(page.results) == 6
    assert page.next_cursor is not None
    assert len((await find(many, "zebra", limit=20)).results) == 10


async def test_pages_meet_without_a_gap(many: Diary) -> None:
    whole = await _walk(many, 20)
    assert sorted(whole) == list(range(1, 11))
    assert await _walk(many, 3) == whole


async def test_new_messages_do_not_move_a_cursor(many: Diary) -> None:
    first = await find(many, "zebra", limit=4)
    await many.on("2026-02-03T21:00Z", "zebra zebra zebra", "Yes.", "zebra again", "Yes.")
    rest = await find(many, "zebra", limit=20, cursor=first.next_cursor)
    given = [
        one.turn_number
        for page in (first, rest)
        for one in page.results
        if isinstance(one, FoundMessage)
    ]
    assert sorted(given) == list(range(1, 11))


async def test_the_window_does_not_move_between_two_pages(many: Diary) -> None:
    first = await find(many, "zebra", limit=4)
    many.clock.advance(days=14)
    rest = await find(many, "zebra", limit=20, cursor=first.next_cursor)
    assert len(rest.results) == 6
    assert rest.time_window == first.time_window


async def test_a_cursor_belongs_to_its_question(many: Diary) -> None:
    cursor = (await find(many, "zebra", limit=4)).next_cursor
    for query, given in (("lion", {}), ("zebra", {"recency_days": 3}), ("zebra", {"day": TUESDAY})):
        with pytest.raises(BadCursor):
            await find(many, query, cursor=cursor, **given)
    for forged in ("", "x", "eyJhIjoxfQ", (cursor or "")[::-1]):
        with pytest.raises(BadCursor):
            await find(many, "zebra", cursor=forged)


async def test_what_scores_less_is_left_out(many: Diary) -> None:
    page = await find(many, "zebra", limit=20)
    least = float(np.median([one.score for one in page.results]))
    found = await find(many, "zebra", limit=20, min_score=least)
    assert {one.score >= least for one in found.results} == {True}
    assert len(found.results) == sum(one.score >= least for one in page.results)
    assert (await find(many, "zebra", min_score=1)).results == []


# -- what is refused ----------------------------------------------------------------------------


REFUSED: list[dict[str, Any]] = [
    {"limit": 0},
    {"limit": 21},
    {"limit": True},
    {"limit": "6"},
    {"recency_days": -1},
    {"recency_days": 40_000},
    {"day": "yesterday"},
    {"day": "2026-02-30"},
    {"day": TUESDAY, "from_": TUESDAY},
    {"from_": "2026-02-04", "to": "2026-02-03"},
    {"from_": "soon"},
    {"min_score": 1.5},
    {"min_score": -0.1},
    {"min_score": float("nan")},
    {"before": "soon"},
    {"color": "red"},
]


async def test_what_cannot_be_meant_is_refused(diary: Diary) -> None:
    for given in REFUSED:
        with pytest.raises(BadValue):
            await diary.palaver.continuous.search("zebra", **given)


async def test_a_query_needs_a_word(diary: Diary) -> None:
    for query in ("", "  ", "?!"):
        with pytest.raises(BadValue):
            await diary.palaver.continuous.search(query)
    with pytest.raises(BadText):
        await diary.palaver.continuous.search("nul \0")


async def test_before_anything_is_said_nothing_is_found(diary: Diary) -> None:
    page = await diary.palaver.continuous.search("zebra")
    assert (page.results, page.next_cursor) == ([], None)


async def test_a_system_message_is_never_found(diary: Diary) -> None:
    conversation = await diary.palaver.continuous.ensure()
    new = [NewMessage(role="user", content="Hello"), NewMessage(role="system", content="zebra")]
    await diary.palaver.append_many(conversation.id, new)
    assert (await find(diary, "zebra", min_score=0.1)).results == []
