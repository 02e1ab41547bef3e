"""Events of a home: those of this process, and what other processes commit to the same files.

Every commit notes the position in the lock file of the home. While somebody listens, that note is
read a few times a second, without the lock; only when it has moved is the lock waited for, so that
whoever committed is done with the index, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager

from palaver.errors import StorageError
from palaver.events.local import Hints, LocalEvents
from palaver.events.port import Hint

_LOOK = 0.2
"""So many seconds pass between two looks."""


class HomeEvents:
    """The Events of one home. Use it from one event loop."""

    def __init__(
        self, user: str, noted: Callable[[], int], position: Callable[[], Awaitable[int]]
    ) -> None:
        """`noted` reads the position without waiting for anybody, `position` with the lock."""
        self._user = user
        self._noted = noted
        self._position = position
        self._local = LocalEvents()
        self._told = 0
        self._listening = 0
        self._watcher: asyncio.Task[None] | None = None

    def publish(self, hint: Hint) -> None:
        self._told = max(self._told, hint.pos)
        self._local.publish(hint)

    @contextmanager
    def listen(self, user: str) -> Generator[Hints]:
        with self._local.listen(user) as hints:
            self._listening += 1
            if self._watcher is None:
                self._watcher = asyncio.get_running_loop().create_task(self._watch())
            try:
                yield hints
            finally:
                self._listening -= 1
                if not self._listening:
                    self._watcher.cancel()
                    self._watcher = None

    async def _watch(self) -> None:
        while True:
            try:
                if await asyncio.to_thread(self._noted) > self._told:
                    self.publish(Hint(self._user, await self._position()))
            except (OSError, StorageError):
                pass  # a disk that cannot be read now is told to whoever reads the ledger
            await asyncio.sleep(_LOOK)
