"""When conversations are read for what is worth remembering, in files and in a database."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from palaver.app import Palaver
from palaver.conversation.watching import Watching
from palaver.memory.offline import extractor
from tests.conversation.learners import World, bring_in, read_to, told
from tests.digest.dialogue import talk
from tests.models.asking import NAMES, SECRET
from tests.models.script import Status, Text
from tests.models.server import ModelServer

OSLO, TEA = "I live in Oslo.", "I prefer green tea to coffee."
SMALL = "Nice weather today, isn't it?"
OLD = "2020-01-02T10:00:00Z"


@pytest.fixture(params=["files", "database"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    in_database = request.param == "database"
    return World(tmp_path, request.getfixturevalue("database_url") if in_database else None)


async def say(palaver: Palaver, *texts: str, conversation_id: str | None = None) -> str:
    """Says something, hears the replies, and waits for what follows."""
    for text in texts:
        reply = await palaver.send(text, conversation_id=conversation_id)
        conversation_id = reply.conversation_id
    await palaver.settle()
    assert conversation_id
    return conversation_id


async def test_what_is_to_be_remembered_is_taken_at_once(world: World) -> None:
    async with world.open() as palaver:
        conversation = await say(palaver, TEA, "Remember that I live in Oslo.", SMALL)
        (learned,) = await palaver.memories.list()
        assert "Oslo" in learned.content
        assert (learned.state, learned.by) == ("kept", "offline")
        assert learned.source_conversation_id == conversation
        assert learned.quote
        assert learned.quote in "Remember that I live in Oslo."
        assert await read_to(palaver, conversation) == []


async def corrected(palaver: Palaver, conversation_id: str, text: str) -> None:
    """Says the last message otherwise."""
    page = await palaver.messages(conversation_id)
    last = [one for one in page.messages if one.role == "user"][-1]
    await palaver.edit(conversation_id, last.id, text)
    await palaver.settle()


async def test_what_stands_on_words_that_were_taken_back_goes_with_them(world: World) -> None:
    async with world.open() as palaver:
        conversation = await say(palaver, "I live in Bergen.", OSLO)
        await palaver.memories.extract(conversation)
        assert await read_to(palaver, conversation) == [2]
        await corrected(palaver, conversation, "I dreamt of Oslo.")
        assert await told(palaver) == ["I live in Bergen."]
        (home,) = await palaver.memories.list()
        assert home.superseded_by is None, "it holds again"
        assert await read_to(palaver, conversation) == [2, 1]
        await corrected(palaver, conversation, "Remember that I live in Rome.")
        assert [("Rome" in one.content) for one in await palaver.memories.list()] == [True]


async def test_the_words_that_are_said_instead_are_read(world: World) -> None:
    async with world.open() as palaver:
        conversation = await say(palaver, OSLO)
        await palaver.memories.extract(conversation)
        await corrected(palaver, conversation, "I live in Rome.")
        assert await told(palaver) == []
        world.clock.advance(minutes=40)
        await palaver.settle()
        assert await told(palaver) == ["I live in Rome."]


async def test_what_the_new_words_say_as_well_stays_and_stands_on_them(world: World) -> None:
    async with world.open() as palaver:
        conversation = await say(palaver, f"{OSLO} Where is the key?")
        await palaver.memories.extract(conversation)
        (old,) = await palaver.memories.list()
        await corrected(palaver, conversation, f"{OSLO} Where is the car?")
        (now,) = await palaver.memories.list()
        assert (now.id, now.quote) == (old.id, old.quote)
        page = await palaver.messages(conversation)
        assert now.source_message_id in {one.id for one in page.messages}
        await palaver.memories.extract(conversation)
        assert [one.id for one in await palaver.memories.every()] == [old.id]
        assert now.source_message_id
        await palaver.redact(conversation, now.source_message_id)
        assert await told(palaver) == []


async def test_what_is_pinned_outlives_the_words_that_were_taken_back(world: World) -> None:
    async with world.open() as palaver:
        conversation = await say(palaver, OSLO)
        await palaver.memories.extract(conversation)
        (home,) = await palaver.memories.list()
        await palaver.memories.edit(home.id, pinned=True)
        await corrected(palaver, conversation, SMALL)
        (now,) = await palaver.memories.list()
        assert (now.id, now.source_message_id, now.quote) == (home.id, None, None)


async def test_everything_is_read_after_so_many_turns(world: World) -> None:
    world.more = {"memory__promote_every": 3}
    async with world.open() as palaver:
        conversation = await say(palaver, OSLO, SMALL)
        assert await told(palaver) == []
        await say(palaver, TEA, conversation_id=conversation)
        assert len(await told(palaver)) == 2
        assert await read_to(palaver, conversation) == [3]
        await say(palaver, SMALL, SMALL, conversation_id=conversation)
        assert await read_to(palaver, conversation) == [3]


async def test_a_program_that_makes_no_digests_takes_only_what_it_is_told_to(world: World) -> None:
    world.more = {"memory__promote_every": 2}
    async with world.open(digests=False) as palaver:
        conversation = await say(palaver, OSLO, "Remember that I drink green tea.", SMALL)
        (learned,) = await told(palaver)
        assert "tea" in learned
        assert await read_to(palaver, conversation) == []
    async with world.open() as palaver:  # somebody else does the rest
        world.clock.advance(minutes=40)
        await palaver.settle()
        assert len(await told(palaver)) == 2


async def test_what_is_quiet_is_read_also_after_a_restart(world: World) -> None:
    async with world.open() as palaver:
        conversation = await talk(palaver, OSLO, "Noted.", TEA, "Noted.")
        await palaver.settle()
        assert await told(palaver) == []
    world.clock.advance(minutes=40)
    async with world.open() as palaver:
        await palaver.settle()
        assert len(await told(palaver)) == 2
        assert await read_to(palaver, conversation) == [2]
        assert (await palaver.conversation(conversation)).abbreviation
        world.clock.advance(days=2)
        await palaver.settle()
        assert await read_to(palaver, conversation) == [2], "nothing was said since"
        assert await palaver.jobs() == []


async def test_one_that_is_left_is_read(world: World) -> None:
    async def at_once(seconds: float) -> None: ...

    async with world.open() as palaver:
        palaver._watching = Watching(palaver._orders.left, at_once)  # pyright: ignore[reportPrivateUsage]
        conversation = await talk(palaver, OSLO, "Noted.")
        with palaver.watching(conversation):
            pass
        await palaver._watching.settle()  # pyright: ignore[reportPrivateUsage]
        await palaver.settle()
        assert len(await told(palaver)) == 1


async def test_a_history_is_read_when_it_is_brought_in(world: World) -> None:
    async with world.open() as palaver:
        conversation = (await palaver.start()).id
        await bring_in(palaver, conversation, *[SMALL] * 12, OSLO, when=OLD)
        await palaver.settle()
        assert await told(palaver) == []
        world.clock.advance(minutes=40)
        await palaver.settle()
        (learned,) = await palaver.memories.list()
        assert learned.valid_from == "2020-01-02T10:00:00.000Z", "that is when it was said"


async def test_a_long_history_is_read_part_by_part(world: World) -> None:
    async with world.open() as palaver:
        texts = [text for _ in range(124) for text in (SMALL, "Indeed.")]
        conversation = await talk(palaver, *texts, OSLO, "Noted.")
        world.clock.advance(minutes=40)
        await palaver.settle()
        assert await read_to(palaver, conversation) == [100, 125]
        assert len(await told(palaver)) == 1


async def test_a_day_is_read_when_it_ends(world: World) -> None:
    async with world.open() as palaver:
        conversation = (await palaver.continuous.ensure()).id
        await talk(palaver, OSLO, "Noted.", conversation_id=conversation)
        world.clock.advance(hours=2)
        await palaver.settle()
        assert await told(palaver) == []
        world.clock.advance(days=1)
        await palaver.settle()
        assert len(await told(palaver)) == 1
        assert await read_to(palaver, conversation) == [1]


async def test_what_was_missed_is_read_with_what_comes_next(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A fault in what reads does not keep a conversation from being told."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError(OSLO)

    async with world.open() as palaver:
        conversation = await talk(palaver, OSLO, "Noted.")
        with monkeypatch.context() as patched:
            patched.setattr("palaver.conversation.bench.found", broken)
            world.clock.advance(minutes=40)
            await palaver.settle()
        assert (await palaver.conversation(conversation)).abbreviation
        assert await told(palaver) == []
        assert OSLO not in caplog.text
        await talk(palaver, TEA, "Noted.", conversation_id=conversation)
    world.clock.advance(minutes=40)
    async with world.open() as palaver:
        await palaver.settle()
        assert len(await told(palaver)) == 2
        assert await read_to(palaver, conversation) == [2]


async def test_a_reply_is_none_the_worse_for_a_fault(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(extractor, "Reading", broken)
    async with world.open() as palaver:
        conversation = await say(palaver, "Remember that I live in Oslo.")
        await say(palaver, SMALL, conversation_id=conversation)
        assert (await palaver.conversation(conversation)).turn_count == 2


async def test_whoever_is_killed_before_it_is_noted_doubles_nothing(world: World) -> None:
    async with world.open(digests=False) as palaver:
        conversation = await talk(palaver, OSLO, "Noted.", TEA, "Noted.")
    command = [sys.executable, "-m", "tests.conversation.learners"]
    killed = await asyncio.create_subprocess_exec(
        *command, str(world.folder), world.url or "-", conversation
    )
    assert await killed.wait() == -signal.SIGKILL
    world.clock.advance(minutes=40)
    async with world.open() as palaver:
        stored = await told(palaver)
        assert len(stored) == 2
        assert await read_to(palaver, conversation) == []
        await palaver.settle()
        assert await told(palaver) == stored
        assert await read_to(palaver, conversation) == [2]


async def test_two_who_read_the_same_at_once_double_nothing(world: World) -> None:
    async with world.open(digests=False) as one, world.open(digests=False) as other:
        places = [await talk(one, OSLO, "Noted.", TEA, "Noted.") for _ in range(3)]
        await asyncio.gather(
            *(palaver.memories.extract(name) for name in places for palaver in (one, other))
        )
        assert len(await told(one)) == 2
        assert await told(one) == await told(other)


async def test_what_was_forgotten_is_asked_for_only_by_later_words(world: World) -> None:
    world.more = {"memory__promote_every": 4}
    async with world.open() as palaver:
        conversation = await say(palaver, SMALL, "Remember that I live in Oslo.")
        (learned,) = await palaver.memories.list()
        await palaver.memories.forget(learned.id)
        await say(palaver, SMALL, conversation_id=conversation)
        assert await told(palaver) == []
        await say(palaver, SMALL, SMALL, conversation_id=conversation)
        assert len(await read_to(palaver, conversation)) == 1
        for _ in range(3):
            await palaver.memories.extract(conversation)
        assert await told(palaver) == []
        await say(palaver, "Remember that I live in Oslo.", conversation_id=conversation)
        assert len(await told(palaver)) == 1


async def test_memories_that_are_told_again_are_not_learned_again(world: World) -> None:
    """Recall is on: what the assistant tells of memories comes back in what it says."""
    world.more = {"memory__promote_every": 10, "conversations__max_history_messages": 10}
    async with world.open(digests=False) as palaver:
        conversation = await talk(palaver, OSLO, "Noted.", TEA, "Noted.")
        await palaver.memories.extract(conversation)
        known = await told(palaver)
        assert len(known) == 2
        ways = (
            "You live in Oslo, and you prefer green tea to coffee. Is that right?",
            "I remember: {}",
            "As you told me before, {} You also have a dog called Rex, don't you?",
        )
        answers = ("yes right", "Yes, right.", "yes", "That's right, as I said.", "ja genau")
        texts: list[str] = []
        for number in range(200):
            echoed = ways[number % len(ways)].format(known[number % 2])
            texts += [answers[number % len(answers)], echoed]
        await talk(palaver, *texts, conversation_id=conversation)
        found = await palaver.memories.extract(conversation)
        assert found.added == []
        assert found.waiting == []
        assert await told(palaver) == known


# -- with a model --------------------------------------------------------------------------------


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def _noted(**fields: Any) -> Text:
    noted = {"message": 1, "type": "fact", "content": "The user lives in Oslo.", "quote": OSLO}
    told = {"category": "home", "confidence": 0.9, "explicit": False, "sensitive": "none"}
    return Text(json.dumps({"memories": [noted | told | {"slot": "", "ends": ""} | fields]}))


def _connect(world: World, server: ModelServer) -> None:
    world.more = {
        "agent__providers__anthropic__api_key": SECRET,
        "agent__providers__anthropic__base_url": server.anthropic_url,
        "index__abbreviation_model": NAMES["anthropic"],
    }


async def test_a_model_reads_on_demand(world: World, server: ModelServer) -> None:
    _connect(world, server)
    async with world.open(digests=False) as palaver:
        conversation = await talk(palaver, OSLO, "Noted.")
        server.script(_noted())
        preview = await palaver.memories.extract(conversation, dry_run=True)
        assert [one.content for one in preview.added] == ["The user lives in Oslo."]
        assert await told(palaver) == []
        server.script(_noted())
        found = await palaver.memories.extract(conversation)
        assert found.by == NAMES["anthropic"].partition(":")[2]
        assert await told(palaver) == ["The user lives in Oslo."]


async def test_when_a_model_fails_it_is_read_without(world: World, server: ModelServer) -> None:
    _connect(world, server)
    server.otherwise = lambda asked: [Status(400)]
    async with world.open(digests=False) as palaver:
        conversation = await talk(palaver, OSLO, "Noted.")
        found = await palaver.memories.extract(conversation)
        assert found.by == "offline"
        assert len(found.added) == 1


async def test_a_model_reads_what_is_quiet(world: World, server: ModelServer) -> None:
    _connect(world, server)
    failing = Status(400)
    server.otherwise = lambda asked: [_noted() if "memories" in str(asked.body) else failing]
    async with world.open() as palaver:
        conversation = await talk(palaver, OSLO, "Noted.")
        world.clock.advance(minutes=40)
        await palaver.settle()
        assert await told(palaver) == ["The user lives in Oslo."]
        assert await read_to(palaver, conversation) == [1]
