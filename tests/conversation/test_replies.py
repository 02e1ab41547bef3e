"""A reply comes step by step, can be stopped, and is kept whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import Any

import pytest

from palaver.agent.answering import Delta, Frames, ReplyDraft, Task
from palaver.agent.language import Thought, ToolCall
from palaver.app import Palaver
from palaver.conversation.own_reply import OwnReply
from palaver.conversation.records import Reply
from palaver.conversation.steps import (
    MessageAccepted,
    ReplyDelta,
    ReplyFinished,
    ReplyStarted,
    ReplyThinking,
    ReplyTool,
    Step,
)
from palaver.errors import ModelBusy, ModelMalformed
from palaver.index.records import Message, Source
from tests.conversation.scripted import Gate, Scripted, answer_by
from tests.library import Clock, library

LOOK = ToolCall("call-1", "look", {"at": "the sky"})


class Halt:
    """Where a script waits until the test lets it go on."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.go_on = asyncio.Event()

    async def __call__(self) -> None:
        self.reached.set()
        await self.go_on.wait()


async def steps_of(palaver: Palaver, text: str, **given: Any) -> list[Step]:
    async with aclosing(palaver.stream(text, **given)) as steps:
        return [step async for step in steps]


async def messages(palaver: Palaver, conversation_id: str) -> list[Message]:
    return (await palaver.messages(conversation_id)).messages


async def stored(palaver: Palaver, conversation_id: str, count: int) -> None:
    """Returns when so many messages are stored."""
    while len(await messages(palaver, conversation_id)) < count:
        pass


async def a_moment() -> None:
    """Lets whoever listens hear what was said."""
    for _ in range(5):
        await asyncio.sleep(0)


def text_of(steps: list[Step]) -> str:
    return "".join(step.text for step in steps if isinstance(step, ReplyDelta))


async def test_a_reply_comes_step_by_step(palaver: Palaver):
    answer_by(palaver, Scripted([Thought("Hm."), LOOK, "It ", a_moment, "is ", a_moment, "blue."]))
    steps = await steps_of(palaver, "What colour is the sky?", key="k")
    accepted, started, *said, finished = steps
    assert isinstance(accepted, MessageAccepted)
    assert isinstance(started, ReplyStarted)
    assert isinstance(finished, ReplyFinished)
    reply = finished.turn
    assert (accepted.key, accepted.message.content) == ("k", "What colour is the sky?")
    assert (started.message_id, started.turn_number) == (reply.id, 1)
    assert text_of(said) == reply.content == "It is blue."
    assert [step.offset for step in said if isinstance(step, ReplyDelta)] == [0, 3, 6]
    assert [step.text for step in said if isinstance(step, ReplyThinking)] == ["Hm."]
    assert [(step.tool_name, step.state) for step in said if isinstance(step, ReplyTool)] == [
        ("look", "started"),
        ("look", "finished"),
    ]
    question, stored = await messages(palaver, reply.conversation_id)
    assert accepted.message == question
    assert stored == reply
    assert (stored.thinking_text, stored.status) == ("Hm.", "complete")


async def test_whoever_joins_late_gets_the_text_so_far(palaver: Palaver):
    halt = Halt()
    answer_by(palaver, Scripted(["One, ", "two, ", halt, "three."]))
    send = asyncio.create_task(palaver.send("Count"))
    await halt.reached.wait()
    async with aclosing(palaver.replies()) as lives:
        live = await anext(lives)
    halt.go_on.set()
    async with aclosing(live.follow()) as following:
        late = [step async for step in following]
    assert isinstance(late[0], ReplyStarted)
    assert late[1] == ReplyDelta(
        conversation_id=live.conversation_id,
        message_id=live.message_id,
        offset=0,
        text="One, two, ",
    )
    assert text_of(late) == (await send).reply.content


