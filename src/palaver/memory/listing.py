"""Listing: all memories of some kind, however many there are."""

from __future__ import annotations

from palaver.index.port import After, MemoryFilter
from palaver.index.records import Memory
from palaver.memory.keeping import Keeping

_PAGE = 1000


async def every_memory(keeping: Keeping, wanted: MemoryFilter) -> list[Memory]:
    """All memories that are wanted, the newest first. Raises IndexUnavailable."""
    found: list[Memory] = []
    after: After | None = None
    while page := await keeping.index.memories(keeping.user, wanted, limit=_PAGE, after=after):
        found += page
        after = After(page[-1].updated, page[-1].id)
    return found
