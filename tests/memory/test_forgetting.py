"""Forgetting: it is shown first, nothing of it is left, and it does not come back by itself."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from subprocess import run
from typing import Any

import pytest

from palaver.app import Palaver
from palaver.errors import BadId, BadValue, NotFound
from palaver.memory.forgetting import Forgetting
from palaver.memory.records import ForgetReceipt, NewMemory
from palaver.settings import Settings
from tests.library import Clock
from tests.memory.test_memories import learned, opened, said

PASSES = 10


@pytest.fixture
async def palaver(kept: Settings, clock: Clock) -> AsyncIterator[Palaver]:
    async with opened(kept, clock) as palaver:
        yield palaver


@pytest.fixture
async def home(tmp_path: Path, clock: Clock) -> AsyncIterator[Palaver]:
    settings = Settings.load(tmp_path, user__timezone="UTC")
    async with opened(settings, clock) as palaver:
        yield palaver


def done(preview: ForgetReceipt) -> ForgetReceipt:
    assert preview.preview
    return preview.model_copy(update={"preview": False})


def traces(palaver: Palaver, word: str) -> list[str]:
    root = palaver.home.root
    files = [path for path in root.rglob("*") if path.is_file()]
    return [str(path.relative_to(root)) for path in files if word.encode() in path.read_bytes()]


async def contents(palaver: Palaver) -> set[str]:
    return {one.content for one in await palaver.memories.every()}


async def learn(palaver: Palaver, *texts: str) -> str:
    """Says some things, has them learned, and gives the conversation."""
    (message, *_) = await said(palaver, *texts)
    await palaver.memories.extract(message.conversation_id)
    return message.conversation_id


async def passes(palaver: Palaver, *conversations: str) -> None:
    for _ in range(PASSES):
        for one in conversations:
            await palaver.memories.extract(one)


# -- what holds again ----------------------------------------------------------------------------


async def test_what_had_been_replaced_holds_again(palaver: Palaver) -> None:
    berlin = await learned(palaver, "I live in Berlin.", None)
    oslo = await palaver.memories.add("I live in Oslo now.")
    assert (await palaver.memories.get(berlin.id)).superseded_by == oslo.id
    preview = await palaver.memories.forget(oslo.id, preview=True)
    assert [one.id for one in preview.restored] == [berlin.id]
    assert (await palaver.memories.get(berlin.id)).superseded_by == oslo.id
    assert await palaver.memories.forget(oslo.id) == done(preview)
    assert [one.id for one in await palaver.memories.list()] == [berlin.id]
    changes = (await palaver.memories.history(berlin.id)).changes
    assert [(one.event, one.by) for one in changes][-1] == ("restored", "user")


async def test_what_follows_has_the_places_of_all_before_it(palaver: Palaver) -> None:
    names = ("Berlin", "Oslo", "Rome")
    berlin, oslo, rome = [await learned(palaver, f"I live in {one}.", None) for one in names]
    await palaver.memories.supersede(berlin.id, by=oslo.id)
    await palaver.memories.supersede(oslo.id, by=rome.id)
    assert (await palaver.memories.forget(oslo.id)).restored == []
    assert (await palaver.memories.get(berlin.id)).superseded_by == rome.id
    receipt = await palaver.memories.forget(about="Rome")
    assert [one.id for one in receipt.restored] == [berlin.id]
    assert await contents(palaver) == {"I live in Berlin."}


async def test_it_holds_again_when_the_conversation_goes(palaver: Palaver) -> None:
    berlin = await palaver.memories.add("I live in Berlin.", pinned=True)
    (message,) = await said(palaver, "I live in Oslo now.")
    await palaver.memories.extract(message.conversation_id)
    assert (await palaver.memories.get(berlin.id)).superseded_by
    receipt = await palaver.delete(message.conversation_id)
    assert any("1 memory holds again" in one for one in receipt.remains)
    assert (await palaver.memories.get(berlin.id)).superseded_by is None


# -- what is forgotten ---------------------------------------------------------------------------


async def test_one_memory_is_forgotten_for_good(palaver: Palaver) -> None:
    conversation = await learn(palaver, "I live in Berlin.", "My cat is called Tom.")
    berlin = next(one for one in await palaver.memories.list() if "Berlin" in one.content)
    preview = await palaver.memories.forget(berlin.id, preview=True)
    assert await palaver.memories.get(berlin.id) == berlin
    receipt = await palaver.memories.forget(berlin.id)
    assert receipt == done(preview)
    assert [one.id for one in receipt.memories] == [berlin.id]
    assert receipt.messages == 0
    assert "1 message in which it was said stays." in receipt.remains
    await passes(palaver, conversation)
    assert not any("Berlin" in one for one in await contents(palaver))
    assert any("Tom" in one for one in await contents(palaver))
    for ask in (palaver.memories.get, palaver.memories.history, palaver.memories.forget):
        with pytest.raises(NotFound):
            await ask(berlin.id)


async def test_all_from_a_conversation_is_forgotten(palaver: Palaver) -> None:
    here = await learn(palaver, "I live in Berlin.", "My cat is called Tom.")
    there = await learn(palaver, "I work as a baker.")
    kept = await palaver.memories.add("I like green tea.", pinned=True)
    preview = await palaver.memories.forget(conversation_id=here, preview=True)
    assert len(preview.memories) == 2
    assert await palaver.memories.forget(conversation_id=here) == done(preview)
    await passes(palaver, here, there)
    assert len(await palaver.memories.every()) == 2
    assert kept.content in await contents(palaver)
    with pytest.raises(NotFound):
        await palaver.memories.forget(conversation_id="conv-01J00000000000000000000000")


@pytest.mark.parametrize("word", ["cat", "cats", "CAT", "my cat"])
async def test_all_about_a_word_is_forgotten_in_whatever_form(palaver: Palaver, word: str) -> None:
    conversation = await learn(palaver, "My cat is called Tom.", "I live in Berlin.")
    await palaver.memories.add("Two cats sleep on my bed.")
    await palaver.memories.add("My category is fiction.")
    preview = await palaver.memories.forget(about=word, preview=True)
    assert len(preview.memories) == 2
    assert await palaver.memories.forget(about=word) == done(preview)
    await passes(palaver, conversation)
    left = await contents(palaver)
    assert len(left) == 2
    assert not any("Tom" in one or "cats" in one for one in left)
    # Nothing is learned about it from what is said later, either; other things are.
    later = await learn(palaver, "My cat is called Kit.", "My dog is called Rex.")
    await passes(palaver, later)
    assert not any("Kit" in one for one in await contents(palaver))
    assert any("Rex" in one for one in await contents(palaver))


async def test_it_is_told_how_many_other_messages_hold_the_word(palaver: Palaver) -> None:
    await learn(palaver, "My cat is called Tom.", "Which food do cats like?", "Nice weather!")
    for everywhere in (False, True):
        preview = await palaver.memories.forget(about="cat", everywhere=everywhere, preview=True)
        assert (len(preview.memories), preview.messages) == (1, int(everywhere))
        assert sum("1 other message that holds the words" in one for one in preview.remains) == 1
    assert await palaver.memories.forget(about="cat", everywhere=True) == done(preview)
    nothing = await palaver.memories.forget(about="cat", preview=True)
    assert (nothing.memories, nothing.erased) == ([], [])
    assert ["1 other message" in one for one in nothing.remains[-1:]] == [True]
    assert not any(
        "other message" in one
        for one in (await palaver.memories.forget(about="dog", preview=True)).remains
    )


@pytest.mark.parametrize("everywhere", [False, True])
async def test_what_is_stored_while_it_is_forgotten_goes_too(
    palaver: Palaver, monkeypatch: pytest.MonkeyPatch, *, everywhere: bool
) -> None:
    conversation = await learn(palaver, "My cat is called Tom.")
    other = (await said(palaver, "My cats sleep a lot."))[0]
    late = NewMemory(content="My cat is called Kit.", source_message_id=other.id)
    carry_out = Forgetting.carry_out
    waiting = [late]

    async def meanwhile(forgetting: Forgetting, *given: Any, **named: Any) -> None:
        while waiting:
            await palaver.memories.put(waiting.pop())
        await carry_out(forgetting, *given, **named)

    monkeypatch.setattr(Forgetting, "carry_out", meanwhile)
    receipt = await palaver.memories.forget(about="cat", everywhere=everywhere)
    assert len(receipt.memories) == 2
    assert await contents(palaver) == set()
    await learn(palaver, "I live in Berlin.")
    other = (await said(palaver, "What a day!"))[0]
    waiting.append(NewMemory(content="I have a boat.", source_message_id=other.id))
    await palaver.memories.put(NewMemory(content="I have a car.", source_message_id=other.id))
    await palaver.memories.forget(conversation_id=other.conversation_id)
    assert await contents(palaver) == {"I live in Berlin."}
    await passes(palaver, conversation)


@pytest.mark.parametrize("word", ["", " ", "?!", None])
async def test_something_has_to_be_said(palaver: Palaver, word: str | None) -> None:
    with pytest.raises(BadValue):
        await palaver.memories.forget(about=word)
    with pytest.raises(BadId):
        await palaver.memories.forget("tea")


async def test_what_a_memory_said_before_it_was_reworded_goes_with_the_word(
    home: Palaver,
) -> None:
    memory = await home.memories.add("My boat is called Zwieback.")
    await home.memories.edit(memory.id, content="My boat has no name.")
    await home.memories.forget(about="Zwieback")
    assert [one.content for one in await home.memories.every()] == ["My boat has no name."]
    assert traces(home, "Zwieback") == []


async def test_who_asks_for_it_has_it_remembered_again(palaver: Palaver) -> None:
    asked = await learn(palaver, "Remember that I live in Berlin.")
    (memory,) = await palaver.memories.list()
    await palaver.memories.forget(memory.id)
    await passes(palaver, asked)  # the old wish is not a new one
    assert await palaver.memories.every() == []
    await learn(palaver, "I live in Berlin.")
    assert await palaver.memories.every() == []
    await learn(palaver, "Please remember that I live in Berlin.")
    (back,) = await palaver.memories.list()
    assert "Berlin" in back.content
    await palaver.memories.forget(back.id)
    by_hand = await palaver.memories.add("I live in Berlin.")
    assert by_hand.state == "kept"


async def test_what_was_said_twice_is_not_learned_from_the_other_place(palaver: Palaver) -> None:
    first = await learn(palaver, "I live in Berlin.")
    second = await learn(palaver, "Did I tell you? I live in Berlin, by the way.")
    (memory,) = await palaver.memories.list()
    await palaver.memories.forget(memory.id)
    await passes(palaver, first, second)
    assert await palaver.memories.every() == []


# -- everywhere ----------------------------------------------------------------------------------


async def test_everywhere_means_what_was_said_too(home: Palaver) -> None:
    conversation = await learn(home, "My boat is called Zwieback.", "I live in Berlin.")
    other = await home.start()
    await home.append(other.id, "user", "As I said, my boat is called Zwieback!")
    await home.append(other.id, "assistant", "Noted: your boat is called Zwieback.")
    await home.append(other.id, "user", "And I have a car.")
    await home.settle()
    (memory,) = [one for one in await home.memories.list() if "Zwieback" in one.content]
    preview = await home.memories.forget(memory.id, everywhere=True, preview=True)
    assert preview.messages == 3
    assert await home.memories.forget(memory.id, everywhere=True) == done(preview)
    await home.settle()
    assert traces(home, "Zwieback") == []
    assert [one.content for one in (await home.messages(other.id)).messages][-1] == (
        "And I have a car."
    )
    assert len((await home.messages(conversation)).messages) == 4
    await passes(home, conversation, other.id)
    assert {one.content for one in await home.memories.every()} == {
        "I live in Berlin.",
        "I have a car.",
    }


async def test_what_came_from_the_same_words_goes_along(palaver: Palaver) -> None:
    await learn(palaver, "My boat is called Zwieback. I live in Berlin. I work as a baker.")
    every = {one.content: one for one in await palaver.memories.list()}
    assert len(every) == 3
    boat, baker = every["My boat is called Zwieback."], every["I work as a baker."]
    await palaver.memories.edit(baker.id, pinned=True)
    preview = await palaver.memories.forget(boat.id, everywhere=True, preview=True)
    assert len(preview.memories) == 2
    assert any("1 memory more" in one for one in preview.erased)
    assert any("1 other memory that is pinned" in one for one in preview.remains)
    assert await palaver.memories.forget(boat.id, everywhere=True) == done(preview)
    (left,) = await palaver.memories.every()
    assert (left.content, left.source_message_id) == (baker.content, None)


async def test_the_receipt_says_what_is_left(palaver: Palaver) -> None:
    await learn(palaver, "I live in Berlin.")
    (memory,) = await palaver.memories.list()
    receipt = await palaver.memories.forget(memory.id, everywhere=True)
    assert receipt.messages == 1
    assert len(receipt.erased) == 2
    assert not any("said" in one for one in receipt.remains)


# -- when what it stands on goes -----------------------------------------------------------------


async def _three(palaver: Palaver) -> tuple[str, str]:
    """One memory that was learned, one that is pinned, one that was reworded."""
    conversation = await learn(
        palaver, "I live in Berlin.", "My cat is called Tom.", "I work as a baker."
    )
    for one in await palaver.memories.list():
        if "Tom" in one.content:
            await palaver.memories.edit(one.id, pinned=True)
        if "baker" in one.content:
            await palaver.memories.edit(one.id, content="I bake bread.")
    (message, *_) = (await palaver.messages(conversation)).messages
    return conversation, message.id


async def test_deleting_a_conversation_deletes_what_was_learned_from_it(palaver: Palaver) -> None:
    conversation, _ = await _three(palaver)
    preview = await palaver.delete(conversation, preview=True)
    assert any("1 memory that came from it" in one for one in preview.erased)
    assert any("2 memories that are pinned or worded by you" in one for one in preview.remains)
    assert len(await palaver.memories.every()) == 3
    receipt = await palaver.delete(conversation)
    assert receipt == preview.model_copy(update={"preview": False})
    left = await palaver.memories.every()
    assert len(left) == 2
    for one in left:
        assert (one.source_message_id, one.source_conversation_id, one.quote) == (None, None, None)
    await palaver.settle()
    assert len(await palaver.memories.search("bake bread")) >= 1
    assert not any("Berlin" in one for one in await contents(palaver))


async def test_redacting_a_message_takes_what_was_learned_from_it_only(palaver: Palaver) -> None:
    conversation, _ = await _three(palaver)
    messages = (await palaver.messages(conversation)).messages
    berlin, _, tom = messages[0], messages[1], messages[2]
    preview = await palaver.redact(conversation, berlin.id, preview=True)
    assert any("1 memory that came from it" in one for one in preview.erased)
    done_ = await palaver.redact(conversation, berlin.id)
    assert done_ == preview.model_copy(update={"preview": False})
    assert not any("Berlin" in one for one in await contents(palaver))
    receipt = await palaver.redact(conversation, tom.id)
    assert any("1 memory that is pinned or worded by you" in one for one in receipt.remains)
    sources = {one.content: one.source_message_id for one in await palaver.memories.every()}
    assert len(sources) == 2
    assert sources["I bake bread."] is not None
    assert sources["My cat is called Tom."] is None


async def test_nothing_is_left_of_the_source_of_what_was_kept(home: Palaver) -> None:
    conversation = await learn(home, "My boat is called Zwieback.")
    (memory,) = await home.memories.list()
    await home.memories.edit(memory.id, content="I have a boat.")
    await home.delete(conversation)
    await home.settle()
    assert [one.content for one in await home.memories.every()] == ["I have a boat."]
    assert traces(home, "Zwieback") == []


# -- by a command --------------------------------------------------------------------------------


async def test_the_command_forgets_memories_with_messages(home: Palaver) -> None:
    conversation = await learn(home, "My boat is called Zwieback.")
    by_hand = await home.memories.add("Zwieback needs new sails.")
    listed = await home.send("/forget Zwieback", new=True)
    assert "1 message with these words" in listed.reply.content
    assert "2 memories" in listed.reply.content
    assert "Zwieback needs new sails." in listed.reply.content
    assert len(await home.memories.every()) == 2
    answer = await home.send("/forget yes", conversation_id=listed.conversation_id)
    assert answer.reply.content.startswith("Erased for good: 1 message")
    assert "2 memories" in answer.reply.content
    assert await home.memories.every() == []
    await home.settle()
    assert traces(home, "Zwieback") == []
    await passes(home, conversation)
    assert await home.memories.every() == []
    with pytest.raises(NotFound):
        await home.memories.get(by_hand.id)


async def test_the_command_forgets_memories_alone(home: Palaver) -> None:
    await home.memories.add("Zwieback needs new sails.")
    listed = await home.send("/forget Zwieback", new=True)
    assert "1 memory" in listed.reply.content
    assert "message" not in listed.reply.content
    answer = await home.send("/forget yes", conversation_id=listed.conversation_id)
    assert answer.reply.content.startswith("Erased for good: 1 memory.")
    assert traces(home, "Zwieback") == []
    again = await home.send("/forget yes", conversation_id=listed.conversation_id)
    assert "Nothing is listed" in again.reply.content


async def test_a_list_goes_with_a_memory_that_is_forgotten_elsewhere(home: Palaver) -> None:
    memory = await home.memories.add("Zwieback needs new sails.")
    await home.send("/forget Zwieback", new=True)
    await home.memories.forget(memory.id)
    assert traces(home, "Zwieback") == []


# -- interruptions -------------------------------------------------------------------------------

_KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from palaver.app import Palaver
from palaver.memory.forgetting import Forgetting
from palaver.settings import Settings

async def kill(self, *_):
    os.kill(os.getpid(), signal.SIGKILL)

async def main():
    Forgetting.lines_go = kill
    settings = Settings.load(Path(sys.argv[1]), user__timezone="UTC")
    async with Palaver.open(settings=settings, index_vectors=False, digests=False) as palaver:
        await palaver.memories.forget(sys.argv[2])

asyncio.run(main())
"""