async def test_a_slow_reader_gets_more_at_a_time(palaver: Palaver):
    answer_by(palaver, Scripted(["word "] * 1000))
    async with aclosing(palaver.stream("Talk")) as steps:
        await anext(steps)
        async with aclosing(palaver.replies()) as lives:
            live = await anext(lives)
        await live.wait()
        rest = [step async for step in steps]
    assert [type(step) for step in rest] == [ReplyStarted, ReplyDelta, ReplyFinished]
    assert text_of(rest) == "word " * 1000


async def test_a_stopped_reply_is_kept_as_far_as_it_came(palaver: Palaver):
    halt = Halt()
    answer_by(palaver, Scripted(["One, ", halt, "two."]))
    send = asyncio.create_task(palaver.send("Count", key="k"))
    await halt.reached.wait()
    async with aclosing(palaver.replies()) as lives:
        conversation = (await anext(lives)).conversation_id
    assert await palaver.stop(conversation)
    assert not await palaver.stop(conversation)
    reply = (await send).reply
    assert (reply.content, reply.status) == ("One, ", "interrupted")
    assert (await messages(palaver, conversation))[-1] == reply
    assert (await palaver.send("Count", key="k")).reply == reply


async def test_a_reply_stopped_before_it_says_anything_is_not_made_again(palaver: Palaver):
    gate = answer_by(palaver, Gate())
    send = asyncio.create_task(palaver.send("Hello", key="k"))
    await gate.waiting.wait()
    (conversation,) = (await palaver.conversations()).conversations
    await palaver.stop(conversation.id)
    stopped = await send
    assert (stopped.reply.content, stopped.reply.status) == ("", "interrupted")
    assert await palaver.send("Hello", key="k") == stopped
    assert await palaver.answer_waiting() == 0
    assert gate.asked == ["Hello"]


async def test_nothing_to_stop_is_no_error(palaver: Palaver):
    conversation = await palaver.start()
    assert not await palaver.stop(conversation.id)


async def test_stopping_one_reply_lets_the_next_message_be_answered(palaver: Palaver):
    halt = Halt()
    script = answer_by(palaver, Scripted(["One, ", halt, "two."]))
    conversation = await palaver.start()
    first = asyncio.create_task(palaver.send("Count", conversation_id=conversation.id))
    await halt.reached.wait()
    second = asyncio.create_task(palaver.send("Again", conversation_id=conversation.id))
    await stored(palaver, conversation.id, 2)
    script.script = ["Done."]
    await palaver.stop(conversation.id)
    assert (await first).reply.status == "interrupted"
    assert (await second).reply.content == "Done."


async def left(palaver: Palaver, conversation_id: str) -> None:
    async with aclosing(palaver.stream("Count", conversation_id=conversation_id)) as steps:
        async for step in steps:
            if isinstance(step, ReplyDelta):
                break


async def cancelled(palaver: Palaver, conversation_id: str, halt: Halt) -> None:
    send = asyncio.create_task(palaver.send("Count", conversation_id=conversation_id))
    await halt.reached.wait()
    send.cancel()
    with pytest.raises(asyncio.CancelledError):
        await send


@pytest.mark.parametrize("how", ["cancelled", "closed", "left"])
async def test_what_was_said_before_an_interruption_is_kept(tmp_path: Path, clock: Clock, how: str):
    async with AsyncExitStack() as waiting, library(tmp_path, clock) as palaver:
        halt, conversation = Halt(), await palaver.start()
        answer_by(palaver, Scripted(["One, ", halt, "two."]))
        if how == "left":
            await left(palaver, conversation.id)
        elif how == "cancelled":
            await cancelled(palaver, conversation.id, halt)
        else:
            sending = asyncio.create_task(palaver.send("Count", conversation_id=conversation.id))
            waiting.push_async_callback(asyncio.wait, [sending])
            await halt.reached.wait()
    async with library(tmp_path, clock) as palaver:
        _, reply = await messages(palaver, conversation.id)
        assert (reply.content, reply.status) == ("One, ", "interrupted")


