"""Memories in the tests of the index."""

from __future__ import annotations

from typing import Any

from palaver.errors import AlreadyExists, NotFound
from palaver.ledger.lines import USER_STREAM, Line, event, meta
from tests.index.worlds import USER, World

MEMORY = "mem-01J00000000000000000000000"


async def remember(
    world: World, name: str, content: str, happened: str = "memory_added", **fields: Any
) -> Line:
    """A line about a memory; `sources` are those of the line, all else is of the memory."""
    sources = fields.pop("sources", None)
    memory = {"type": "fact", "content": content, **fields}
    said = event(USER_STREAM, happened, memoryId=name, memory=memory, sources=sources)
    try:
        return (await world.write(said))[0]
    except NotFound:
        try:
            return (await world.write(meta(USER_STREAM, user=USER), said))[1]
        except AlreadyExists:
            return (await world.write(said))[0]
