"""Watching: who looks at a conversation, and when the last one has left it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager

GRACE = 5.0
"""Whoever comes back within so many seconds has not left: a page that is loaded again."""

Wait = Callable[[float], Awaitable[object]]


class Watching:
    """Counts those who look at one user's conversations. Use it from one event loop."""

    def __init__(self, left: Callable[[str], None], wait: Wait = asyncio.sleep) -> None:
        """`left` is called with each conversation that the last one has left for good."""
        self._left = left
        self._wait = wait
        self._watching: Counter[str] = Counter()
        self._leaving: dict[str, asyncio.Task[None]] = {}

    @contextmanager
    def watch(self, conversation_id: str) -> Generator[None]:
        """Somebody looks at the conversation until the block ends."""
        self._watching[conversation_id] += 1
        if leaving := self._leaving.pop(conversation_id, None):
            leaving.cancel()
        try:
            yield
        finally:
            self._watching[conversation_id] -= 1
            if not self._watching[conversation_id]:
                del self._watching[conversation_id]
                self._leaving[conversation_id] = asyncio.create_task(self._leave(conversation_id))

    async def settle(self) -> None:
        """Returns when everybody who was about to leave has left, or has come back."""
        await asyncio.gather(*self._leaving.values(), return_exceptions=True)

    async def close(self) -> None:
        """What was left a moment ago is not told any more: it is seen when it has been quiet."""
        for leaving in self._leaving.values():
            leaving.cancel()
        await self.settle()

    async def _leave(self, conversation_id: str) -> None:
        await self._wait(GRACE)
        del self._leaving[conversation_id]
        self._left(conversation_id)