async def test_a_detached_reply_goes_on_when_nobody_listens(palaver: Palaver):
    halt = Halt()
    answer_by(palaver, Scripted(["One, ", halt, "two."]))
    async with aclosing(palaver.stream("Count", detached=True)) as steps:
        await anext(steps)
        async with aclosing(palaver.replies()) as lives:
            live = await anext(lives)
        await halt.reached.wait()
    halt.go_on.set()
    assert (await live.wait()).content == "One, two."


async def test_a_failure_becomes_a_notice_and_can_be_tried_again(palaver: Palaver):
    script = answer_by(palaver, Scripted([ModelBusy()]))
    sent = await palaver.send("Hello", key="k")
    error = ModelBusy()
    assert sent.reply.status == "failed"
    assert sent.reply.content == f"{error.message} {error.remedy}"
    assert sent.reply.custom_payload == {
        "error": {"code": "model_busy", "message": error.message, "remedy": error.remedy}
    }
    assert sent.reply.suggested_actions == [{"type": "regenerate", "label": "Try again"}]
    assert await palaver.send("Hello", key="k") == sent
    packet = await palaver.context(sent.conversation_id, "Next")
    assert [one["content"] for one in packet.messages] == ["Hello", "Next"]
    script.script = ["Hi!"]
    again = await palaver.regenerate(sent.conversation_id, sent.reply.id)
    assert (again.reply.content, again.turn_number) == ("Hi!", 1)
    assert [one.content for one in await messages(palaver, sent.conversation_id)] == [
        "Hello",
        "Hi!",
    ]


async def test_a_failure_in_the_middle_keeps_the_text(palaver: Palaver):
    answer_by(palaver, Scripted(["It is ", ModelBusy()]))
    reply = (await palaver.send("Hello")).reply
    assert (reply.content, reply.status) == ("It is ", "interrupted")
    assert reply.custom_payload["error"]["code"] == "model_busy"
    assert reply.suggested_actions == [{"type": "regenerate", "label": "Try again"}]


@pytest.mark.parametrize("said", [" ", "a\0b", "\ud800", "x" * (1024 * 1024 + 1)])
async def test_a_reply_that_cannot_be_stored_becomes_a_notice(palaver: Palaver, said: str):
    answer_by(palaver, Scripted([said]))
    reply = (await palaver.send("Hello")).reply
    assert reply.status == "failed"
    assert reply.custom_payload["error"]["code"] == ModelMalformed.code


async def test_a_stopped_reply_keeps_nothing_of_what_was_erased_meanwhile(palaver: Palaver):
    kept = await palaver.start()
    secret = await palaver.append(kept.id, "user", "The code is Zwieback.")
    halt = Halt()

    class Quoting(Scripted):
        async def answer(
            self, task: Task, draft: ReplyDraft, frames: Frames
        ) -> AsyncGenerator[Delta]:
            draft.sources.append(Source(message_id=secret.id, quote="Zwieback"))
            async for delta in super().answer(task, draft, frames):
                yield delta

    answer_by(palaver, Quoting(["It is Zwieback", halt]))
    conversation = await palaver.start()
    send = asyncio.create_task(palaver.send("The code?", conversation_id=conversation.id))
    await halt.reached.wait()
    await palaver.redact(kept.id, secret.id)
    assert await palaver.stop(conversation.id)
    reply = (await send).reply
    assert (reply.content, reply.status) == ("", "interrupted")
    assert not [one for one in await palaver.lines(conversation.id) if b"Zwieback" in one.raw]


async def test_a_mistake_of_ours_is_raised_and_the_message_is_kept(palaver: Palaver):
    script = answer_by(palaver, Scripted([ZeroDivisionError()]))
    with pytest.raises(ZeroDivisionError):
        await palaver.send("Hello", new=True, key="k")
    script.script = ["Hi!"]
    assert (await palaver.send("Hello", new=True, key="k")).reply.content == "Hi!"


