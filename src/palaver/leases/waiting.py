"""Waiting for a lease that somebody else holds: nobody tells when it is free, so one looks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

_FIRST, _LONGEST = 0.01, 0.25


async def glances() -> AsyncIterator[None]:
    """Comes back again and again: soon at first, then less often."""
    pause = _FIRST
    while True:
        yield
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST)
