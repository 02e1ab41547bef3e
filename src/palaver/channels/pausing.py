"""Pausing: how long a channel waits before it tries again, and longer each time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

Wait = Callable[[float], Awaitable[object]]
_FIRST = 1.0
_LONGEST = 60.0


class Pauses:
    """One second, two, four, … up to a minute; from the beginning once something has worked."""

    def __init__(self, wait: Wait = asyncio.sleep) -> None:
        self._wait = wait
        self._next = _FIRST

    def reset(self) -> None:
        self._next = _FIRST

    async def pause(self, wanted: float = 0) -> None:
        """Waits, and as long as the provider `wanted` at least."""
        seconds, self._next = max(self._next, wanted), min(2 * self._next, _LONGEST)
        await self._wait(seconds)
