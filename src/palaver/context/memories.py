"""Memories: what is remembered of the user and worth showing, in words that give no orders.

Those that are pinned come first, then those that have most to do with the message. Each stands
under a line of ours that says what kind of memory it is, and since when it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from palaver.context.quoting import NOTE
from palaver.context.sections import Entry, Piece, Purse, told
from palaver.index.port import Index, MemoryFilter
from palaver.index.records import Memory
from palaver.memory.finding import Finding
from palaver.text import quoted
from palaver.times import spoken_date

MAY_READ = "memory:read"
"""What one must be allowed to do to be shown them, or to be answered with them."""
NOT_ALLOWED = "Memories are not shown to whoever may not read them."
COMPANY = "Memories are not shown where others read along."
_HEADING = f"What is remembered of the user from any conversation. {NOTE}"
_MOST_PINNED = 100
"""More would not fit anyway."""


@dataclass(frozen=True, slots=True)
class MemoryReader:
    """Finds the memories of one user that a packet is to show."""

    index: Index
    user: str
    finding: Finding
    limit: int
    """So many are shown beside those that are pinned."""

    async def any(self) -> bool:
        """Whether there are any: most users have none, and to find out what a message means takes
        time. Raises IndexUnavailable."""
        return bool(await self.index.memories(self.user, MemoryFilter(), limit=1))

    async def worth_showing(self, text: str) -> list[Memory]:
        """Those that are pinned, then those that have to do with a message, the most relevant
        first: never one that waits, is archived, or has another in its place. Raises
        IndexUnavailable."""
        pinned = await self.index.memories(self.user, MemoryFilter(pinned=True), limit=_MOST_PINNED)
        if not self.limit or not text.strip():
            return pinned
        found = await self.finding.relevant(text, MemoryFilter(pinned=False), self.limit)
        return [*pinned, *(one.memory for one in found)]


def memories_piece(
    memories: Sequence[Memory], purse: Purse, zone: tzinfo
) -> tuple[Piece | None, str]:
    """The section that shows memories, as many as fit, the first ones first; and what is missing in
    it, in a sentence."""
    by_place = dict(enumerate(memories))
    entries = [Entry(_text(one, zone), (), place) for place, one in by_place.items()]
    chosen = purse.afford(_HEADING, entries)
    shown = [by_place[entry.place] for entry in chosen]
    why = _missing([one for one in memories if one not in shown])
    if not shown:
        return None, why
    ids = dict.fromkeys(one.source_message_id for one in shown)
    piece = purse.pay(told(_HEADING, chosen), [name for name in ids if name])
    return piece and replace(piece, memories=shown), why


def _text(memory: Memory, zone: tzinfo) -> str:
    since = spoken_date(memory.valid_from or memory.created, zone)
    return f"{memory.type.capitalize()}, since {since}:\n{quoted(memory.content)}"


def _missing(memories: Iterable[Memory]) -> str:
    left = list(memories)
    pinned = sum(one.pinned for one in left)
    if not left:
        return ""
    of_these = f", {pinned} of them pinned" if pinned else ""
    return f"Memories that do not fit: {len(left)}{of_these}."
