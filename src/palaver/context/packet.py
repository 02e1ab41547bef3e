"""The packet: all that a model is given for one reply, what it costs, and where it came from."""

from __future__ import annotations

from pydantic import Field

from palaver.context.policy import SectionName
from palaver.context.references import PacketReferences
from palaver.index.records import Json, Memory, Moment, Record, Source


class TurnSummary(Record):
    """A turn in one line."""

    turn_number: int
    text: str


class OpenItem(Record):
    """Something that is left open, in the words it was said in."""

    text: str
    turn_number: int
    message_id: str


class PacketSection(Record):
    """A part of a packet, and what it costs."""

    name: SectionName
    tokens: int
    budget: int
    """What it could have cost at most."""
    sources: list[Source]
    """The messages it stands on."""


class LeftOut(Record):
    """Something that is not in the packet, or not all of it, and why."""

    section: SectionName
    reason: str


class ContextPacket(Record):
    """What a model sees of a conversation."""

    conversation_id: str
    conversation_status: str = "active"
    recent_turn_summaries: tuple[TurnSummary, ...] = ()
    rolling_summary: str | None = None
    active_topics: tuple[str, ...] = ()
    active_job_refs: tuple[str, ...] = ()
    pending_clarifications: tuple[OpenItem, ...] = ()
    open_loops: tuple[OpenItem, ...] = ()
    resolved_entities: dict[str, str] = Field(default_factory=dict[str, str])
    """What words such as "that task" stand for."""
    last_response_type: str | None = None
    context_compiled_at: Moment
    messages: list[Json]
    """In the form of OpenAI's API, ready for a model: sections first, then the history."""
    memories: tuple[Memory, ...] = ()
    """What is remembered of the user, as far as it is shown."""
    sections: list[PacketSection]
    tokens: int
    """What all messages cost together; never more than `budget`."""
    budget: int
    truncated_messages: int
    """How many earlier messages are not among the messages."""
    left_out: tuple[LeftOut, ...] = ()
    references: PacketReferences = Field(exclude=True)
    """The packet without its words, to be kept."""
