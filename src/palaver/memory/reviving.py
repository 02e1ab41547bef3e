"""Reviving: what a memory had taken the place of holds again once that memory goes.

If something else had taken the place of the one that goes, it has both places from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from palaver.index.port import EVERY_MEMORY
from palaver.index.records import Memory
from palaver.ledger.lines import Draft
from palaver.memory.keeping import RESTORED, SUPERSEDED, Keeping, told, until_written
from palaver.memory.listing import every_memory
from palaver.text import counted


async def revived(
    keeping: Keeping, gone: Sequence[Memory], changed: Sequence[Memory] = ()
) -> list[Memory]:
    """The memories whose successors are `gone`, as they are from then on; some of them may be
    `changed` at the same time. Raises IndexUnavailable."""
    going = {one.id for one in gone}
    now = {one.id: one for one in changed}
    found: list[Memory] = []
    for one in gone:
        for old in await every_memory(keeping, replace(EVERY_MEMORY, superseded_by=one.id)):
            if old.id not in going:
                next_ = await _next(keeping, one, gone)
                found.append(now.get(old.id, old).model_copy(update={"superseded_by": next_}))
    return found


async def revive(keeping: Keeping, gone: Sequence[Memory]) -> None:
    """Writes it down. Raises IndexUnavailable, StorageFailed."""

    async def attempt(seen: int) -> None:
        if drafts := drafts_of(await revived(keeping, gone)):
            await keeping.write(drafts, seen=seen)

    await until_written(keeping, attempt)


def drafts_of(found: Sequence[Memory]) -> list[Draft]:
    """The lines that say so."""
    return [told(SUPERSEDED if one.superseded_by else RESTORED, one) for one in found]


def holding(found: Sequence[Memory]) -> list[Memory]:
    """Those that hold again."""
    return [one for one in found if one.superseded_by is None]


def holds_again(many: int) -> str:
    """The same in a sentence, without a word of them."""
    hold = counted(many, "memory holds", "memories hold")
    return f"{hold} again: what had taken the place goes." if many else ""


async def _next(keeping: Keeping, memory: Memory, gone: Sequence[Memory]) -> str | None:
    """What has taken the place of a memory, and stays."""
    after = {one.id: one.superseded_by for one in gone}
    name = memory.superseded_by
    while name in after:
        name = after.pop(name)
    there = await keeping.index.some_memories(keeping.user, [name]) if name else []
    return name if there else None
