"""The ports of this room: what a packet is made of, and somebody else knows.

Whoever stands for a port answers at a cost that does not grow with the conversation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from palaver.context.policy import SectionName
from palaver.index.records import ConversationMeta


class Named(Protocol):
    """Something that was said."""

    @property
    def text(self) -> str: ...
    @property
    def message_id(self) -> str: ...


class Open(Named, Protocol):
    """Something that is left open, and the turn in which it came up."""

    @property
    def turn(self) -> int: ...


class Job(Open, Protocol):
    """Work that goes on somewhere, by its name."""

    @property
    def ref(self) -> str | None: ...


class Standing(Protocol):
    """Where a conversation stands."""

    @property
    def covers(self) -> int:
        """The line up to which it was read."""
        ...

    @property
    def status(self) -> str: ...
    @property
    def active_topics(self) -> Sequence[str]: ...
    @property
    def open_loops(self) -> Sequence[Open]: ...
    @property
    def pending_clarifications(self) -> Sequence[Open]: ...
    @property
    def active_job_refs(self) -> Sequence[Job]: ...
    @property
    def resolved_entities(self) -> Mapping[str, Named]: ...
    @property
    def last_response_type(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class NothingKnown:
    """Where a conversation stands of which nobody has kept the state."""

    covers: int = -1
    status: str = "active"
    active_topics: Sequence[str] = ()
    open_loops: Sequence[Open] = ()
    pending_clarifications: Sequence[Open] = ()
    active_job_refs: Sequence[Job] = ()
    resolved_entities: Mapping[str, Named] = field(default_factory=dict[str, Named])
    last_response_type: str | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary that stands for a part of a conversation."""

    section: SectionName
    """Where it belongs: `summary`, or `today` and `yesterday`."""
    text: str
    covers: int
    """The line up to which it tells what was said."""
    seq: int
    """The line of the event that holds it."""
    made: str
    """When it was made."""
    sources: Sequence[str] = ()
    """The messages it stands on."""
    day: str | None = None
    """The day of which it tells, if it tells of one."""
    shown_on: str | None = None
    """The day on which it is shown: whether its day was yesterday depends on it."""


class States(Protocol):
    """Whoever keeps the states of conversations."""

    async def state(self, conversation: ConversationMeta) -> Standing: ...


class Summaries(Protocol):
    """Whoever keeps the summaries of conversations."""

    async def newest(self, conversation: ConversationMeta) -> Sequence[Summary]:
        """The summaries that hold now: at most one for each section."""
        ...

    async def at(self, conversation_id: str, seq: int, *, day: str | None = None) -> Summary | None:
        """The summary in a line, of a day if that is named; None when it is erased."""
        ...