async def test_a_reply_keeps_what_it_was_made_from(palaver: Palaver):
    script = answer_by(palaver, Scripted(["One."]))
    first = await palaver.send("First", new=True)
    second = await palaver.send("Second", conversation_id=first.conversation_id)
    await palaver.send("Third", conversation_id=first.conversation_id)
    shown = await palaver.context(first.conversation_id, turn=2)
    assert shown.messages == script.tasks[1].packet.messages
    assert [one["content"] for one in shown.messages] == ["First", "One.", "Second"]
    assert second.reply.reply_to is not None
    await palaver.redact(first.conversation_id, first.reply.id)
    shown = await palaver.context(first.conversation_id, turn=2)
    assert [one["content"] for one in shown.messages] == ["First", "Second"]


async def test_a_write_tool_is_framed_and_never_used_again(palaver: Palaver):
    script = answer_by(palaver, Scripted([LOOK, ModelBusy()]))
    sent = await palaver.send("Look")
    script.script = [LOOK, "Done."]
    again = await palaver.regenerate(sent.conversation_id, sent.reply.id)
    assert again.reply.content == "Done."
    assert script.ran == [LOOK]
    (frame,) = script.tasks[1].earlier
    assert (frame.call, frame.output, frame.finished) == (LOOK, {"done": True}, True)
    events = [line.event for line in await palaver.lines(sent.conversation_id)]
    assert events.count("tool_started") == events.count("tool_finished") == 1


@pytest.mark.parametrize("which", ["question", "reply"])
async def test_erasing_a_message_takes_its_frames(palaver: Palaver, which: str):
    answer_by(palaver, Scripted([LOOK, "Blue."]))
    sent = await palaver.send("Look")
    assert sent.reply.reply_to
    await palaver.redact(
        sent.conversation_id, sent.reply.reply_to if which == "question" else sent.reply.id
    )
    lines = await palaver.lines(sent.conversation_id)
    assert [line for line in lines if line.event.startswith("tool")] == []


async def test_two_homes_in_one_process_do_not_answer_at_once(tmp_path: Path, clock: Clock):
    async with library(tmp_path, clock) as one, library(tmp_path, clock) as other:
        conversation = await one.start()
        gate = answer_by(one, Gate())
        elsewhere = answer_by(other, Gate())
        elsewhere.open.set()
        first = asyncio.create_task(one.send("One", conversation_id=conversation.id))
        await gate.waiting.wait()
        second = asyncio.create_task(other.send("Two", conversation_id=conversation.id))
        await stored(one, conversation.id, 2)
        await asyncio.wait([second], timeout=0.05)
        assert elsewhere.asked == []
        gate.open.set()
        assert [(await send).reply.content for send in (first, second)] == ["Re: One", "Re: Two"]


@pytest.mark.parametrize("engine", ["home", "postgres"])
async def test_messages_are_answered_in_order_whichever_process_they_wait_in(
    tmp_path: Path, clock: Clock, engine: str, request: pytest.FixtureRequest
):
    url = request.getfixturevalue("database_url") if engine == "postgres" else None
    async with AsyncExitStack() as stack:
        one, other = [
            await stack.enter_async_context(library(tmp_path, clock, database_url=url))
            for _ in range(2)
        ]
        conversation = (await one.start()).id
        gate = answer_by(one, Gate())
        answer_by(other, gate)
        sending: list[asyncio.Task[Reply]] = []
        for number, palaver in enumerate((one, other, one, other, one), 1):
            send = palaver.send(f"Message {number}", conversation_id=conversation)
            sending.append(asyncio.create_task(send))
            await stored(one, conversation, number)
        gate.open.set()
        await asyncio.gather(*sending)
        assert gate.asked == [f"Message {number}" for number in range(1, 6)]


async def test_a_reply_that_nobody_started_is_followed_to_its_end(palaver: Palaver):
    stored = (await palaver.send("Hello")).reply
    live = OwnReply(stored)

    async def made(_: OwnReply) -> Message:
        return stored

    live.run(made)
    async with aclosing(live.follow()) as steps:
        assert [step async for step in steps] == [
            ReplyFinished(conversation_id=stored.conversation_id, turn=stored)
        ]
