"""Replies in the making in this process: whoever wants to can follow one, from whenever on.

A reader is not sent what was said, but looks at what there is and remembers how far it has read.
So one who joins late gets the text so far, and one who is slow gets more at a time; nothing waits
for anybody.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from contextlib import suppress
from typing import Any

from palaver.agent.answering import Delta, ReplyDraft, ToolDone
from palaver.agent.language import ToolCall
from palaver.conversation.steps import (
    ReplyDelta,
    ReplyFinished,
    ReplyStarted,
    ReplyThinking,
    ReplyTool,
    Step,
)
from palaver.errors import PalaverError, StorageFailed
from palaver.index.records import Message
from palaver.ledger.lines import new_id

log = logging.getLogger(__name__)
Make = Callable[["LiveReply"], Coroutine[Any, Any, Message]]


class LiveReply:
    """A reply that is waited for, being made, or just made."""

    def __init__(self, question: Message) -> None:
        self.question = question
        self.conversation_id = question.conversation_id
        self.message_id = new_id("msg")
        self.draft = ReplyDraft()
        self.stopped = False
        """Whether somebody asked for it to be stopped."""
        self.outcome: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._tools: list[ReplyTool] = []
        self._beginnings = 0
        self._task: asyncio.Task[None] | None = None
        self._can_stop = True
        self._moved = asyncio.Event()

    @property
    def started(self) -> bool:
        return self._beginnings > 0

    # -- for whoever makes it ----------------------------------------------------------------

    def begin(self) -> None:
        """The reply is made from here on; what an earlier beginning gave is gone."""
        if self.started:
            self.message_id = new_id("msg")
        self.draft = ReplyDraft()
        self._tools.clear()
        self._beginnings += 1
        self._can_stop = True
        self._move()

    def tell(self, delta: Delta) -> None:
        """A step was made; the draft holds it already."""
        match delta:
            case ToolCall():
                self._tools.append(self._tool(delta, "started"))
            case ToolDone():
                self._tools.append(self._tool(delta.call, "failed" if delta.failed else "finished"))
            case _:
                pass
        self._move()

    def keep(self) -> None:
        """Nothing stops it any more: what there is will be stored."""
        self._can_stop = False

    def run(self, make: Make) -> asyncio.Task[None]:
        """Has it made, in a task of its own."""
        self._task = asyncio.create_task(self._run(make))
        return self._task

    async def _run(self, make: Make) -> None:
        try:
            self.outcome.set_result(await make(self))
        except asyncio.CancelledError:
            self._fail(StorageFailed("The reply was not made.", remedy="Send the message again."))
        except Exception as error:  # noqa: BLE001 - whoever waits for the reply gets it
            self._fail(error)
        finally:
            self._move()

    def _fail(self, error: Exception) -> None:
        if not isinstance(error, PalaverError):  # where, without what: it may quote a message
            places = "".join(traceback.format_tb(error.__traceback__))
            log.error("reply_broken %s\n%s", type(error).__name__, places)
        self.outcome.set_exception(error)
        self.outcome.exception()  # there need not be anybody who waits for it

    def _move(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()

    def _tool(self, call: ToolCall, state: str) -> ReplyTool:
        return ReplyTool.model_validate({**self._named, "tool_name": call.name, "state": state})

    @property
    def _named(self) -> dict[str, Any]:
        return {"conversation_id": self.conversation_id, "message_id": self.message_id}

    # -- for everybody -----------------------------------------------------------------------

    def stop(self, *, asked: bool = True) -> bool:
        """Ends it; what there is of it will be kept. Whether there was anything to end."""
        if self._task is None or self._task.done() or not self._can_stop or self.stopped:
            return False
        self.stopped = asked
        self._can_stop = False
        return self._task.cancel()

    async def end(self, *, asked: bool = True) -> bool:
        """The same; returns when it is stored."""
        if not self.stop(asked=asked):
            return False
        with suppress(Exception):  # whoever waits for the reply gets it
            await self.wait()
        return True

    async def wait(self) -> Message:
        """The reply as it is stored. Raises what kept it from being made."""
        return await asyncio.shield(self.outcome)

    async def follow(self) -> AsyncGenerator[Step]:
        """The steps so far, and then those to come. Raises what kept it from being made."""
        seen = _Seen()
        while True:
            moved, over = self._moved, self.outcome.done()
            for step in self._since(seen):
                yield step
            if over:
                turn = self.outcome.result()
                yield ReplyFinished(conversation_id=self.conversation_id, turn=turn)
                return
            await moved.wait()

    def _since(self, seen: _Seen) -> Iterator[Step]:
        if seen.beginnings < self._beginnings:
            seen.restart(self._beginnings)
            yield ReplyStarted(**self._named, turn_number=self.question.turn_number)
        draft, named = self.draft, self._named
        if thought := draft.thinking[seen.thinking :]:
            yield ReplyThinking(**named, offset=seen.thinking, text=thought)
            seen.thinking += len(thought)
        for step in self._tools[seen.tools :]:
            yield step
            seen.tools += 1
        if text := draft.content[seen.content :]:
            yield ReplyDelta(**named, offset=seen.content, text=text)
            seen.content += len(text)


class _Seen:
    """How far a reader has read."""

    def __init__(self) -> None:
        self.restart(0)

    def restart(self, beginnings: int) -> None:
        self.beginnings = beginnings
        self.content = self.thinking = self.tools = 0


class Replies:
    """All replies in the making in this process, for one user."""

    def __init__(self) -> None:
        self._lives: dict[LiveReply, None] = {}
        """In the order in which they were wanted."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._moved = asyncio.Event()

    def run(self, live: LiveReply, make: Make) -> LiveReply:
        """Has a reply made."""
        self._lives[live] = None
        task = live.run(make)
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._end(live, done))
        self._moved.set()
        self._moved = asyncio.Event()
        return live

    def _end(self, live: LiveReply, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        del self._lives[live]

    @property
    def are_made(self) -> bool:
        return bool(self._tasks)

    def answering(self, question_id: str) -> LiveReply | None:
        """The reply to a message that is being made, or is waited for."""
        found = (one for one in self._lives if one.question.id == question_id)
        return next(found, None)

    async def stop(self, conversation_id: str) -> bool:
        """Ends the reply that is being made in a conversation; returns when what there is of it is
        stored. Whether there was one."""
        lives = [one for one in self._lives if one.conversation_id == conversation_id]
        for live in lives:
            if live.started and await live.end():
                return True
        return False

    async def watch(self) -> AsyncGenerator[LiveReply]:
        """Each reply that is being made, or is waited for, now or from now on."""
        seen = set[LiveReply]()
        while True:
            moved = self._moved
            seen &= self._lives.keys()
            for live in [one for one in self._lives if one not in seen]:
                seen.add(live)
                yield live
            await moved.wait()

    async def close(self) -> None:
        """Ends them all; returns when what there is of them is stored."""
        for live in list(self._lives):
            live.stop(asked=False)
        await self.settle()

    async def settle(self, within: float | None = None) -> None:
        """Returns when those that are wanted now are made, or after so many seconds."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=within)
