"""Debounce: a reply waits a little for more messages to come. Nothing else does."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from palaver.errors import PalaverError

log = logging.getLogger(__name__)

Wait = Callable[[float], Awaitable[object]]
_MOST = 5
"""So many times it waits at most: whoever goes on writing is answered all the same."""


@dataclass(slots=True)
class _Open:
    done: Callable[[], None]
    seconds: float
    touched: bool = True


class Debounce:
    """Who is still writing. Use it from one event loop."""

    def __init__(self, wait: Wait = asyncio.sleep) -> None:
        self._wait = wait
        self._open: dict[str, _Open] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._works: set[asyncio.Task[None]] = set()

    def is_open(self, name: str) -> bool:
        """Whether somebody wrote there a moment ago, and is not answered yet."""
        return name in self._open

    def touch(self, name: str, seconds: float, done: Callable[[], None]) -> None:
        """Somebody wrote. The `done` of the last message is called when no more has come for so
        many seconds."""
        if (known := self._open.get(name)) is not None:
            known.done, known.seconds, known.touched = done, seconds, True
            return
        writing = self._open[name] = _Open(done, seconds)
        task = self._tasks[name] = asyncio.create_task(self._run(writing))
        task.add_done_callback(lambda ended: self._end(name, writing, ended))

    def later(self, work: Coroutine[Any, Any, None]) -> None:
        """Has something done that a `done` begins, and waits for it before all is settled."""
        task = asyncio.create_task(work)
        self._works.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        """What failed is due all the same: it is found when it is next looked for."""
        self._works.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            code = error.code if isinstance(error, PalaverError) else type(error).__name__
            log.warning("answer_failed %s", code)

    async def settle(self) -> None:
        """Returns when nobody is waited for any more."""
        while pending := [*self._tasks.values(), *self._works]:
            await asyncio.gather(*pending, return_exceptions=True)

    async def close(self) -> None:
        """Nobody is answered any more: those who wait are, when it is next looked for them."""
        for task in (*self._tasks.values(), *self._works):
            task.cancel()
        await self.settle()

    async def _run(self, writing: _Open) -> None:
        for _ in range(_MOST):
            if not writing.touched:
                break
            writing.touched = False
            await self._wait(writing.seconds)

    def _end(self, name: str, writing: _Open, ended: asyncio.Task[None]) -> None:
        del self._open[name], self._tasks[name]
        if not ended.cancelled():
            writing.done()
