"""The days of the continuous conversation as they are shown, on every engine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pytest

from palaver.app import Palaver
from palaver.digest.state import State
from palaver.digest.states import States, in_a_thread
from palaver.errors import BadCursor, BadText, BadValue, NotFound, TooLarge
from palaver.index.records import Message
from palaver.settings import Settings
from tests.conversation.diary import Diary, source
from tests.library import Clock

MONDAY, TUESDAY, THURSDAY = "2026-02-02", "2026-02-03", "2026-02-05"


@pytest.fixture
async def diary(kept: Settings, clock: Clock) -> AsyncIterator[Diary]:
    palaver = Palaver.open(settings=kept, clock=clock, index_vectors=False, digests=False)
    async with palaver:
        yield Diary(palaver, clock)


@pytest.fixture
async def lived(diary: Diary) -> Diary:
    """Two days, and a third with nothing on it yet; a promise is kept on the second."""
    asked, replied = await diary.on(
        "2026-02-02T10:00Z", "Which paint do we take?", "I will look it up tomorrow."
    )
    text = "## Summary\nPaint.\n\n## Open loops\n- Which paint do we take?"
    opened = source(asked, 4, "open", "Which paint do we take?")
    await diary.tell(MONDAY, text, replied, [source(asked, 1), opened])
    told = await diary.on("2026-02-03T10:00Z", "We take the green paint.", "Good, green it is.")
    text = "## Decisions\n- Which paint do we take? (answered, since Monday)"
    closed = source(asked, 1, "closed", "Which paint do we take?")
    await diary.tell(TUESDAY, text, told[1], [closed, source(told[0], 1, "closing")])
    diary.clock.advance(days=2)
    return diary


async def test_a_day_does_not_wait_until_a_long_conversation_is_looked_through(
    lived: Diary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after the index was made again: nothing is known of how the conversation stands."""
    for number in range(4):
        said = [f"Which tile {number} {one} is it?" for one in range(100)]
        await lived.on(f"2026-02-{5 + number:02}T10:00Z", *said)
    folded: list[int] = []

    async def counted(messages: Sequence[Message], before: State) -> State:
        folded.append(len(messages))
        return await in_a_thread(messages, before)

    def not_begun(self: States, conversation_id: str) -> None:
        """Nobody does it meanwhile."""

    palaver = lived.palaver
    monkeypatch.setattr(palaver._context.states, "_fold_all", counted)  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(States, "_begin", not_begun)
    for label, most in ((MONDAY, 8), (TUESDAY, 8), ("2026-02-06", 8), ("2026-02-08", 50)):
        folded.clear()
        day = await palaver.continuous.day(label)
        assert sum(folded) <= most, label
        if day.summary_markdown:
            assert [one.text for one in day.loops] == ["Which paint do we take?"]


async def test_a_day_knows_those_next_to_it(lived: Diary) -> None:
    continuous = lived.palaver.continuous
    days = [await continuous.day(label) for label in (MONDAY, TUESDAY, THURSDAY)]
    assert [one.previous_day for one in days] == [None, MONDAY, TUESDAY]
    assert [one.next_day for one in days] == [TUESDAY, THURSDAY, None]
    assert {one.today for one in days} == {THURSDAY}
    assert days[2] == await continuous.today()
    assert (days[2].messages, days[2].day_segment_id) == ([], None)
    assert days[2].conversation_id == days[0].conversation_id


async def test_a_day_shows_what_tells_of_it_line_by_line(lived: Diary) -> None:
    day = await lived.palaver.continuous.day(MONDAY)
    assert [(one.section, one.text, len(one.sources)) for one in day.summary_lines] == [
        ("Summary", "Paint.", 1),
        ("Open loops", "Which paint do we take?", 1),
    ]
    assert day.summary_covers_until == day.messages[-1].id
    assert (day.summary_by, day.summary_edited, day.closed) == ("offline", False, False)
    assert not day.summary_due


async def test_what_is_closed_later_is_seen_on_both_days(lived: Diary) -> None:
    continuous = lived.palaver.continuous
    monday, tuesday = await continuous.day(MONDAY), await continuous.day(TUESDAY)
    (opened,) = monday.loops
    (closed,) = [one for one in tuesday.loops if one.closed]
    assert (opened.since, opened.text) == (MONDAY, "Which paint do we take?")
    for one in (opened, closed):
        assert one.message_id == monday.messages[0].id
        assert one.since == MONDAY
        assert one.closed is not None
        assert (one.closed.day, one.closed.how) == (TUESDAY, "answered")
        assert one.closed.message_id == tuesday.messages[0].id


