"""Rescuing: memories that the owner holds on to outlive the conversation they came from.

Whatever was learned from a message goes with it, and what it had replaced holds again. What is
pinned or worded by hand stays, and says no more where it came from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palaver.index.records import Memory
from palaver.memory.keeping import EDITED, Keeping, told, until_written
from palaver.memory.reviving import drafts_of, holding, revived

NO_SOURCE = {"source_message_id": None, "source_conversation_id": None, "quote": None}


@dataclass(frozen=True, slots=True)
class Going:
    """What becomes of memories when what they stand on is erased."""

    kept: Sequence[Memory]
    """Those that stay, without their source."""
    lost: Sequence[Memory]
    back: Sequence[Memory] = ()
    """Those that hold again, because what had taken their place is lost."""


NOTHING = Going((), ())


def is_owned(memory: Memory) -> bool:
    """Whether the owner holds on to it: it is pinned, or they have worded it."""
    return memory.pinned or memory.edited or memory.by == "user"


class Rescuing:
    """Keeps the memories of one user."""

    def __init__(self, keeping: Keeping) -> None:
        self._keeping = keeping

    async def going(self, seqs: Sequence[int]) -> Going:
        """What becomes of the memories of which some lines tell. Raises IndexUnavailable."""
        index, user = self._keeping.index, self._keeping.user
        if not seqs:
            return NOTHING
        names = {line.memory.id for line in await index.memories_at(user, seqs)}
        found = await index.some_memories(user, sorted(names))
        kept = [one for one in found if one.pinned or one.edited]
        lost = [one for one in found if one not in kept]
        return Going(kept, lost, holding(await revived(self._keeping, lost)))

    async def keep(self, going: Going) -> None:
        """Writes down what stays, without its source, and what holds again. Raises
        StorageFailed."""
        names = [one.id for one in going.kept]

        async def attempt(seen: int) -> None:
            index, user = self._keeping.index, self._keeping.user
            found = await index.some_memories(user, names)
            bare = [one.model_copy(update=NO_SOURCE) for one in found]
            drafts = [told(EDITED, one) for one in bare]
            drafts += drafts_of(await revived(self._keeping, going.lost, bare))
            if drafts:
                await self._keeping.write(drafts, seen=seen)

        if names or going.lost:
            await until_written(self._keeping, attempt)
