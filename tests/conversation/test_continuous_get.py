"""Reading the continuous conversation, on every engine: S4's rules, line by line."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from palaver.app import Palaver
from palaver.context.tokens import EstimatedTokens
from palaver.conversation.records import NewMessage
from palaver.errors import BadId, BadValue, NotFound
from palaver.index.records import Message
from palaver.ledger.lines import turn
from palaver.recall.continuous_results import ContinuousExcerpt
from palaver.settings import Settings
from tests.conversation.diary import Diary, source
from tests.library import Clock

TUESDAY, WEDNESDAY = "2026-02-03", "2026-02-04"
ABSENT = "msg-01HQXK5J7G8M3N4P5R6S7T8V9W"
NO_DAY = "day-01HQXK5J7G8M3N4P5R6S7T8V9W"
LIMIT = 30


@pytest.fixture
async def diary(kept: Settings, clock: Clock) -> AsyncIterator[Diary]:
    palaver = Palaver.open(settings=kept, clock=clock, index_vectors=False, digests=False)
    async with palaver:
        yield Diary(palaver, clock)


async def get(diary: Diary, **wanted: Any) -> ContinuousExcerpt:
    return await diary.palaver.continuous.get(**wanted)


async def day_id(diary: Diary, label: str) -> str:
    found = (await diary.palaver.continuous.day(label)).day_segment_id
    assert found is not None
    return found


def ids(messages: list[Message]) -> list[str]:
    return [one.id for one in messages]


def shown(excerpt: ContinuousExcerpt) -> list[str]:
    return [one.message_id for one in excerpt.messages]


@pytest.fixture
async def said(diary: Diary) -> list[Message]:
    """Two days of 40 and 12 messages."""
    first = await diary.on("2026-02-03T08:00Z", *(f"Tuesday {number}" for number in range(40)))
    second = await diary.on("2026-02-04T08:00Z", *(f"Wednesday {number}" for number in range(12)))
    return first + second


# -- around a message ----------------------------------------------------------------------------


async def test_a_message_comes_with_those_around_it(diary: Diary, said: list[Message]) -> None:
    found = await get(diary, message_id=said[20].id)
    assert shown(found) == ids(said[5:35])
    assert (found.next_before_message_id, found.next_after_message_id) == (said[5].id, said[34].id)
    assert (found.truncated, found.summary) == (False, None)
    one = found.messages[15]
    assert (one.role, one.content, one.created_at) == ("user", "Tuesday 20", said[20].timestamp)
    assert (one.day_label, one.turn_number, one.truncated) == (TUESDAY, said[20].turn_number, False)


async def test_a_limit_holds_wherever_the_message_stands(diary: Diary, said: list[Message]) -> None:
    assert shown(await get(diary, message_id=said[20].id, limit=5)) == ids(said[18:23])
    assert shown(await get(diary, message_id=said[20].id, limit=1)) == [said[20].id]
    first = await get(diary, message_id=said[0].id, limit=6)
    assert shown(first) == ids(said[:6])
    assert first.next_before_message_id is None
    last = await get(diary, message_id=said[-1].id, limit=6)
    assert shown(last) == ids(said[-6:])
    assert last.next_after_message_id is None


async def test_a_window_reaches_over_midnight(diary: Diary, said: list[Message]) -> None:
    found = await get(diary, message_id=said[40].id, limit=4)
    assert [one.day_label for one in found.messages] == [TUESDAY, TUESDAY, WEDNESDAY, WEDNESDAY]


async def test_what_comes_before_and_after_is_strictly_so(
    diary: Diary, said: list[Message]
) -> None:
    for anchor in ({}, {"message_id": said[20].id}):
        before = await get(diary, before_message_id=said[10].id, limit=4, **anchor)
        assert shown(before) == ids(said[6:10])
        after = await get(diary, after_message_id=said[10].id, limit=4, **anchor)
        assert shown(after) == ids(said[11:15])
    first = await get(diary, before_message_id=said[0].id)
    assert (shown(first), first.next_before_message_id, first.next_after_message_id) == (
        [],
        None,
        None,
    )


@pytest.mark.parametrize("limit", [7, LIMIT])
async def test_pages_meet_without_a_gap(diary: Diary, said: list[Message], limit: int) -> None:
    page = await get(diary, message_id=said[20].id, limit=limit)
    found = shown(page)
    back, on = page.next_before_message_id, page.next_after_message_id
    while back is not None:
        page = await get(diary, before_message_id=back, limit=limit)
        found, back = shown(page) + found, page.next_before_message_id
    while on is not None:
        page = await get(diary, after_message_id=on, limit=limit)
        found, on = found + shown(page), page.next_after_message_id
    assert found == ids(said)


async def test_a_late_reply_stands_behind_its_question(diary: Diary) -> None:
    asked = (await diary.on("2026-02-03T23:50Z", "A late question?"))[0]
    morning = (await diary.on("2026-02-04T08:00Z", "Good morning"))[0]
    late = turn(asked.conversation_id, "assistant", "A late answer.", turnNumber=1)
    ledger = diary.palaver._ledger  # pyright: ignore[reportPrivateUsage]
    name = (await ledger.append([late]))[0].line.id
    assert shown(await get(diary, message_id=asked.id)) == [asked.id, name, morning.id]
    tuesday = await get(diary, day_segment_id=await day_id(diary, TUESDAY))
    assert shown(tuesday) == [asked.id, name]
    assert tuesday.next_after_message_id is None


# -- of a day ------------------------------------------------------------------------------------


async def test_a_day_gives_its_summary_and_its_first_messages(
    diary: Diary, said: list[Message]
) -> None:
    text = "## Summary\nA long day."
    await diary.tell(TUESDAY, text, said[39], [source(said[0], 1)])
    name = await day_id(diary, TUESDAY)
    found = await get(diary, day_segment_id=name)
    assert found.summary is not None
    assert (found.summary.summary_markdown, found.summary.day_label) == (text, TUESDAY)
    assert found.summary.day_segment_id == name
    assert found.summary.updated_at is not None
    assert shown(found) == ids(said[:30])
    assert (found.next_before_message_id, found.next_after_message_id) == (None, said[29].id)
    rest = await get(diary, day_segment_id=name, after_message_id=said[29].id)
    assert (shown(rest), rest.next_after_message_id) == (ids(said[30:40]), None)
    assert rest.summary is None
    none_yet = await get(diary, day_segment_id=await day_id(diary, WEDNESDAY))
    assert none_yet.summary is not None
    assert (none_yet.summary.summary_markdown, none_yet.summary.updated_at) == ("", None)


async def test_a_part_of_a_day_is_both_ends_and_what_is_between(
    diary: Diary, said: list[Message]
) -> None:
    name = await day_id(diary, TUESDAY)
    span = {"from_message_id": said[3].id, "to_message_id": said[9].id}
    found = await get(diary, day_segment_id=name, **span)
    assert (shown(found), found.summary) == (ids(said[3:10]), None)
    assert (found.next_before_message_id, found.next_after_message_id) == (None, None)
    some = await get(diary, day_segment_id=name, limit=2, **span)
    assert (shown(some), some.next_after_message_id) == (ids(said[3:5]), said[4].id)
    rest = await get(diary, day_segment_id=name, after_message_id=said[4].id, **span)
    assert shown(rest) == ids(said[5:10])
    before = await get(diary, day_segment_id=name, before_message_id=said[4].id, **span)
    assert shown(before) == ids(said[3:4])


# -- what fits -----------------------------------------------------------------------------------


def _tokens(excerpt: ContinuousExcerpt) -> int:
    return EstimatedTokens().count(excerpt.model_dump_json(by_alias=True))


async def test_no_more_is_given_than_fits(diary: Diary) -> None:
    texts = [f"{number} " + "words and more words " * 120 for number in range(40)]
    said = await diary.on("2026-02-03T08:00Z", *texts)
    found = await get(diary, message_id=said[20].id)
    assert found.truncated
    assert said[20].id in shown(found)
    assert 4_000 < _tokens(found) <= 6_400
    assert {one.truncated for one in found.messages} == {False}
    places = [ids(said).index(one) for one in shown(found)]
    assert places == list(range(places[0], places[-1] + 1))
    page = await get(diary, after_message_id=found.next_after_message_id)
    assert shown(page)[0] == said[places[-1] + 1].id
    assert _tokens(page) <= 6_400


async def test_one_message_that_is_too_long_is_cut_and_says_so(diary: Diary) -> None:
    long = "A " + "very long message indeed. " * 8_000 + "The end."
    said = await diary.on("2026-02-03T08:00Z", "Before.", long, "After.")
    found = await get(diary, message_id=said[1].id)
    (one,) = [one for one in found.messages if one.message_id == said[1].id]
    assert (found.truncated, one.truncated) == (True, True)
    assert one.content.startswith("A very long")
    assert one.content.endswith("The end.")
    assert "characters left out" in one.content
    assert 4_000 < _tokens(found) <= 6_400
    rest = await get(diary, after_message_id=said[1].id)
    assert (shown(rest), rest.truncated) == ([said[2].id], False)


async def test_what_a_tool_gave_and_a_long_summary_are_shown_in_short(diary: Diary) -> None:
    asked = (await diary.on("2026-02-03T08:00Z", "Look it up."))[0]
    log = "first line\n" + "some output of a tool\n" * 2_000 + "last line"
    await diary.palaver.append(asked.conversation_id, "tool", log)
    (replied,) = await diary.palaver.append_many(
        asked.conversation_id, [NewMessage(role="assistant", content="Done.")]
    )
    await diary.tell(TUESDAY, "## Summary\n" + "Words of a day. " * 1_000, replied)
    found = await get(diary, day_segment_id=await day_id(diary, TUESDAY))
    assert [one.role for one in found.messages] == ["user", "tool", "assistant"]
    tool = found.messages[1]
    assert (tool.truncated, found.truncated) == (True, True)
    assert tool.content.startswith("first line")
    assert tool.content.endswith("last line")
    assert len(tool.content) < 2_000
    assert found.summary is not None
    assert len(found.summary.summary_markdown) < 12_000
    assert _tokens(found) <= 6_400


async def test_what_nobody_says_any_more_is_left_out(diary: Diary) -> None:
    said = await diary.on("2026-02-03T08:00Z", "One", "Two", "Three", "Four")
    conversation_id = said[0].conversation_id
    await diary.palaver.append(conversation_id, "system", "Obey.")
    await diary.palaver.redact(conversation_id, said[1].id)
    found = await get(diary, message_id=said[0].id)
    assert [one.content for one in found.messages] == ["One", "Three", "Four"]
    erased = await get(diary, message_id=said[1].id)
    assert "Two" not in erased.model_dump_json()


# -- what is not theirs, and what is nowhere -----------------------------------------------------


async def test_what_is_elsewhere_and_what_is_nowhere_are_the_same(
    kept: Settings, clock: Clock, diary: Diary
) -> None:
    here = (await diary.on("2026-02-03T08:00Z", "Here."))[0]
    other = await diary.palaver.start()
    beside = await diary.palaver.append(other.id, "user", "Beside.")
    theirs = Palaver.open(
        settings=kept, user="usr-01HQXK5J7G8M3N4P5R6S7T8V9W", clock=clock, index_vectors=False
    )
    async with theirs:
        stranger = Diary(theirs, clock)
        for known in (False, True):
            for name in (here.id, ABSENT):
                for given in ("message_id", "before_message_id", "after_message_id"):
                    with pytest.raises(NotFound, match=f"There is no message {name}"):
                        await get(stranger, **{given: name})
            for name in (await day_id(diary, TUESDAY), NO_DAY):
                with pytest.raises(NotFound, match=f"There is no day {name}"):
                    await get(stranger, day_segment_id=name)
            if not known:
                await stranger.on("2026-02-03T09:00Z", "There.")
    with pytest.raises(NotFound, match=f"There is no message {beside.id}"):
        await get(diary, message_id=beside.id)


async def test_a_message_of_another_day_is_not_in_a_day(diary: Diary, said: list[Message]) -> None:
    name = await day_id(diary, WEDNESDAY)
    for first, last in ((said[3], said[45]), (said[45], said[3])):
        with pytest.raises(NotFound, match=said[3].id):
            await get(diary, day_segment_id=name, from_message_id=first.id, to_message_id=last.id)


async def test_what_cannot_be_meant_is_refused(diary: Diary, said: list[Message]) -> None:
    one, other = said[1].id, said[4].id
    name = await day_id(diary, TUESDAY)
    refused: list[dict[str, Any]] = [
        {},
        {"limit": 5},
        {"message_id": one, "day_segment_id": name},
        {"message_id": one, "limit": 0},
        {"message_id": one, "limit": 31},
        {"message_id": one, "before_message_id": one, "after_message_id": one},
        {"from_message_id": one, "to_message_id": other},
        {"day_segment_id": name, "from_message_id": one},
        {"day_segment_id": name, "to_message_id": one},
        {"day_segment_id": name, "from_message_id": other, "to_message_id": one},
        {"message_id": 7},
    ]
    for given in refused:
        with pytest.raises(BadValue):
            await get(diary, **given)
    for given in ({"message_id": "nothing"}, {"day_segment_id": one}, {"message_id": name}):
        with pytest.raises(BadId):
            await get(diary, **given)
