"""Days: which of them a message belongs to, wherever the user is and whatever the clock says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest

from palaver.app import Palaver
from palaver.conversation.calendar import Calendar
from palaver.conversation.records import Change, Choices, NewMessage
from palaver.errors import Conflict, NotFound
from palaver.index.port import Day
from palaver.index.records import Message
from palaver.settings import Settings
from tests.conversation.diary import Diary, source
from tests.conversation.scripted import Gate, answer_by
from tests.conversation.test_without_index import block, unblock
from tests.library import Clock
from tests.proofs.starting import PROCESSES

BERLIN, NEW_YORK, TOKYO, HONOLULU, KIRITIMATI = (
    "Europe/Berlin",
    "America/New_York",
    "Asia/Tokyo",
    "Pacific/Honolulu",
    "Pacific/Kiritimati",
)


@pytest.fixture
async def palaver(kept: Settings, clock: Clock) -> AsyncIterator[Palaver]:
    async with opened(kept, clock) as library:
        yield library


def opened(kept: Settings, clock: Clock) -> Palaver:
    return Palaver.open(settings=kept, clock=clock, index_vectors=False, digests=False)


def at(clock: Clock, text: str) -> None:
    """The next reading of the clock is a second later than this time in UTC."""
    clock.now = datetime.fromisoformat(text).replace(tzinfo=UTC)


async def go_to(palaver: Palaver, zone: str) -> None:
    await palaver.set_me(Choices(timezone=zone))


async def say(palaver: Palaver, text: str, key: str | None = None) -> Message:
    conversation = (await palaver.continuous.ensure()).id
    return await palaver.append(conversation, "user", text, key=key)


async def days(palaver: Palaver) -> list[Day]:
    """The oldest first."""
    conversation = (await palaver.continuous.ensure()).id
    index = palaver._index  # pyright: ignore[reportPrivateUsage]
    return (await index.days(palaver.user, conversation, limit=400))[::-1]


async def labels(palaver: Palaver) -> list[str]:
    return [day.label for day in await days(palaver)]


async def told(palaver: Palaver) -> dict[str, list[str]]:
    """What was said on each day; every message is in exactly one of them."""
    conversation = (await palaver.continuous.ensure()).id
    every = [one.id for one in (await palaver.messages(conversation, limit=200)).messages]
    found: dict[str, list[Message]] = {}
    for day in await days(palaver):
        last = 1 << 40 if day.last_turn is None else day.last_turn
        index = palaver._index  # pyright: ignore[reportPrivateUsage]
        said = await index.turns(palaver.user, conversation, day.first_turn, last)
        found[day.label] = [one for one in said if one.status != "superseded"]
        for one in said:
            whose = await index.day_of_turn(palaver.user, conversation, one.turn_number)
            assert whose is not None
            assert whose.label == day.label
    assert sorted(one.id for said in found.values() for one in said) == sorted(every)
    return {label: [one.content for one in said] for label, said in found.items()}


# -- where the user is ---------------------------------------------------------------------------


async def test_a_day_begins_with_the_first_message_of_a_date_in_the_users_zone(
    palaver: Palaver, clock: Clock
) -> None:
    await go_to(palaver, BERLIN)
    at(clock, "2026-02-14T22:30:00")
    await say(palaver, "evening")  # 23:30 in Berlin
    at(clock, "2026-02-14T23:30:00")
    await say(palaver, "night")  # 00:30 of the next day
    assert await told(palaver) == {"2026-02-14": ["evening"], "2026-02-15": ["night"]}
    assert [day.zone for day in await days(palaver)] == [BERLIN, BERLIN]


async def test_whoever_travels_west_stays_in_the_day_that_has_begun(
    palaver: Palaver, clock: Clock
) -> None:
    await go_to(palaver, TOKYO)
    at(clock, "2026-02-14T16:00:00")
    await say(palaver, "01:00 on the 15th in Tokyo")
    await go_to(palaver, HONOLULU)
    await say(palaver, "06:00 on the 14th in Honolulu")
    at(clock, "2026-02-15T16:00:00")
    await say(palaver, "06:00 on the 15th in Honolulu")
    assert await labels(palaver) == ["2026-02-15"]
    at(clock, "2026-02-16T16:00:00")
    await say(palaver, "06:00 on the 16th in Honolulu")
    assert [(day.label, day.zone) for day in await days(palaver)] == [
        ("2026-02-15", TOKYO),
        ("2026-02-16", HONOLULU),
    ]


async def test_whoever_travels_east_finds_the_day_begun(palaver: Palaver, clock: Clock) -> None:
    await go_to(palaver, HONOLULU)
    at(clock, "2026-02-14T11:00:00")
    await say(palaver, "01:00 on the 14th in Honolulu")
    await go_to(palaver, KIRITIMATI)
    await say(palaver, "01:00 on the 15th in Kiritimati")
    assert await labels(palaver) == ["2026-02-14", "2026-02-15"]


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        # 29 March 2026: 02:00 becomes 03:00 in Berlin. 25 October: 03:00 becomes 02:00.
        ("2026-03-28T22:59:50", "2026-03-28T23:00:10", ["2026-03-28", "2026-03-29"]),
        ("2026-03-29T00:59:50", "2026-03-29T01:00:10", ["2026-03-29"]),
        ("2026-03-29T21:59:50", "2026-03-29T22:00:10", ["2026-03-29", "2026-03-30"]),
        ("2026-10-24T21:59:50", "2026-10-24T22:00:10", ["2026-10-24", "2026-10-25"]),
        ("2026-10-25T00:30:00", "2026-10-25T01:30:00", ["2026-10-25"]),
        ("2026-10-25T22:59:50", "2026-10-25T23:00:10", ["2026-10-25", "2026-10-26"]),
    ],
)
async def test_daylight_saving_moves_midnight_and_nothing_else(
    palaver: Palaver, clock: Clock, before: str, after: str, found: list[str]
) -> None:
    await go_to(palaver, BERLIN)
    at(clock, before)
    await say(palaver, "before")
    at(clock, after)
    await say(palaver, "after")
    assert await labels(palaver) == found


@pytest.mark.parametrize(
    ("said", "until"),
    [
        ("2026-03-28T12:00:00", "2026-03-29T01:00:00.000Z"),  # 03:00 that night is UTC+2 already
        ("2026-10-24T12:00:00", "2026-10-25T02:00:00.000Z"),  # and UTC+1 again
        ("2026-07-01T12:00:00", "2026-07-02T01:00:00.000Z"),
    ],
)
async def test_a_day_is_over_at_night_where_the_user_is(
    palaver: Palaver, clock: Clock, said: str, until: str
) -> None:
    await go_to(palaver, BERLIN)
    at(clock, said)
    message = await say(palaver, "noon")
    index = palaver._index  # pyright: ignore[reportPrivateUsage]
    standing = await index.standing(palaver.user, message.conversation_id)
    assert standing.day_until == until


# -- what the clock says -------------------------------------------------------------------------


async def test_midnight_itself_is_the_new_day(palaver: Palaver, clock: Clock) -> None:
    at(clock, "2026-02-14T23:59:00")
    await say(palaver, "before")
    clock.now = datetime(2026, 2, 14, 23, 59, 59, tzinfo=UTC)
    conversation = (await palaver.continuous.ensure()).id
    clock.now = datetime(2026, 2, 14, 23, 59, 59, tzinfo=UTC)
    await palaver.append(conversation, "user", "after")  # the reading is 00:00:00
    assert await labels(palaver) == ["2026-02-14", "2026-02-15"]


async def test_a_clock_that_goes_back_opens_no_day(palaver: Palaver, clock: Clock) -> None:
    at(clock, "2026-02-14T12:00:00")
    await say(palaver, "one")
    at(clock, "2026-02-10T12:00:00")
    await say(palaver, "two")
    at(clock, "2026-02-14T18:00:00")
    await say(palaver, "three")
    assert await told(palaver) == {"2026-02-14": ["one", "two", "three"]}


async def test_a_clock_that_went_forward_and_came_back_leaves_its_day(
    palaver: Palaver, clock: Clock
) -> None:
    at(clock, "2026-02-14T12:00:00")
    await say(palaver, "one")
    at(clock, "2026-02-20T12:00:00")
    await say(palaver, "too early")
    at(clock, "2026-02-15T12:00:00")
    await say(palaver, "two")
    at(clock, "2026-02-21T12:00:00")
    await say(palaver, "three")
    assert await told(palaver) == {
        "2026-02-14": ["one"],
        "2026-02-20": ["too early", "two"],
        "2026-02-21": ["three"],
    }


async def test_a_day_without_a_message_is_none_and_a_month_later_the_next_begins(
    palaver: Palaver, clock: Clock
) -> None:
    await say(palaver, "one")
    clock.advance(days=2)
    await say(palaver, "two")
    clock.advance(days=30)
    await say(palaver, "three")
    assert await labels(palaver) == ["2026-02-14", "2026-02-16", "2026-03-18"]


# -- whose day it is -----------------------------------------------------------------------------


async def test_a_reply_that_lands_on_the_next_day_belongs_to_its_question(
    palaver: Palaver, clock: Clock
) -> None:
    gate = answer_by(palaver, Gate())
    conversation = (await palaver.continuous.ensure()).id
    at(clock, "2026-02-14T23:58:00")
    asking = asyncio.create_task(palaver.send("late", conversation_id=conversation))
    await asyncio.wait_for(gate.waiting.wait(), 20)
    at(clock, "2026-02-15T00:05:00")
    await palaver.append(conversation, "user", "early")
    gate.open.set()
    await asking
    assert await told(palaver) == {"2026-02-14": ["late", "Re: late"], "2026-02-15": ["early"]}


async def test_what_is_sent_opens_days_as_well(palaver: Palaver, clock: Clock) -> None:
    answer_by(palaver, Gate()).open.set()
    conversation = (await palaver.continuous.ensure()).id
    await palaver.send("one", conversation_id=conversation)
    clock.advance(days=1)
    await palaver.send("two", conversation_id=conversation)
    assert await told(palaver) == {
        "2026-02-14": ["one", "Re: one"],
        "2026-02-15": ["two", "Re: two"],
    }


async def test_a_message_that_is_edited_after_midnight_stays_in_its_day(
    palaver: Palaver, clock: Clock
) -> None:
    answer_by(palaver, Gate()).open.set()
    conversation = (await palaver.continuous.ensure()).id
    await palaver.send("tee", conversation_id=conversation)
    clock.advance(days=1)
    (old,) = [one for one in await palaver.fetch(conversation) if one.role == "user"]
    await palaver.edit(conversation, old.id, "tea")
    assert await told(palaver) == {"2026-02-14": ["tea", "Re: tea"]}
    reply = (await palaver.messages(conversation)).messages[-1]
    await palaver.regenerate(conversation, reply.id)
    assert await told(palaver) == {"2026-02-14": ["tea", "Re: tea"]}


async def test_a_message_that_is_repeated_after_midnight_opens_nothing(
    palaver: Palaver, clock: Clock
) -> None:
    first = await say(palaver, "tea", key="k")
    clock.advance(days=1)
    assert await say(palaver, "tea", key="k") == first
    assert await told(palaver) == {"2026-02-14": ["tea"]}
    answer_by(palaver, Gate()).open.set()
    conversation = first.conversation_id
    sent = await palaver.send("milk", conversation_id=conversation, key="m")
    clock.advance(days=1)
    assert await palaver.send("milk", conversation_id=conversation, key="m") == sent
    assert await labels(palaver) == ["2026-02-14", "2026-02-15"]


async def test_what_an_assistant_says_by_itself_opens_no_later_day(
    palaver: Palaver, clock: Clock
) -> None:
    conversation = (await palaver.continuous.ensure()).id
    for role in ("system", "assistant", "tool", "user"):
        await palaver.append(conversation, role, f"{role} 1")
    clock.advance(days=1)
    for role in ("system", "assistant", "user"):
        await palaver.append(conversation, role, f"{role} 2")
    assert await told(palaver) == {
        "2026-02-14": ["system 1", "assistant 1", "tool 1", "user 1", "system 2", "assistant 2"],
        "2026-02-15": ["user 2"],
    }


async def test_a_message_that_would_join_the_turn_before_begins_a_day_all_the_same(
    palaver: Palaver, clock: Clock
) -> None:
    conversation = (await palaver.continuous.ensure()).id
    await palaver.append(conversation, "user", "one")
    await palaver.append(conversation, "user", "and", debounced=True)
    clock.advance(days=1)
    new = [NewMessage(role="user", content=text, debounced=True) for text in ("two", "and two")]
    await palaver.append_many(conversation, new)
    assert await told(palaver) == {"2026-02-14": ["one", "and"], "2026-02-15": ["two", "and two"]}


async def test_commands_open_no_day(palaver: Palaver, clock: Clock) -> None:
    await say(palaver, "one")
    conversation = (await palaver.continuous.ensure()).id
    clock.advance(days=1)
    title = await palaver.send("/title Days", conversation_id=conversation)
    assert title.reply.content == "This conversation goes on from day to day, and has no title."
    new = await palaver.send("/new", conversation_id=conversation)
    assert new.reply.content == "This conversation goes on. [Start another one](/?new)."
    assert new.new_conversation_id is None
    assert await labels(palaver) == ["2026-02-14"]
    begun = await palaver.send("/new What about tea?", conversation_id=conversation)
    assert begun.new_conversation_id is not None
    assert (await palaver.conversation(begun.new_conversation_id)).mode == "standard"
    await palaver.finish_replies()


# -- what is refused -----------------------------------------------------------------------------


async def test_what_was_said_at_another_time_is_refused(palaver: Palaver, clock: Clock) -> None:
    conversation = (await palaver.continuous.ensure()).id
    for when in ("2026-02-13T09:00:00Z", clock.now):
        with pytest.raises(Conflict):
            await palaver.append(conversation, "user", "yesterday", timestamp=when)
    said = [
        NewMessage(role="user", content="now"),
        NewMessage(role="user", content="then", timestamp="2020-01-01T00:00:00Z"),
    ]
    with pytest.raises(Conflict):
        await palaver.append_many(conversation, said)
    assert await labels(palaver) == []


async def test_it_has_no_title_and_is_not_archived(palaver: Palaver) -> None:
    conversation = (await palaver.continuous.ensure()).id
    for change in (Change(title="Days"), Change(archived=True), Change(archived=False)):
        with pytest.raises(Conflict):
            await palaver.update(conversation, change)
    changed = await palaver.update(conversation, Change(metadata={"a": 1}))
    assert (changed.metadata, changed.title) == ({"a": 1}, None)
    assert changed.name == "Continuous conversation"
    await palaver.append(conversation, "user", "The heron is back.")
    await palaver.catch_up()
    (found,) = await palaver.search("heron")
    assert found.title == found.conversation_name == changed.name


# -- there is one --------------------------------------------------------------------------------


async def test_many_who_begin_it_at_once_begin_one(palaver: Palaver) -> None:
    assert await palaver.continuous.find() is None
    found = await asyncio.gather(*(palaver.continuous.ensure() for _ in range(50)))
    assert len({one.id for one in found}) == 1
    assert await palaver.continuous.find() == found[0]


async def test_two_who_open_the_very_first_days_at_once_keep_what_each_has_heard(
    palaver: Palaver, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither knows of a day: it is the fourteenth for one of them, the fifteenth for the other."""

    async def none(self: Calendar, conversation_id: str) -> str | None:
        """What both have read before either has written."""

    await palaver.append((await palaver.continuous.ensure()).id, "assistant", "welcome")
    at(clock, "2026-02-14T23:30:00")
    with monkeypatch.context() as both:
        both.setattr(Calendar, "_last", none)
        await say(palaver, "late")
        at(clock, "2026-02-15T00:30:00")
        await say(palaver, "early")
    await say(palaver, "and so on")
    assert await told(palaver) == {
        "2026-02-14": ["welcome", "late"],
        "2026-02-15": ["early", "and so on"],
    }
    await palaver.rebuild()
    assert list((await told(palaver)).values()) == [["welcome", "late"], ["early", "and so on"]]


