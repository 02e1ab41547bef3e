"""Keeping: how what is remembered comes into the user's stream, and how it leaves it for good.

Each line about a memory holds the whole of it, as it is from then on, with the words it stands on.
So the last line that is left counts, whatever was erased.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from palaver.errors import AlreadyExists, NotFound, Outdated
from palaver.index.memory_fold import (
    ADDED,
    CANDIDATE,
    EDITED,
    FORGOTTEN,
    OWNER,
    RESTORED,
    SUPERSEDED,
)
from palaver.index.port import Index
from palaver.index.records import Json, Memory
from palaver.ledger import lines
from palaver.ledger.lines import USER_STREAM, Draft
from palaver.ledger.port import Erasure, Ledger

__all__ = [
    "ADDED",
    "CANDIDATE",
    "EDITED",
    "FORGOTTEN",
    "OWNER",
    "RESTORED",
    "SUPERSEDED",
    "Keeping",
    "told",
    "until_written",
]
T = TypeVar("T")
_WAITS = (0, 0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 1, 1)
"""So many seconds are waited before something is written once more."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """One user's stream, and what the index makes of it."""

    ledger: Ledger
    index: Index
    user: str
    remains: Sequence[str] = ()
    """What is left of erased words where Palaver does not reach, in sentences."""

    async def seen(self) -> int:
        """How much of the stream what is asked from now on stands on. Raises IndexUnavailable."""
        return await self.index.length(self.user, USER_STREAM)

    async def write(self, events: Sequence[Draft], *, seen: int | None = None) -> None:
        """Appends in one commit; the stream begins with the first thing in it. Raises Outdated when
        more of the stream is there than was `seen`, and StorageFailed."""
        expected = None if seen is None else {USER_STREAM: seen}
        try:
            await self.ledger.append(events, expected=expected)
        except NotFound:
            begun = [lines.meta(USER_STREAM, user=self.user), *events]
            try:
                await self.ledger.append(begun, expected=expected)
            except AlreadyExists:  # somebody else has begun it meanwhile
                await self.ledger.append(events, expected=expected)

    async def erase(self, seqs: Sequence[int]) -> None:
        """Lines of the user's stream go for good. Raises StorageFailed."""
        if seqs:
            await self.ledger.erase(Erasure({USER_STREAM: sorted(set(seqs))}))


async def until_written(keeping: Keeping, attempt: Callable[[int], Awaitable[T]]) -> T:
    """What `attempt` gives, which is told how much of the stream was seen; again when somebody else
    has written meanwhile. Raises Outdated if that never ends."""
    for wait in _WAITS:
        try:
            return await attempt(await keeping.seen())
        except Outdated:
            await asyncio.sleep(wait)
    return await attempt(await keeping.seen())


def told(event: str, memory: Memory, by: str = OWNER) -> Draft:
    """The line that says what a memory is from now on, and who has made it so."""
    fields: Json = {
        "type": memory.type,
        "category": memory.category,
        "content": memory.content,
        "confidence": memory.confidence,
        "pinned": memory.pinned,
        "archived": memory.archived,
        "validFrom": memory.valid_from,
        "supersededBy": memory.superseded_by,
        "created": memory.created,
        "state": memory.state,
        "by": memory.by,
        "edited": memory.edited,
        "slot": memory.slot,
        "beside": memory.beside or None,
    }
    kept = {
        name: value for name, value in fields.items() if value is not None and value is not False
    }
    source = {
        "messageId": memory.source_message_id,
        "quote": memory.quote,
        "conversationId": memory.source_conversation_id,
    }
    sources = [source] if memory.source_message_id else None
    return lines.event(USER_STREAM, event, memoryId=memory.id, memory=kept, sources=sources, by=by)