async def test_what_is_open_is_carried_over_to_today(diary: Diary) -> None:
    await diary.on("2026-02-02T10:00Z", "Remind me to call the plumber.", "I will.")
    await diary.on("2026-02-03T10:00Z", "Good morning!", "Good morning!")
    loops = (await diary.palaver.continuous.today()).loops
    (carried,) = [one for one in loops if "plumber" in one.text]
    assert (carried.since, carried.closed) == (MONDAY, None)
    assert carried.kind != "loop"


async def test_whoever_travels_west_stays_in_the_day_that_has_begun(diary: Diary) -> None:
    await diary.lives_in("Asia/Tokyo")
    await diary.on("2026-02-02T23:00Z", "Good morning from Tokyo.")  # the 3rd there
    await diary.lives_in("America/Los_Angeles")
    today = await diary.palaver.continuous.today()  # the 2nd there
    assert (today.day, len(today.messages)) == (TUESDAY, 1)
    assert today.timezone == "America/Los_Angeles"
    diary.clock.advance(days=3)
    assert (await diary.palaver.continuous.day(TUESDAY)).timezone == "Asia/Tokyo"


async def test_days_are_listed_page_by_page(diary: Diary) -> None:
    for day in range(1, 8):
        await diary.on(f"2026-02-0{day}T10:00Z", f"Day {day}.", "Yes.")
    found: list[str] = []
    cursor = None
    while True:
        page = await diary.palaver.continuous.days(limit=3, cursor=cursor)
        found += [one.day_label for one in page.days]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert found == [f"2026-02-0{day}" for day in range(7, 0, -1)]
    assert {one.message_count for one in page.days} == {2}
    for forged in ("x", "WyJub3RoaW5nIl0"):
        with pytest.raises(BadCursor):
            await diary.palaver.continuous.days(cursor=forged)
    for limit in (0, 201):
        with pytest.raises(BadValue):
            await diary.palaver.continuous.days(limit=limit)


async def test_the_last_two_hundred_messages_of_a_day_are_shown(diary: Diary) -> None:
    said = await diary.on("2026-02-02T08:00Z", *(f"Message {number}" for number in range(250)))
    day = await diary.palaver.continuous.day(MONDAY)
    assert [one.id for one in day.messages] == [one.id for one in said[-200:]]
    assert (day.has_more, day.message_count) == (True, 250)


# -- words of the owner ---------------------------------------------------------------------------


async def test_what_the_owner_writes_tells_as_far_as_what_was_there(lived: Diary) -> None:
    continuous = lived.palaver.continuous
    before = await continuous.day(MONDAY)
    edited = await continuous.edit(MONDAY, "## Summary\nPaint.\n\nIt rained.")
    assert edited.summary_covers_until == before.summary_covers_until
    assert (edited.summary_by, edited.summary_edited) == ("user", True)
    assert [(one.text, len(one.sources)) for one in edited.summary_lines] == [
        ("Paint.", 1),
        ("It rained.", 0),
    ]
    lines = await lived.palaver.lines(before.conversation_id or "")
    data = lines[-1].data
    assert (data["by"], data["edited"], data["reason"]) == ("user", True, "hand")
    assert data["sources"][0]["point"] == 1


async def test_a_summary_that_comes_meanwhile_is_not_undone(
    lived: Diary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Coverage never falls: what is written by hand tells as far as the newest summary."""
    continuous = lived.palaver.continuous
    said = (await continuous.day(TUESDAY)).messages
    more = said[-1]
    index = lived.palaver._index  # pyright: ignore[reportPrivateUsage]
    read, calls = index.day, 0

    async def meanwhile(user: str, conversation_id: str, label: str) -> object:
        nonlocal calls
        calls += 1
        found = await read(user, conversation_id, label)
        if calls == 1:
            await lived.tell(TUESDAY, "Newer.", more)
        return found

    await lived.tell(TUESDAY, "Older.", said[0])
    monkeypatch.setattr(index, "day", meanwhile)
    edited = await continuous.edit(TUESDAY, "Mine.")
    assert edited.summary_covers_until == more.id


async def test_what_is_no_summary_is_refused(lived: Diary) -> None:
    continuous = lived.palaver.continuous
    for text, error in (("", BadValue), (" \n", BadValue), ("\0", BadText), ("é" * 9000, TooLarge)):
        with pytest.raises(error):
            await continuous.edit(MONDAY, text)
    for label, error in (("2026-02-04", NotFound), ("2026-2-4", BadValue), ("soon", BadValue)):
        for doing in (
            continuous.day(label),
            continuous.edit(label, "Mine."),
            continuous.regenerate(label),
        ):
            with pytest.raises(error):
                await doing


async def test_an_edit_goes_when_what_it_quotes_is_erased(lived: Diary) -> None:
    continuous = lived.palaver.continuous
    day = await continuous.edit(MONDAY, "## Summary\nPaint.\n\nMine.")
    await lived.palaver.redact(day.conversation_id or "", day.messages[0].id)
    assert "Paint" not in (await continuous.day(MONDAY)).summary_markdown