async def test_it_goes_on_after_a_start(kept: Settings, clock: Clock) -> None:
    async with opened(kept, clock) as palaver:
        first = await say(palaver, "one")
    clock.advance(days=1)
    async with opened(kept, clock) as palaver:
        assert (await say(palaver, "two")).conversation_id == first.conversation_id
        assert await labels(palaver) == ["2026-02-14", "2026-02-15"]


async def test_one_that_was_deleted_is_followed_by_another(palaver: Palaver, clock: Clock) -> None:
    first = await say(palaver, "one")
    await palaver.delete(first.conversation_id)
    assert await palaver.continuous.find() is None
    second = await say(palaver, "two")
    assert second.conversation_id != first.conversation_id
    assert await told(palaver) == {"2026-02-14": ["two"]}
    await palaver.delete(second.conversation_id)
    clock.advance(days=1)
    third = await say(palaver, "three")
    assert len({first.conversation_id, second.conversation_id, third.conversation_id}) == 3
    with pytest.raises(NotFound):
        await palaver.append(first.conversation_id, "user", "again")


async def test_nodes_that_open_a_day_at_once_open_one(tmp_path: Path, database_url: str) -> None:
    """In one database, in two zones, again and again."""
    async with AsyncExitStack() as stack:
        clocks, nodes = [Clock(), Clock()], list[Palaver]()
        for name, clock, zone in zip("ab", clocks, (BERLIN, NEW_YORK), strict=True):
            settings = Settings.load(
                tmp_path / name, user__timezone=zone, database__url=database_url
            )
            nodes.append(await stack.enter_async_context(opened(settings, clock)))
        begun = await asyncio.gather(*(node.continuous.ensure() for node in nodes * 5))
        assert len({one.id for one in begun}) == 1
        for number in range(8):
            for clock in clocks:
                clock.now = datetime(2026, 2, 14 + number, 15, tzinfo=UTC)
            said = (say(node, f"{number}") for node in nodes * 3)
            await asyncio.gather(*said)
        expected = [f"2026-02-{14 + number}" for number in range(8)]
        assert await labels(nodes[0]) == expected
        assert [len(texts) for texts in (await told(nodes[1])).values()] == [6] * 8


