"""Replies in the making: those of this process, and those of other nodes beside them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from palaver.conversation.distant import Distant, Stored
from palaver.conversation.live_reply import LiveReply
from palaver.conversation.own_reply import Make, OwnReply
from palaver.conversation.sharing import share
from palaver.events import Relay


class Replies:
    """All replies in the making for one user."""

    def __init__(self, relay: Relay, stored: Stored) -> None:
        """`stored` gives the reply that a message has."""
        self._relay = relay
        self._distant = Distant(relay, stored, self._move)
        self._lives: dict[OwnReply, None] = {}
        """In the order in which they were wanted."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._sharing: set[asyncio.Task[None]] = set()
        self._moved = asyncio.Event()

    def run(self, live: OwnReply, make: Make) -> OwnReply:
        """Has a reply made."""
        self._lives[live] = None
        task = live.run(make)
        self._tasks.add(task)
        sharing = asyncio.create_task(share(live, self._relay))
        self._sharing.add(sharing)
        sharing.add_done_callback(self._sharing.discard)
        task.add_done_callback(lambda done: self._end(live, done, sharing))
        self._move()
        return live

    def _end(self, live: OwnReply, task: asyncio.Task[None], sharing: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        sharing.cancel()
        del self._lives[live]

    def _move(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()

    @property
    def are_made(self) -> bool:
        """Whether any are, in this process."""
        return bool(self._tasks)

    def answering(self, question_id: str) -> OwnReply | None:
        """The reply to a message that is being made here, or is waited for."""
        found = (one for one in self._lives if one.question.id == question_id)
        return next(found, None)

    async def stop(self, conversation_id: str) -> bool:
        """Ends the reply that is being made here in a conversation; returns when what there is of
        it is stored. Whether there was one."""
        lives = [one for one in self._lives if one.conversation_id == conversation_id]
        for live in lives:
            if live.started and await live.end():
                return True
        return False

    async def watch(self) -> AsyncGenerator[LiveReply]:
        """Each reply that is being made, or is waited for, now or from now on."""
        seen = set[LiveReply]()
        with self._distant.followed():
            while True:
                moved = self._moved
                lives: list[LiveReply] = [*self._lives, *self._distant.lives]
                seen &= set(lives)
                for live in [one for one in lives if one not in seen]:
                    seen.add(live)
                    yield live
                await moved.wait()

    async def close(self) -> None:
        """Ends those of this process; returns when what there is of them is stored."""
        for live in list(self._lives):
            live.stop(asked=False)
        await self.settle()
        await asyncio.gather(*self._sharing, return_exceptions=True)

    async def settle(self, within: float | None = None) -> None:
        """Returns when those that are wanted now are made, or after so many seconds."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=within)
