"""Libraries: the conversations of the users who are served, each opened once and kept a while."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    suppress,
)
from dataclasses import dataclass, field
from typing import Protocol

from palaver.accounts import Principal
from palaver.app import Palaver
from palaver.errors import IndexUnavailable, StorageError
from palaver.jobs import Job
from palaver.server import doors

MOST = 200
"""How many are kept open that nobody uses at the moment."""
IDLE_SECONDS = 600.0


Told = Callable[[Palaver], Awaitable[None]]
ANSWER_EVERY = 60.0
"""After so many seconds it is looked again for messages whose process has died."""


class Libraries(Protocol):
    """Whose conversations a request may be about."""

    def enter(self, principal: Principal) -> Principal:
        """Lets somebody in who has shown valid credentials. Raises Forbidden."""
        ...

    def of(self, user: str) -> AbstractAsyncContextManager[Palaver]:
        """The conversations of a user who was let in, open until the block ends."""
        ...

    def opened(self) -> list[Palaver]:
        """Those that are open now."""
        ...

    async def ready(self) -> None:
        """Raises StorageError, IndexUnavailable when nobody can be served now."""
        ...

    async def jobs(self) -> list[Job]:
        """What is to be done in the background for everybody who is served. Raises StorageError."""
        ...


class OneLibrary:
    """An open home: it belongs to one user, and nobody else is let in."""

    def __init__(self, palaver: Palaver) -> None:
        self._palaver = palaver

    def enter(self, principal: Principal) -> Principal:
        return doors.enter(principal, self._palaver.user)

    @asynccontextmanager
    async def of(self, user: str) -> AsyncGenerator[Palaver]:
        yield self._palaver

    def opened(self) -> list[Palaver]:
        return [self._palaver]

    async def ready(self) -> None:
        await self._palaver.ready()

    async def jobs(self) -> list[Job]:
        return await self._palaver.jobs()


@dataclass(slots=True)
class _Kept:
    palaver: Palaver
    users: int = 0
    """How many requests use it."""
    left: float = 0.0
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    is_open: bool = False

    @property
    def is_used(self) -> bool:
        """A reply is made to its end, also when nobody waits for it any more."""
        return self.users > 0 or (self.is_open and self.palaver.is_replying)


class ManyLibraries:
    """Those of a database: everybody with credentials is let in, to what is their own."""

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

    def enter(self, principal: Principal) -> Principal:
        return principal

    @asynccontextmanager
    async def of(self, user: str) -> AsyncGenerator[Palaver]:
        if user == self._first.user:
            yield self._first
            return
        kept = self._kept.get(user) or _Kept(self._open_for(user))
        self._kept[user] = kept
        kept.users += 1
        try:
            yield await self._opened(kept)
        finally:
            kept.users -= 1
            kept.left = self._now()
            self._kept[user] = self._kept.pop(user)
            await self._close_some()

    async def ready(self) -> None:
        await self._first.ready()

    async def jobs(self) -> list[Job]:
        return await self._first.jobs(everyone=True)

    def opened(self) -> list[Palaver]:
        return [self._first, *(one.palaver for one in self._kept.values() if one.is_open)]

    async def close(self) -> None:
        """Closes everything; nobody may be using it any more."""
        kept, self._kept = self._kept, {}
        await asyncio.gather(*map(_close, kept.values()))

    async def _opened(self, kept: _Kept) -> Palaver:
        """Whoever comes first opens it, and the others wait."""
        async with kept.opening:
            if not kept.is_open:
                await kept.palaver.__aenter__()
                kept.is_open = True
                await _answer_waiting(kept.palaver)
        return kept.palaver

    async def _close_some(self) -> None:
        """Closes those that nobody has used for long, and the longest unused of too many."""
        idle = [user for user, kept in self._kept.items() if not kept.is_used]
        spare = len(idle) - self._most
        before = self._now() - self._idle
        gone = [user for n, user in enumerate(idle) if n < spare or self._is_over(user, before)]
        for kept in [self._kept.pop(user) for user in gone]:
            await _close(kept)

    def _is_over(self, user: str, before: float) -> bool:
        kept = self._kept[user]
        return not kept.is_open or kept.left < before


async def _close(kept: _Kept) -> None:
    if kept.is_open:
        await kept.palaver.__aexit__(None, None, None)


async def _answer_waiting(palaver: Palaver) -> None:
    """Messages are answered that wait because a process died; if that cannot be, another time."""
    with suppress(IndexUnavailable, StorageError):
        await palaver.answer_waiting()


async def _keep_answering(first: Palaver, opened: Callable[[], list[Palaver]], told: Told) -> None:
    await _answer_waiting(first)
    with suppress(StorageError):
        await told(first)
    while True:
        await asyncio.sleep(ANSWER_EVERY)
        for palaver in opened():
            if palaver in opened():  # it may have been closed meanwhile
                await _answer_waiting(palaver)


async def _nobody_told(palaver: Palaver) -> None:
    """For whoever does not want to know what the start has done."""


@asynccontextmanager
async def open_libraries(
    user: str, open_for: Callable[[str], Palaver], told: Told = _nobody_told
) -> AsyncGenerator[Libraries]:
    """What is served: the home of `user`, or everybody in the database. Messages that wait there
    for an answer get it; then `told` is called with the first who was opened."""
    async with open_for(user) as palaver, AsyncExitStack() as stack:
        if palaver.settings.database.url is None:
            libraries = OneLibrary(palaver)
        else:
            libraries = ManyLibraries(palaver, open_for)
            stack.push_async_callback(libraries.close)
        answering = _keep_answering(palaver, libraries.opened, told)
        for work in (palaver.warm_up(), answering):
            stack.push_async_callback(_end, asyncio.create_task(work))
        yield libraries


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])