def test_processes_that_open_a_day_at_once_open_one(tmp_path: Path) -> None:
    """In one home, in two zones."""
    workers = [
        PROCESSES.Process(target=_live, args=(tmp_path, zone, 6)) for zone in (BERLIN, NEW_YORK) * 2
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0, 0, 0]

    async def judge() -> None:
        async with opened(Settings.load(tmp_path), Clock()) as palaver:
            await palaver.settle()
            found = await told(palaver)
            assert list(found) == sorted(found)
            assert sum(map(len, found.values())) == 4 * 6

    asyncio.run(judge())
    assert len(list(tmp_path.glob("conversations/conv-*.jsonl"))) == 1


def _live(home: Path, zone: str, count: int) -> None:
    async def live() -> None:
        clock = Clock()
        async with opened(Settings.load(home, user__timezone=zone), clock) as palaver:
            for number in range(count):
                at(clock, f"2026-02-{14 + number}T15:00:00")
                await say(palaver, f"{number}")

    asyncio.run(live())


# -- without an index ----------------------------------------------------------------------------


async def test_days_open_while_the_index_is_made_again(kept: Settings, clock: Clock) -> None:
    async with opened(kept, clock) as palaver:
        conversation = (await say(palaver, "one")).conversation_id
        clock.advance(days=1)
        rebuilding = asyncio.create_task(palaver.rebuild())
        for number in range(5):
            await palaver.append(conversation, "user", f"two {number}")
        await rebuilding
        await palaver.settle()
        assert [len(texts) for texts in (await told(palaver)).values()] == [1, 5]


