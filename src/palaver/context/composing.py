"""Composing: from what was chosen to the packet, with what it cost and what is not in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from palaver.context.asked import Asked
from palaver.context.packet import ContextPacket, LeftOut, OpenItem, PacketSection
from palaver.context.ports import Open
from palaver.context.references import PacketReferences, SectionReference, reference_to
from palaver.context.sections import Piece
from palaver.context.turns import recent_turns
from palaver.context.window import Window
from palaver.index.records import Source


@dataclass(frozen=True, slots=True)
class Filled:
    """What a packet shows."""

    pieces: Sequence[Piece]
    window: Window
    room: int
    """What the history could have cost."""
    missing: Sequence[LeftOut] = ()
    """What could not be looked for, or has no room at all."""


def compose(asked: Asked, filled: Filled, now: str) -> ContextPacket:
    """The packet, its sections in the order of the policy."""
    standing, window = asked.standing, filled.window
    order = [section.name for section in asked.policy.sections]
    pieces = sorted(filled.pieces, key=lambda piece: order.index(piece.name))
    references = PacketReferences(
        compiled_at=now,
        tokens=window.tokens + sum(piece.tokens for piece in pieces),
        budget=asked.budget,
        room=filled.room,
        truncated_messages=_truncated(asked, window),
        sections=tuple(_reference(piece) for piece in pieces),
        history=tuple(reference_to(block) for block in window.blocks),
        opening=window.opening is not None,
        marked=window.marked,
    )
    return ContextPacket(
        conversation_id=asked.conversation.id,
        conversation_status=standing.status,
        recent_turn_summaries=recent_turns(asked.history.messages),
        rolling_summary=next(
            (one.text for one in asked.summaries if one.section == "summary"), None
        ),
        active_topics=tuple(standing.active_topics),
        active_job_refs=tuple(job.ref or job.text for job in standing.active_job_refs),
        pending_clarifications=tuple(map(_open, standing.pending_clarifications)),
        open_loops=tuple(map(_open, standing.open_loops)),
        resolved_entities={name: one.text for name, one in standing.resolved_entities.items()},
        last_response_type=standing.last_response_type,
        context_compiled_at=now,
        messages=[*(piece.message for piece in pieces), *window.messages],
        memories=tuple(one for piece in pieces for one in piece.memories),
        sections=sections_of(references),
        tokens=references.tokens,
        budget=asked.budget,
        truncated_messages=references.truncated_messages,
        left_out=tuple(_left_out(asked, filled)),
        references=references,
    )


def sections_of(references: PacketReferences) -> list[PacketSection]:
    """What each section costs, the history last."""
    history = SectionReference(
        name="history",
        tokens=references.tokens - sum(one.tokens for one in references.sections),
        budget=references.room,
        ids=tuple(name for block in references.history for name in block.ids),
    )
    return [
        PacketSection(
            name=one.name,
            tokens=one.tokens,
            budget=one.budget,
            sources=[Source(message_id=name) for name in one.ids],
        )
        for one in (*references.sections, history)
    ]


def _reference(piece: Piece) -> SectionReference:
    return SectionReference(
        name=piece.name,
        tokens=piece.tokens,
        budget=piece.budget,
        ids=tuple(piece.ids),
        seq=piece.seq,
        day=piece.day,
        shown_on=piece.shown_on,
        memories=tuple(one.id for one in piece.memories),
    )


def _open(item: Open) -> OpenItem:
    return OpenItem(text=item.text, turn_number=item.turn, message_id=item.message_id)


def _truncated(asked: Asked, window: Window) -> int:
    """How many earlier messages are in no block that is shown."""
    shown = {name for block in window.blocks for name in block.ids}
    dropped = sum(name not in shown for block in asked.history.blocks for name in block.ids)
    return asked.history.missing + dropped


def _left_out(asked: Asked, filled: Filled) -> Iterator[LeftOut]:
    yield from filled.missing
    for piece in filled.pieces:
        if piece.left_out:
            yield LeftOut(section=piece.name, reason=piece.left_out)
    for reason in _missing_history(asked, filled):
        yield LeftOut(section="history", reason=reason)


def _missing_history(asked: Asked, filled: Filled) -> Iterator[str]:
    blocks = filled.window.blocks
    dropped = len(asked.history.blocks) - len(blocks)
    short = sum(bool(block.cuts) for block in blocks)
    bare = sum(block.bare for block in blocks)
    if asked.history.missing:
        yield f"Messages beyond the last turns, or told by a summary: {asked.history.missing}."
    if dropped:
        yield f"Messages that do not fit into {filled.room:,} tokens: {dropped}."
    if short:
        yield f"Messages or tool outputs that are shown head and tail: {short}."
    if bare:
        yield f"Messages that are shown without their tool calls: {bare}."
