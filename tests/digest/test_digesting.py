"""Digesting: what a conversation is owed, who makes it, and what becomes of it when that fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest

from palaver.app import Palaver
from palaver.context.tokens import EstimatedTokens
from palaver.conversation.records import Change, NewMessage
from palaver.digest import stories
from palaver.digest.digesting import Digesting, Makers
from palaver.digest.port import Point, Story
from palaver.errors import DigestUnusable, ModelResting, ModelTimeout
from palaver.index.records import SummarySource
from palaver.jobs.work import Desk
from palaver.ledger.lines import Draft, Line, event, meta, turn
from palaver.ledger.port import Appended
from palaver.telemetry import Logged
from tests.digest.dialogue import talk, turns
from tests.digest.makers import Plain, quoting
from tests.library import Clock

DECIDED = "We decided to take the blue tiles, order 4711-B."
REMIND = "Remind me to renew the passport."
IDLE = timedelta(minutes=10)

Digest = Callable[..., Digesting]


def desk_of(palaver: Palaver) -> Desk:
    engine = palaver._engine  # pyright: ignore[reportPrivateUsage]

    return Desk(palaver.user, engine.ledger, engine.index, engine.leases)


def digesting_at(desk: Desk, clock: Clock) -> Digesting:
    return Digesting(
        desk,
        Makers(Plain()),
        count=EstimatedTokens().count,
        clock=clock,
        idle_after=IDLE,
        telemetry=Logged(),
    )


@pytest.fixture
def digest(palaver: Palaver, clock: Clock) -> Digest:
    """Whoever digests, with some makers."""

    def made(offline: Plain | None = None, model: Plain | None = None) -> Digesting:
        makers = Makers(offline or Plain(), model, model.by if model else "offline")
        return Digesting(
            desk_of(palaver),
            makers,
            count=EstimatedTokens().count,
            clock=clock,
            idle_after=IDLE,
            telemetry=Logged(),
        )

    return made


async def events(palaver: Palaver, conversation_id: str, name: str = "abbreviation") -> list[Line]:
    return [line for line in await palaver.lines(conversation_id) if line.event == name]


async def abbreviation(palaver: Palaver, conversation_id: str) -> dict[str, Any]:
    """The last one."""
    return (await events(palaver, conversation_id))[-1].data


async def titles(palaver: Palaver, conversation_id: str) -> list[str]:
    return [line.data["title"] for line in await events(palaver, conversation_id, "title_assigned")]


def haiku(**given: Any) -> Plain:
    return Plain(by="haiku", **given)


# -- what is due ---------------------------------------------------------------------------------


async def test_a_quiet_conversation_is_told_and_named_once(
    palaver: Palaver, clock: Clock, digest: Digest
) -> None:
    conversation = await talk(palaver, "Which tiles?", "The blue ones.", DECIDED, "Noted.")
    digesting = digest()
    await digesting.run(conversation)
    assert await events(palaver, conversation) == []
    clock.advance(minutes=10)
    for _ in range(3):
        await digesting.run(conversation)
    (line,) = await events(palaver, conversation)
    assert line.data["text"] == f"- Which tiles?\n- {DECIDED}"
    said = {one.id: one for one in await palaver.fetch(conversation, first=0, last=9)}
    assert line.data["through"] == 2
    assert line.data["covers"] == max(one.seq for one in said.values())
    assert line.data["by"] == "offline"
    assert "standsInFor" not in line.data
    for source, text in zip(line.data["sources"], ["Which tiles?", DECIDED], strict=True):
        message = said[source["messageId"]]
        assert source["quote"] == message.content == text
        assert source["turn"] == message.turn_number
    assert [source["point"] for source in line.data["sources"]] == [0, 1]
    (named,) = await events(palaver, conversation, "title_assigned")
    assert named.data["title"] == "Tiles for 2 Turns"
    assert named.data["topics"] == ["tiles"]
    assert named.data["turn"] == 2
    assert named.data["sources"][0]["messageId"] in said
    found = await palaver.conversation(conversation)
    assert (found.title, found.abbreviation) == (named.data["title"], line.data["text"])


async def test_every_message_begins_the_wait_anew(
    palaver: Palaver, clock: Clock, digest: Digest
) -> None:
    conversation = await talk(palaver, DECIDED, "Noted.")
    digesting = digest()
    for number in range(3):
        clock.advance(minutes=9)
        await digesting.run(conversation)
        await talk(palaver, f"And more of it, {number}.", conversation_id=conversation)
    assert await events(palaver, conversation) == []
    clock.advance(minutes=10)
    await digesting.run(conversation)
    assert len(await events(palaver, conversation)) == 1


async def test_one_that_everybody_left_is_told_at_once(palaver: Palaver, digest: Digest) -> None:
    conversation = await talk(palaver, DECIDED, "Noted.")
    digesting = digest()
    await digesting.run(conversation, left=True)
    await digesting.run(conversation, left=True)
    assert len(await events(palaver, conversation)) == 1
    empty = (await palaver.start()).id
    await digesting.run(empty, left=True)
    assert await events(palaver, empty) == []


async def test_it_is_named_after_the_fifth_turn_while_it_goes_on(
    palaver: Palaver, digest: Digest
) -> None:
    conversation = await talk(palaver, *turns(4))
    digesting = digest()
    await digesting.run(conversation)
    assert await titles(palaver, conversation) == []
    await talk(palaver, *turns(1), conversation_id=conversation)
    await digesting.run(conversation)
    await digesting.run(conversation)
    assert await titles(palaver, conversation) == ["Tiles for 5 Turns"]
    assert await events(palaver, conversation) == []


async def test_it_is_named_again_once_it_is_quiet_after_ten_more_turns(
    palaver: Palaver, clock: Clock, digest: Digest
) -> None:
    conversation = await talk(palaver, *turns(5))
    digesting = digest(Plain(titles=["The Same Tiles"]))
    await digesting.run(conversation)
    for more in (9, 1, 12):
        await talk(palaver, *turns(more), conversation_id=conversation)
        await digesting.run(conversation)
        clock.advance(minutes=10)
        await digesting.run(conversation)
        await digesting.run(conversation)
    named = await events(palaver, conversation, "title_assigned")
    assert [line.data["turn"] for line in named] == [5, 15, 27]
    assert {line.data["title"] for line in named} == {"The Same Tiles"}
    assert len(await events(palaver, conversation)) == 3


async def test_a_name_that_the_user_gave_stays(
    palaver: Palaver, clock: Clock, digest: Digest
) -> None:
    async def rename(story: Story) -> None:
        await palaver.update(story.conversation.id, Change(title="My Own"))

    before, during, after = [await talk(palaver, *turns(6)) for _ in range(3)]
    await palaver.update(before, Change(title="My Own"))
    digesting, renaming = digest(), digest(Plain(before=rename))
    clock.advance(minutes=10)
    await digesting.run(before)
    await renaming.run(during)
    await digesting.run(after)
    await palaver.update(after, Change(title="My Own"))
    await talk(palaver, *turns(12), conversation_id=after)
    clock.advance(minutes=10)
    await digesting.run(after)
    for conversation in (before, during, after):
        assert (await palaver.conversation(conversation)).title == "My Own"
        assert (await palaver.conversation(conversation)).abbreviation
    assert await titles(palaver, before) == await titles(palaver, during) == ["My Own"]


async def test_a_title_that_another_conversation_has_is_not_given_again(
    palaver: Palaver, clock: Clock, digest: Digest
) -> None:
    digesting = digest(Plain(titles=["Blue Tiles", "Tiles of the Bath", "Bath"]))
    names = [await talk(palaver, DECIDED, "Noted.") for _ in range(4)]
    clock.advance(minutes=10)
    for name in names:
        await digesting.run(name)
    given = [(await palaver.conversation(name)).title for name in names]
    assert given == ["Blue Tiles", "Tiles of the Bath", "Bath", "Blue Tiles (2)"]


async def test_topics_are_kept_up_with_what_it_is_about(
    palaver: Palaver, clock: Clock, digest: Digest
) -> None:
    maker = Plain(topics=["blue-tiles"])
    digesting = digest(maker)
    conversation = await talk(palaver, "The blue tiles of the bath are fine.", "Good.")
    clock.advance(minutes=10)
    await digesting.run(conversation)
    maker.topics = ["violin-lessons"]
    await talk(palaver, "Tiles again.", "Yes.", conversation_id=conversation)
    clock.advance(minutes=10)
    await digesting.run(conversation)
    assert await events(palaver, conversation, "meta_update") == []
    violin = ("The violin lessons begin.", "The concert hall has an organ.", "A cello is cheap.")
    for said in violin * 2:
        await talk(palaver, said, "Good.", conversation_id=conversation)
    clock.advance(minutes=10)
    await digesting.run(conversation)
    (update,) = await events(palaver, conversation, "meta_update")
    assert update.data["topics"] == ["violin-lessons"]
    assert (await palaver.conversation(conversation)).topics == ["violin-lessons"]
    assert len(await titles(palaver, conversation)) == 1


async def test_the_continuous_conversation_is_not_told(
    palaver: Palaver, clock: Clock, digest: Digest
) -> None:
    ledger = palaver._ledger  # pyright: ignore[reportPrivateUsage]
    name = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
    said = [turn(name, ("user", "assistant")[n % 2], text) for n, text in enumerate(turns(6))]
    await ledger.append([meta(name, user="local", channel="web", mode="continuous"), *said])
    clock.advance(minutes=10)
    await digest().run(name)
    lines = await palaver.lines(name)
    assert not [line for line in lines if line.type == "event"]


async def test_what_only_others_say_is_not_told(
    palaver: Palaver, clock: Clock, digest: Digest
) -> None:
    conversation = (await palaver.start()).id
    author = {"kind": "participant", "id": "+1555"}
    said = turn(conversation, "user", "Buy gold now.", author=author)
    await palaver._ledger.append([said])  # pyright: ignore[reportPrivateUsage]
    clock.advance(minutes=10)
    await digest().run(conversation)
    assert (await abbreviation(palaver, conversation))["text"] == ""
    await talk(palaver, DECIDED, "Noted.", conversation_id=conversation)
    clock.advance(minutes=10)
    await digest().run(conversation)
    assert "gold" not in (await abbreviation(palaver, conversation))["text"]


# -- long ones -----------------------------------------------------------------------------------


async def test_a_long_one_is_told_in_parts_and_then_carried_on(
    palaver: Palaver, clock: Clock, digest: Digest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stories, "_PART", 20)
    maker = Plain()
    digesting = digest(maker)
    conversation = await talk(palaver, DECIDED, "Noted.", *turns(44))
    clock.advance(minutes=10)
    await digesting.run(conversation)
    parts = [(one.messages[0].turn_number, one.messages[-1].turn_number) for one in maker.stories]
    assert parts == [(1, 15), (16, 31), (32, 45)]
    assert maker.wanted == [{"abbreviation"}, {"abbreviation"}, {"abbreviation", "title"}]
    assert [bool(one.before) for one in maker.stories] == [False, True, True]
    maker.stories.clear()
    await talk(palaver, *turns(3, 100), conversation_id=conversation)
    clock.advance(minutes=10)
    await digesting.run(conversation)
    (story,) = maker.stories
    assert story.messages[0].turn_number == 45
    assert [one.text for one in story.before] == told(await events(palaver, conversation), 0)
    assert len(await events(palaver, conversation)) == 2


def told(found: list[Line], number: int) -> list[str]:
    return [line.removeprefix("- ") for line in found[number].data["text"].splitlines()]


# -- what a model fails to make ------------------------------------------------------------------


@pytest.mark.parametrize("error", [ModelTimeout(), ModelResting(), DigestUnusable()])
async def test_when_the_model_fails_another_stands_in_until_it_is_back(
    palaver: Palaver, clock: Clock, digest: Digest, error: Exception
) -> None:
    model = haiku(error=error, titles=["By the Model"])
    digesting = digest(Plain(titles=["By Nobody"]), model)
    conversation = await talk(palaver, DECIDED, "Noted.")
    clock.advance(minutes=10)
    for _ in range(3):
        with pytest.raises(type(error)):
            await digesting.run(conversation)
    (line,) = await events(palaver, conversation)
    (title,) = await events(palaver, conversation, "title_assigned")
    assert (line.data["by"], line.data["standsInFor"]) == ("offline", "haiku")
    assert (title.data["by"], title.data["standsInFor"]) == ("offline", "haiku")
    model.error = None
    await digesting.run(conversation)
    await digesting.run(conversation)
    assert [one.data["by"] for one in await events(palaver, conversation)] == ["offline", "haiku"]
    assert await titles(palaver, conversation) == ["By Nobody", "By the Model"]


async def test_what_a_model_made_stays_when_it_fails(
    palaver: Palaver, clock: Clock, digest: Digest, caplog: pytest.LogCaptureFixture
) -> None:
    model = haiku()
    digesting = digest(Plain(), model)
    conversation = await talk(palaver, DECIDED, "Noted.")
    clock.advance(minutes=10)
    await digesting.run(conversation)
    model.error = ModelTimeout()
    await talk(palaver, *turns(12), conversation_id=conversation)
    clock.advance(minutes=10)
    with pytest.raises(ModelTimeout):
        await digesting.run(conversation)
    assert f"digest_failed {conversation} model_timeout" in caplog.text
    (line,) = await events(palaver, conversation)
    assert line.data["by"] == "haiku"
    assert len(await titles(palaver, conversation)) == 1
    model.error = None
    await digesting.run(conversation)
    assert len(await events(palaver, conversation)) == 2


async def test_what_was_made_without_a_model_is_made_anew_without_it_while_it_fails(
    palaver: Palaver, clock: Clock, digest: Digest
) -> None:
    digesting = digest(Plain(), haiku(error=ModelTimeout()))
    conversation = await talk(palaver, DECIDED, "Noted.")
    for _ in range(2):
        clock.advance(minutes=10)
        with pytest.raises(ModelTimeout):
            await digesting.run(conversation)
        await talk(palaver, *turns(3), conversation_id=conversation)
    assert [one.data["through"] for one in await events(palaver, conversation)] == [1, 4]


# -- a worse one never takes the place of a better one -------------------------------------------


async def test_what_is_open_or_decided_is_added_word_for_word(
    palaver: Palaver, clock: Clock, digest: Digest
) -> None:
    def vague(story: Story) -> list[Point]:
        return [quoting(story.messages[0], "They talked.")]

    conversation = await talk(palaver, "Hello there.", "Hello.", DECIDED, "Noted.", REMIND, "Yes.")
    clock.advance(minutes=10)
    await digest(Plain(), haiku(points=vague)).run(conversation)
    found = await abbreviation(palaver, conversation)
    assert found["by"] == "haiku"
    assert told(await events(palaver, conversation), 0) == ["They talked.", REMIND, DECIDED]
    said = {one.id: one.content for one in await palaver.fetch(conversation, first=0, last=9)}
    assert [said[one["messageId"]] for one in found["sources"]] == ["Hello there.", REMIND, DECIDED]


def nothing(story: Story) -> list[Point]:
    return []


def unfounded(story: Story) -> list[Point]:
    return [Point(text="They took the blue tiles.", sources=[])]


def invented(story: Story) -> list[Point]:
    made = SummarySource(message_id=story.messages[0].id, quote="Nobody said that.", turn=1)
    return [Point(text="Somebody said something.", sources=[made])]


def foreign(story: Story) -> list[Point]:
    made = SummarySource(message_id="msg-elsewhere", turn=1)
    return [Point(text="Somebody said something.", sources=[made])]


def endless(story: Story) -> list[Point]:
    return [quoting(story.messages[0], f"They talked {number} times. " * 60) for number in range(9)]


def elsewhere(story: Story) -> list[Point]:
    return [quoting(story.messages[-1], "They ended well.")]


@pytest.mark.parametrize("points", [nothing, unfounded, invented, foreign, endless, elsewhere])
async def test_a_worse_one_is_refused(
    palaver: Palaver, clock: Clock, digest: Digest, points: Callable[[Story], list[Point]]
) -> None:
    model = haiku()
    digesting = digest(Plain(), model)
    conversation = await talk(palaver, *turns(6))
    clock.advance(minutes=10)
    await digesting.run(conversation)
    model.points = points
    await talk(palaver, "That is all for now.", "Good.", conversation_id=conversation)
    clock.advance(minutes=10)
    with pytest.raises(DigestUnusable):
        await digesting.run(conversation)
    assert len(await events(palaver, conversation)) == 1
    model.points = None
    await digesting.run(conversation)
    assert len(await events(palaver, conversation)) == 2


async def test_one_that_says_too_little_of_a_long_one_is_refused(
    palaver: Palaver, clock: Clock, digest: Digest
) -> None:
    conversation = await talk(palaver, *turns(60))
    clock.advance(minutes=10)
    with pytest.raises(DigestUnusable, match="too little"):
        await digest(Plain(), haiku(points=elsewhere)).run(conversation)
    assert (await abbreviation(palaver, conversation))["by"] == "offline"


@pytest.mark.parametrize(("more", "stay"), [(1, 4), (5, 2), (45, 1)])
async def test_the_longer_a_conversation_grows_the_less_is_kept_of_its_beginning(
    palaver: Palaver, clock: Clock, digest: Digest, more: int, stay: int
) -> None:
    maker = Plain()
    digesting = digest(maker)
    conversation = await talk(palaver, *turns(5))
    clock.advance(minutes=10)
    await digesting.run(conversation)
    first = told(await events(palaver, conversation), 0)
    maker.points = elsewhere
    await talk(palaver, *turns(more), conversation_id=conversation)
    clock.advance(minutes=10)
    await digesting.run(conversation)
    now = told(await events(palaver, conversation), -1)
    assert "They ended well." in now
    assert len([text for text in now if text in first]) == stay


# -- what changes meanwhile ----------------------------------------------------------------------


async def test_an_erased_source_takes_it_away_and_it_is_made_again(
    palaver: Palaver, clock: Clock, digest: Digest
) -> None:
    conversation = await talk(palaver, *turns(9))
    said = [one for one in await palaver.fetch(conversation, first=0, last=9) if one.role == "user"]
    digesting = digest(Plain(titles=["Fine Days"]))
    clock.advance(minutes=10)
    await digesting.run(conversation)
    for message in reversed(said[2:]):
        await palaver.redact(conversation, message.id)
        await digesting.run(conversation)
        (line,) = await events(palaver, conversation)
        assert message.content not in line.data["text"]
        assert len(line.data["sources"]) == min(5, said.index(message))
    await palaver.redact(conversation, said[0].id)
    assert (await palaver.conversation(conversation)).title is None
    await digesting.run(conversation)
    assert (await palaver.conversation(conversation)).title == "Fine Days"


async def test_what_is_erased_while_it_is_told_is_not_told(
    palaver: Palaver, clock: Clock, digest: Digest
) -> None:
    async def erase(story: Story) -> None:
        maker.before = None
        await palaver.redact(story.conversation.id, story.messages[0].id)

    maker = Plain(before=erase)
    digesting = digest(maker)
    conversation = await talk(palaver, DECIDED, "Noted.", "And the white ones?", "No.")
    clock.advance(minutes=10)
    with pytest.raises(DigestUnusable):
        await digesting.run(conversation)
    assert await events(palaver, conversation) == []
    await digesting.run(conversation)
    assert "4711" not in (await abbreviation(palaver, conversation))["text"]


async def test_whoever_is_ended_in_the_middle_leaves_no_word_of_what_was_erased(
    palaver: Palaver, clock: Clock
) -> None:
    conversation = await talk(palaver, DECIDED, "Noted.", "And the white ones?", "No.")
    erased = (await palaver.fetch(conversation, first=1, last=1))[0]
    clock.advance(minutes=10)
    desk = desk_of(palaver)
    append = desk.ledger.append
    written: list[str] = []

    async def interrupted(drafts: Sequence[Draft], **_: object) -> list[Appended]:
        written.append(drafts[0].body["event"])
        if len(written) > 1:
            return await append(drafts)
        await palaver.redact(conversation, erased.id)
        await append(drafts)
        raise asyncio.CancelledError

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(desk.ledger, "append", interrupted)
        with pytest.raises(asyncio.CancelledError):
            await digesting_at(desk, clock).run(conversation)
    assert written == ["title_assigned", "title_assigned"]
    assert await events(palaver, conversation, "title_assigned") == []


async def test_what_is_said_otherwise_is_told_otherwise(
    palaver: Palaver, clock: Clock, digest: Digest
) -> None:
    digesting = digest()
    conversation = await talk(palaver, DECIDED, "Noted.")
    clock.advance(minutes=10)
    await digesting.run(conversation)
    old = (await palaver.fetch(conversation, first=1, last=1))[0]
    drafts = [
        event(conversation, "superseded", messageId=old.id),
        turn(conversation, "user", "We take the red ones.", supersedes=old.id, turnNumber=1),
    ]
    await palaver._ledger.append(drafts)  # pyright: ignore[reportPrivateUsage]
    clock.advance(minutes=10)
    await digesting.run(conversation)
    assert (await abbreviation(palaver, conversation))["text"] == "- We take the red ones."


async def test_two_who_tell_the_same_write_it_once(
    palaver: Palaver, clock: Clock, digest: Digest
) -> None:
    async def another(story: Story) -> None:
        await digest(Plain()).run(story.conversation.id)

    conversation = await talk(palaver, *turns(3))
    clock.advance(minutes=10)
    late = Plain(before=another, titles=["Too Late"], points=elsewhere)
    await digest(late).run(conversation)
    assert len(await events(palaver, conversation)) == 1
    assert await titles(palaver, conversation) == ["Tiles for 3 Turns"]


async def test_a_history_brought_in_is_not_idle_at_once(
    palaver: Palaver, clock: Clock, digest: Digest
) -> None:
    conversation = (await palaver.start()).id
    past = "2020-01-01T00:00:00Z"
    old = [NewMessage(role="user", content=text, timestamp=past) for text in turns(2)]
    await palaver.append_many(conversation, old)
    await digest().run(conversation)
    assert await events(palaver, conversation) == []