async def test_days_open_without_an_index(tmp_path: Path, clock: Clock) -> None:
    settings = Settings.load(tmp_path, user__timezone="UTC")
    async with opened(settings, clock) as palaver:
        conversation = (await say(palaver, "one")).conversation_id
    block(tmp_path)
    async with opened(settings, clock) as palaver:
        assert palaver.health().status == "degraded"
        await palaver.append(conversation, "user", "still one")
        clock.advance(days=1)
        await palaver.append(conversation, "user", "two", key="k")
        await palaver.append(conversation, "user", "two", key="k")
        clock.advance(days=-3)
        await palaver.append(conversation, "user", "still two")
        with pytest.raises(Conflict):
            await palaver.append(conversation, "user", "x", timestamp="2020-01-01T00:00:00Z")
    unblock(tmp_path)
    async with opened(settings, clock) as palaver:
        await palaver.settle()
        assert await told(palaver) == {
            "2026-02-14": ["one", "still one"],
            "2026-02-15": ["two", "still two"],
        }


# -- the owner's own words -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "edited"),
    [
        ("The gate code is Zwieback.", "The code of the gate is Zwieback!"),
        ("The gate code is Zwieback.", "On that day, the gate code is Zwieback, as Ana told me."),
        ("大門の暗証番号はZwiebackです。", "大門の暗証番号はZwieback。"),
    ],
)
async def test_a_line_that_its_owner_words_otherwise_goes_with_the_message_that_it_tells(
    palaver: Palaver, clock: Clock, told: str, edited: str
) -> None:
    diary = Diary(palaver, clock)
    secret, _, last = await diary.on("2026-02-14T09:00:00+00:00", told, "Good.", "It rained a lot.")
    text = f"## Summary\n{told}\nIt rained a lot."
    await diary.tell("2026-02-14", text, last, [source(secret, 1), source(last, 2)])
    page = await palaver.continuous.edit("2026-02-14", f"{edited}\nA good day, all in all.")
    assert [[one.message_id for one in line.sources] for line in page.summary_lines] == [
        [secret.id],
        [],
    ]
    await palaver.redact(secret.conversation_id, secret.id)
    left = await palaver.continuous.day("2026-02-14")
    assert left.summary_markdown == "A good day, all in all."
    assert (left.summary_edited, left.summary_covers_until) == (True, last.id)
    lines = await palaver.lines(secret.conversation_id)
    assert not [line for line in lines if b"Zwieback" in line.raw]


