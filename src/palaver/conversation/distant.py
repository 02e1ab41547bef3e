"""Replies that other nodes make, for whoever follows them here."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any

import orjson

from palaver.conversation.live_reply import LiveReply
from palaver.conversation.steps import ReplyTool
from palaver.errors import NotFound, StorageError, StorageFailed
from palaver.events import Relay
from palaver.events.port import Heard
from palaver.events.relay import Making, Part, Question, Shown
from palaver.index.records import Message

LOOK_ANYWAY = 2.0
"""While a reply is followed, one looks after so many seconds without a hint, too: its maker may
have died."""
Stored = Callable[[Question], Awaitable[Message | None]]


class DistantReply(LiveReply):
    """A reply that another node makes, as far as it was read."""

    def __init__(self, making: Making) -> None:
        super().__init__(making.question, "", 0)
        self.question = making.question
        self.last = 0
        """The number of the part that was read last."""

    def read(self, part: Part) -> None:
        self.last = part.number
        for step in orjson.loads(part.text):
            self._read(step)
        self._move()

    def finish(self, reply: Message) -> None:
        """It is stored. What was not read of it by then is told now."""
        if reply.id == self.message_id and reply.status in ("complete", "interrupted"):
            self.draft.thinking = _all(self.draft.thinking, reply.thinking_text or "")
            self.draft.content = _all(self.draft.content, reply.content)
        self.outcome.set_result(reply)
        self._move()

    def break_off(self) -> None:
        """Nobody makes it any more."""
        remedy = "It is made again by itself; if it does not come, send the message again."
        self._fail(StorageFailed("The reply was broken off.", remedy=remedy))
        self._move()

    def _read(self, step: Any) -> None:
        match step:
            case ["started", str(message_id), int(turn_number)]:
                self._turn_number = turn_number
                self._begin(message_id)
            case ["thinking", int(offset), str(text)]:
                self.draft.thinking = _and(self.draft.thinking, offset, text)
            case ["text", int(offset), str(text)]:
                self.draft.content = _and(self.draft.content, offset, text)
            case ["tool", str(name), "started" | "finished" | "failed" as state]:
                self._tools.append(ReplyTool(**self._named, tool_name=name, state=state))
            case _:  # a newer node tells it
                pass


def _and(there: str, offset: int, text: str) -> str:
    """Behind a gap nothing is read: it is told when the reply is stored."""
    return there[:offset] + text if offset <= len(there) else there


def _all(there: str, whole: str) -> str:
    return whole if whole.startswith(there) else there


class Distant:
    """All replies that other nodes make for one user, while somebody follows them."""

    def __init__(self, relay: Relay, stored: Stored, moved: Callable[[], None]) -> None:
        """`stored` gives the reply that a message has, `moved` is called when there is another."""
        self._relay = relay
        self._stored = stored
        self._moved = moved
        self._lives: dict[str, DistantReply] = {}
        self._followers = 0
        self._task: asyncio.Task[None] | None = None

    @property
    def lives(self) -> list[DistantReply]:
        return list(self._lives.values())

    @contextmanager
    def followed(self) -> Generator[None]:
        """Until the block ends, they are there."""
        self._followers += 1
        if self._task is None:
            self._task = asyncio.create_task(self._follow())
        try:
            yield
        finally:
            self._followers -= 1
            if not self._followers:
                self._leave(self._task)

    def _leave(self, task: asyncio.Task[None]) -> None:
        task.cancel()
        self._task = None
        for live in self._lives.values():
            live.break_off()
        self._lives.clear()

    async def _follow(self) -> None:
        with self._relay.follow() as heard:
            while True:
                looked = False
                with suppress(StorageError):  # it is looked again soon
                    await self._look()
                    looked = True
                await _reason_to_look(heard, None if looked and not self._lives else LOOK_ANYWAY)

    async def _look(self) -> None:
        """Raises StorageError."""
        shown = await self._relay.look({name: live.last for name, live in self._lives.items()})
        for one in shown:
            self._show(one)
        for name in self._lives.keys() - {one.making.id for one in shown}:
            await self._end(name)

    def _show(self, shown: Shown) -> None:
        name = shown.making.id
        live = self._lives.get(name) or DistantReply(shown.making)
        for part in shown.parts:
            live.read(part)
        if live.started and name not in self._lives:
            self._lives[name] = live
            self._moved()

    async def _end(self, name: str) -> None:
        live, stored = self._lives[name], None
        with suppress(NotFound):  # even the conversation is gone
            stored = await self._stored(live.question)
        del self._lives[name]
        if stored is None:
            live.break_off()
        else:
            live.finish(stored)


async def _reason_to_look(heard: Heard, anyway: float | None) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(anyway):
            await heard.next()
