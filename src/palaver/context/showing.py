"""Showing a packet again, from what was kept of it: with what is still there of its words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from itertools import groupby

from palaver.context.blocks import Block, text_of
from palaver.context.composing import sections_of
from palaver.context.memories import NOT_ALLOWED, memories_piece
from palaver.context.packet import ContextPacket, LeftOut
from palaver.context.ports import Summaries
from palaver.context.references import BlockReference, PacketReferences, SectionReference
from palaver.context.rounds import round_entry, rounds_piece
from palaver.context.sections import Piece, Purse, summary_piece
from palaver.context.tokens import TokenCounter
from palaver.context.window import Window
from palaver.context.wire import blocks_of
from palaver.index.port import Index
from palaver.index.records import Message
from palaver.times import Zone

_STATE = "The state is not kept; it is made from the messages up to line {seq}."
_GONE = "Erased since, or not kept: {count}."
_FORGOTTEN = "Forgotten since: {count}. The others are shown as they are now."


@dataclass(frozen=True, slots=True)
class PacketReader:
    """Shows packets of one user's conversations again."""

    index: Index
    user: str
    zone: Zone
    counter: TokenCounter
    summaries: Summaries | None = None

    async def show(
        self, conversation_id: str, kept: PacketReferences, *, memories: bool = True
    ) -> ContextPacket:
        """The packet as it was sent, without what was erased since. Raises IndexUnavailable."""
        without = () if memories else ("memories",)
        ids = [name for one in (*kept.sections, *kept.history) for name in one.ids]
        found = {one.id: one for one in await self.index.find(self.user, ids)}
        told = [await self._piece(conversation_id, one, found) for one in kept.sections]
        pieces = [piece for piece in told if piece and piece.name not in without]
        shown = tuple(one for piece in pieces for one in piece.memories)
        blocks = [_block(one, found, self.zone()) for one in kept.history]
        return ContextPacket(
            conversation_id=conversation_id,
            context_compiled_at=kept.compiled_at,
            messages=[
                *(piece.message for piece in pieces),
                *_history(kept, [block for block in blocks if block]),
            ],
            memories=shown,
            sections=sections_of(kept),
            tokens=kept.tokens,
            budget=kept.budget,
            truncated_messages=kept.truncated_messages,
            left_out=tuple(_left_out(kept, blocks.count(None), len(shown) if memories else None)),
            references=kept,
        )

    async def _piece(
        self, conversation_id: str, kept: SectionReference, found: Mapping[str, Message]
    ) -> Piece | None:
        purse = Purse(kept.name, kept.budget, self.counter)
        if kept.name == "rounds":
            messages = [found[name] for name in kept.ids if name in found]
            turns = groupby(messages, lambda one: one.turn_number)
            entries = [round_entry(list(round_), purse, self.zone()) for _, round_ in turns]
            return rounds_piece(entries, purse)
        if kept.name == "memories":
            left = await self.index.some_memories(self.user, kept.memories)
            return memories_piece(left, purse, self.zone())[0]
        if kept.name == "state" or self.summaries is None or kept.seq is None:
            return None
        found_again = await self.summaries.at(conversation_id, kept.seq, day=kept.day)
        if found_again is None:
            return None
        summary = replace(found_again, shown_on=kept.shown_on)
        return summary_piece(summary, purse, self.zone())


def _block(kept: BlockReference, found: Mapping[str, Message], zone: tzinfo) -> Block | None:
    there = [found[name] for name in kept.ids if name in found]
    blocks = blocks_of(there, zone)
    if not blocks or there[0].id != kept.ids[0]:
        return None
    block = blocks[0].only_said() if kept.bare else blocks[0]
    for number, cut in kept.cuts.items():
        if number < len(block.messages) and sum(cut) < len(text_of(block.messages[number])):
            block = block.cut(number, cut)
    return block


def _history(kept: PacketReferences, blocks: Sequence[Block]) -> Sequence[dict[str, object]]:
    opening = blocks[0] if kept.opening and blocks else None
    recent = tuple(blocks[1:] if opening else blocks)
    return Window(opening, kept.marked, recent, 0).messages


def _left_out(kept: PacketReferences, gone: int, remembered: int | None) -> Iterator[LeftOut]:
    for section in kept.sections:
        if section.memories and remembered is None:
            yield LeftOut(section="memories", reason=NOT_ALLOWED)
        elif forgotten := max(len(section.memories) - (remembered or 0), 0):
            yield LeftOut(section="memories", reason=_FORGOTTEN.format(count=forgotten))
        if section.name == "state":
            yield LeftOut(section="state", reason=_STATE.format(seq=section.seq))
    if gone:
        yield LeftOut(section="history", reason=_GONE.format(count=gone))