async def test_what_the_owner_wrote_stays_when_a_message_is_erased_and_what_quotes_it_goes(
    palaver: Palaver, clock: Clock
) -> None:
    diary = Diary(palaver, clock)
    secret, _, last = await diary.on(
        "2026-02-14T09:00Z", "The gate code is 4711. Ines has the blue key.", "Good.", "It rained."
    )
    text = "## Summary\nThe gate code is 4711.\nIt rained.\n\n## Next steps\n- Ask Ines."
    sources = [source(secret, 1), source(last, 2), source(secret, 5, "next")]
    await diary.tell("2026-02-14", text, last, sources)
    mine = (
        "## Summary\nThe gate code is 4711.\nIt rained.\nI liked the rain.\n\n## Next steps\n"
        "- Ask Ines.\n\n## Mine\n- Code: 4711\n- She has the blue key for us.\n- Buy bread."
    )
    await palaver.continuous.edit("2026-02-14", mine)
    version = (await palaver.view(secret.conversation_id)).version
    await palaver.redact(secret.conversation_id, secret.id, version=version)
    page = await palaver.continuous.day("2026-02-14")
    assert page.summary_markdown == (
        "## Summary\nIt rained.\nI liked the rain.\n\n## Mine\n- Buy bread."
    )
    assert [[one.message_id for one in line.sources] for line in page.summary_lines] == [
        [last.id],
        [],
        [],
    ]
    lines = await palaver.lines(secret.conversation_id)
    gone = (b"code is 4711", b"Code: 4711", b"blue key")
    assert not [line for line in lines if any(words in line.raw for words in gone)]
    await palaver.rebuild()
    assert (await palaver.continuous.day("2026-02-14")).summary_lines == page.summary_lines


async def test_a_page_of_which_nothing_is_left_goes_with_the_message(
    palaver: Palaver, clock: Clock
) -> None:
    diary = Diary(palaver, clock)
    secret, _ = await diary.on("2026-02-14T09:00Z", "The gate code is 4711.", "Good.")
    await diary.tell("2026-02-14", "## Summary\nA code.", secret, [source(secret, 1)])
    await palaver.continuous.edit("2026-02-14", "## Summary\nA code!")
    await palaver.redact(secret.conversation_id, secret.id)
    assert (await palaver.continuous.day("2026-02-14")).summary_markdown == ""