async def test_who_is_killed_between_the_marks_and_the_erasure(
    tmp_path: Path, clock: Clock
) -> None:
    settings = Settings.load(tmp_path, user__timezone="UTC")
    async with opened(settings, clock) as palaver:
        conversation = await learn(palaver, "My boat is called Zwieback.")
        (memory,) = await palaver.memories.list()
    command = [sys.executable, "-c", _KILLED, str(tmp_path), memory.id]
    ended = await asyncio.to_thread(run, command, check=False, timeout=50)
    assert ended.returncode == -signal.SIGKILL
    async with opened(settings, clock) as palaver:
        assert await palaver.verify() == []
        with suppress(NotFound):  # it may be there still: nobody was told that it is gone
            receipt = await palaver.memories.forget(memory.id)
            assert [one.id for one in receipt.memories] == [memory.id]
        assert await palaver.memories.every() == []
        await passes(palaver, conversation)
        assert await palaver.memories.every() == []
    lines = (tmp_path / "user.jsonl").read_bytes()
    assert lines
    assert b"Zwieback" not in lines


async def test_a_source_that_is_gone_does_not_hinder(palaver: Palaver) -> None:
    (message,) = await said(palaver, "My boat is called Zwieback.")
    held = await learned(palaver, "My boat is called Zwieback.", message, pinned=True)
    await palaver.redact(message.conversation_id, message.id)
    receipt = await palaver.memories.forget(held.id, everywhere=True)
    assert (len(receipt.memories), receipt.messages) == (1, 0)
    new: Any = NewMemory(content="I like green tea.")
    assert (await palaver.memories.put(new))[1]
