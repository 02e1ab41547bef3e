"""Withdrawing: what was learned of words that somebody has taken back, to say it otherwise.

What stands in the new words as well goes on with them. What is pinned or worded by hand stays, and
says no more where it came from. The rest goes, and whatever it had replaced holds again. Nothing of
that is marked as forgotten: the new words may say it in another way.
"""

from __future__ import annotations

from dataclasses import dataclass

from palaver.index.records import Memory, Message
from palaver.ledger.lines import USER_STREAM
from palaver.memory.forgetting import Forgetting
from palaver.memory.keeping import EDITED, Keeping, told, until_written
from palaver.memory.rescuing import NO_SOURCE, is_owned
from palaver.memory.reviving import drafts_of, revived


@dataclass(frozen=True, slots=True)
class Withdrawing:
    """Withdraws the memories of one user."""

    keeping: Keeping
    forgetting: Forgetting

    async def withdraw(self, old: Message, new: Message) -> None:
        """The `old` message is said as the `new` one now.

        Raises IndexUnavailable, StorageFailed.
        """
        lost = await until_written(self.keeping, lambda seen: self._attempt(old, new, seen))
        await self.forgetting.lines_go([one.id for one in lost])
        await self.keeping.erase(await self._lines(old))

    async def _attempt(self, old: Message, new: Message, seen: int) -> list[Memory]:
        """Writes down what stays, and gives what goes."""
        memories = await self._standing_on(old)
        stay = [changed for one in memories if (changed := _changed(one, new))]
        names = {one.id for one in stay}
        lost = [one for one in memories if one.id not in names]
        drafts = [told(EDITED, one) for one in stay]
        drafts += drafts_of(await revived(self.keeping, lost, stay))
        if drafts:
            await self.keeping.write(drafts, seen=seen)
        return lost

    async def _lines(self, old: Message) -> list[int]:
        """The lines about memories that name the old message."""
        standing = await self.keeping.index.dependents(self.keeping.user, [old.id])
        return [one.seq for one in standing if one.stream == USER_STREAM]

    async def _standing_on(self, old: Message) -> list[Memory]:
        index, user = self.keeping.index, self.keeping.user
        lines = await index.memories_at(user, await self._lines(old))
        names = list(dict.fromkeys(line.memory.id for line in lines))
        found = await index.some_memories(user, names) if names else []
        return [one for one in found if one.source_message_id == old.id]


def _changed(memory: Memory, new: Message) -> Memory | None:
    """What a memory is from now on; None when it goes."""
    if memory.quote and memory.quote in new.content:
        return memory.model_copy(update={"source_message_id": new.id})
    return memory.model_copy(update=NO_SOURCE) if is_owned(memory) else None
