"""Libraries: the conversations of the users who are served, each opened once and kept a while."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import (
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from dataclasses import dataclass, field
from typing import TypedDict

from palaver.app import Palaver
from palaver.errors import IndexUnavailable, StorageError
from palaver.jobs import Job

MOST, MOST_HOMES = 200, 20
"""How many are kept open that nobody uses at the moment, in a database and in homes: each home has
files and threads of its own."""
IDLE_SECONDS = 600.0
DIGEST_SECONDS = 300.0
"""So long after a conversation fell quiet a home is kept open, for its digests."""


Told = Callable[[Palaver], Awaitable[None]]
ANSWER_EVERY = 60.0
"""After so many seconds it is looked again for messages whose process has died."""


@dataclass(slots=True)
class _Kept:
    palaver: Palaver | None = None
    """None until it is open, and when it has been closed."""
    users: int = 0
    """How many requests use it."""
    left: float = 0.0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Whoever opens or closes it."""

    @property
    def is_used(self) -> bool:
        """A reply is made to its end, also when nobody waits for it any more."""
        return self.users > 0 or (self.palaver is not None and self.palaver.is_replying)

    @contextmanager
    def used(self) -> Generator[None]:
        """Nobody closes it until the block ends."""
        self.users += 1
        try:
            yield
        finally:
            self.users -= 1


class Libraries:
    """Whoever has credentials is let in, to what is their own: in a home, or in a database."""

    def __init__(
        self,
        first: Palaver,
        open_for: Callable[[str], Palaver],
        *,
        most: int = MOST,
        idle_seconds: float = IDLE_SECONDS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """`first` is open as long as this is; `open_for` gives one that is not open yet."""
        self._first = first
        self._open_for = open_for
        self._most = most
        self._idle = idle_seconds
        self._now = now
        self._kept: dict[str, _Kept] = {}
        """Those that were left last come last."""

    @asynccontextmanager
    async def of(self, user: str) -> AsyncGenerator[Palaver]:
        """The conversations of a user who was let in, open until the block ends."""
        if user == self._first.user:
            yield self._first
            return
        kept = self._kept.setdefault(user, _Kept())
        try:
            with kept.used():
                yield await self._opened(user, kept)
        finally:
            kept.left = self._now()
            self._kept[user] = self._kept.pop(user, kept)
            await self._close_some()

    async def ready(self) -> None:
        """Raises StorageError, IndexUnavailable when nobody can be served now."""
        await self._first.ready()

    async def jobs(self) -> list[Job]:
        """What is to be done in the background for everybody who is served: of homes, in those that
        are open, as nothing is done in the others. Raises StorageError."""
        if _shares(self._first):
            return await self._first.jobs(everyone=True)
        found = await self._first.jobs()
        for kept in list(self._kept.values()):
            if kept.palaver is not None:
                with kept.used():
                    found += await kept.palaver.jobs()
        return found

    async def answer_waiting(self) -> None:
        """Whoever waits because a process died is answered: of homes, in those that are open."""
        await _answer_waiting(self._first)
        for kept in list(self._kept.values()):
            if kept.palaver is not None:
                with kept.used():
                    await _answer_waiting(kept.palaver)

    def opened(self) -> list[Palaver]:
        """Those that are open now."""
        kept = (one.palaver for one in self._kept.values())
        return [self._first, *(palaver for palaver in kept if palaver is not None)]

    async def close(self) -> None:
        """Closes everything; nobody may be using it any more."""
        await asyncio.gather(*(self._end(user, kept) for user, kept in list(self._kept.items())))

    async def _end(self, user: str, kept: _Kept) -> None:
        async with kept.turn:
            await self._close(user, kept)

    async def _opened(self, user: str, kept: _Kept) -> Palaver:
        """Whoever comes first opens it, and the others wait; so do they until it is closed."""
        async with kept.turn:
            if kept.palaver is None:
                kept.palaver = await self._open_for(user).__aenter__()
                await _answer_waiting(kept.palaver)
            return kept.palaver

    async def _close_some(self) -> None:
        """Closes those that nobody has used for long, and the longest unused of too many."""
        idle = [(user, kept) for user, kept in self._kept.items() if not kept.is_used]
        spare = len(idle) - self._most
        before = self._now() - self._idle
        for number, (user, kept) in enumerate(idle):
            if number < spare or kept.palaver is None or kept.left < before:
                async with kept.turn:
                    if not kept.is_used:  # somebody may have come meanwhile
                        await self._close(user, kept)

    async def _close(self, user: str, kept: _Kept) -> None:
        """Whoever comes in the middle of it waits, and has it opened again."""
        palaver, kept.palaver = kept.palaver, None
        if palaver is not None:
            await palaver.__aexit__(None, None, None)
        if not kept.users and self._kept.get(user) is kept:
            del self._kept[user]


async def _answer_waiting(palaver: Palaver) -> None:
    """Messages are answered that wait because a process died; if that cannot be, another time."""
    with suppress(IndexUnavailable, StorageError):
        await palaver.answer_waiting()


async def _keep_answering(libraries: Libraries, first: Palaver, told: Told) -> None:
    await libraries.answer_waiting()
    with suppress(StorageError):
        await told(first)
    while True:
        await asyncio.sleep(ANSWER_EVERY)
        await libraries.answer_waiting()


async def _nobody_told(palaver: Palaver) -> None:
    """For whoever does not want to know what the start has done."""


@asynccontextmanager
async def open_libraries(
    user: str, open_for: Callable[[str], Palaver], told: Told = _nobody_told
) -> AsyncGenerator[Libraries]:
    """What is served: everybody in the home or the database, and `user` from the beginning.
    Messages that wait there for an answer get it; then `told` is called with that first one."""
    async with open_for(user) as palaver, AsyncExitStack() as stack:
        libraries = Libraries(palaver, open_for, **_keeping(palaver))
        stack.push_async_callback(libraries.close)
        answering = _keep_answering(libraries, palaver, told)
        for work in (palaver.warm_up(), answering):
            stack.push_async_callback(_end, asyncio.create_task(work))
        yield libraries


def _shares(palaver: Palaver) -> bool:
    """Whether others are kept in the same place."""
    return palaver.settings.database.url is not None


class _Keeping(TypedDict):
    most: int
    idle_seconds: float


def _keeping(first: Palaver) -> _Keeping:
    """In a database whoever runs jobs digests; in a home only somebody who has it open."""
    if _shares(first):
        return {"most": MOST, "idle_seconds": IDLE_SECONDS}
    quiet = first.settings.conversations.idle_after.total_seconds()
    return {"most": MOST_HOMES, "idle_seconds": max(IDLE_SECONDS, quiet + DIGEST_SECONDS)}


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])
