"""References: a packet without a word of it, from which it is shown again.

They are kept with the reply. What is erased later is not shown again.
"""

from __future__ import annotations

from pydantic import Field

from palaver.context.blocks import Block
from palaver.context.clipping import Cut
from palaver.context.policy import SectionName
from palaver.index.records import Record


class BlockReference(Record):
    """A block: the messages it was made from, and what of it was shown."""

    ids: tuple[str, ...]
    bare: bool = False
    """Whether tool calls were left out."""
    cuts: dict[int, Cut] = Field(default_factory=dict[int, Cut])


class SectionReference(Record):
    """A section before the history."""

    name: SectionName
    tokens: int
    budget: int
    ids: tuple[str, ...] = ()
    """The messages it stood on."""
    seq: int | None = None
    """The line that it was taken from, or up to which the conversation was read for it."""
    day: str | None = None
    """The day of which it tells, if it tells of one."""
    shown_on: str | None = None
    """The day on which it was shown."""
    memories: tuple[str, ...] = ()
    """The memories it showed. How often one was used is counted from here."""


class PacketReferences(Record):
    """A packet as it is kept."""

    v: int = 1
    compiled_at: str
    tokens: int
    budget: int
    room: int
    """What the history could have cost."""
    truncated_messages: int
    sections: tuple[SectionReference, ...] = ()
    history: tuple[BlockReference, ...] = ()
    opening: bool = False
    """Whether the first block stood before the marker."""
    marked: bool = False


def reference_to(block: Block) -> BlockReference:
    return BlockReference(ids=block.ids, bare=block.bare, cuts=dict(block.cuts))
