"""A message that waited for its answer when the process died gets it, once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from palaver.app import Palaver
from palaver.index.records import Message
from tests.conversation.scripted import Gate, Scripted, answer_by
from tests.library import Clock, library


async def died(home: Path, clock: Clock, scopes: frozenset[str] | None = None) -> str:
    """A home in which a message was stored, and the process ended before it was answered."""
    async with library(home, clock) as palaver:
        gate = answer_by(palaver, Gate())
        conversation = await palaver.start()
        sending = asyncio.create_task(
            palaver.send("Hello", conversation_id=conversation.id, scopes=scopes)
        )
        await gate.waiting.wait()
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        return conversation.id


async def replies(palaver: Palaver, conversation_id: str) -> list[Message]:
    page = await palaver.messages(conversation_id)
    return [one for one in page.messages if one.role == "assistant"]


async def waited(palaver: Palaver) -> None:
    """Returns when the replies that are being made are made."""
    await palaver._agent.turns.replies.settle()  # pyright: ignore[reportPrivateUsage]


async def test_it_is_answered_once(tmp_path: Path, clock: Clock):
    conversation = await died(tmp_path, clock)
    async with library(tmp_path, clock) as palaver:
        assert await replies(palaver, conversation) == []
        assert await palaver.answer_waiting() == 1
        await waited(palaver)
        (reply,) = await replies(palaver, conversation)
        assert reply.status == "complete"
        assert await palaver.answer_waiting() == 0


async def test_it_is_not_begun_twice(tmp_path: Path, clock: Clock):
    await died(tmp_path, clock)
    async with library(tmp_path, clock) as palaver:
        gate = answer_by(palaver, Gate())
        assert [await palaver.answer_waiting() for _ in range(3)] == [1, 0, 0]
        gate.open.set()
        await waited(palaver)
        assert gate.asked == ["Hello"]


async def test_what_cannot_be_answered_is_not_tried_for_ever(tmp_path: Path, clock: Clock):
    await died(tmp_path, clock)
    async with library(tmp_path, clock) as palaver:
        script = answer_by(palaver, Scripted(["Hi!", RuntimeError("a mistake of ours")]))
        for _ in range(5):
            await palaver.answer_waiting()
            await waited(palaver)
        assert len(script.tasks) == 3


async def test_two_processes_answer_it_once(tmp_path: Path, clock: Clock):
    conversation = await died(tmp_path, clock)
    async with library(tmp_path, clock) as one, library(tmp_path, clock) as other:
        scripts = [answer_by(palaver, Scripted(["Hi!"])) for palaver in (one, other)]
        for palaver in (one, other):
            await palaver.answer_waiting()
        for palaver in (one, other):
            await waited(palaver)
        assert sum(len(script.tasks) for script in scripts) == 1
        assert len(await replies(one, conversation)) == 1


async def test_what_is_older_than_a_day_is_left(tmp_path: Path, clock: Clock):
    conversation = await died(tmp_path, clock)
    clock.advance(days=1)
    async with library(tmp_path, clock) as palaver:
        assert await palaver.answer_waiting() == 0
        (question,) = (await palaver.messages(conversation)).messages
        assert (await palaver.regenerate(conversation, question.id)).turn_number == 1


async def test_only_what_waits_for_an_answer_gets_one(palaver: Palaver):
    conversation = await palaver.start()
    await palaver.append(conversation.id, "user", "For my own model")
    answered = await palaver.send("Hello", new=True)
    erased = await palaver.send("Hello", new=True)
    await palaver.redact(erased.conversation_id, erased.reply.id)
    assert answered.reply.reply_to
    await palaver.edit(answered.conversation_id, answered.reply.reply_to, "Hi")
    assert await palaver.answer_waiting() == 0


@pytest.mark.parametrize("scopes", [None, frozenset({"chat"})])
async def test_it_is_answered_with_what_its_sender_may_do(
    tmp_path: Path, clock: Clock, scopes: frozenset[str] | None
):
    await died(tmp_path, clock, scopes)
    async with library(tmp_path, clock) as palaver:
        script = answer_by(palaver, Scripted(["Hi!"]))
        await palaver.answer_waiting()
        await waited(palaver)
        (task,) = script.tasks
        assert ("recall" in task.caller.scopes) == (scopes is None)
