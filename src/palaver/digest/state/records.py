"""The state of a conversation: what is going on in it, and what is left open."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from palaver.index.records import Record

STATE_VERSION = 6
"""Goes up when the same messages give another state: what was folded before is folded again."""

MAX_LOOPS = 24
MAX_CLARIFICATIONS = 8
MAX_JOBS = 24
MAX_CLOSED = 24
MAX_ENTITIES = 12
MAX_TOPICS = 8
MAX_TEXT = 240
"""How much is kept: the oldest goes first, and what is closed before what is open."""

Speaker = Literal["user", "assistant"]
Kind = Literal[
    "question",
    "request",
    "notice",
    "reminder",
    "task",
    "promise",
    "decision",
    "clarification",
    "job",
]
How = Literal["answered", "done", "decided", "withdrawn", "dropped"]
Status = Literal["active", "paused", "resuming", "awaiting_clarification", "shutdown_clean"]


class Closing(Record):
    """What closed an item."""

    message_id: str
    turn: int
    how: How


class Item(Record):
    """Something that later turns should come back to, in the words it was said in."""

    kind: Kind
    text: str
    message_id: str
    seq: int
    turn: int
    owed_by: Speaker
    said_by: Speaker = "user"
    ref: str | None = None
    """The name of a job."""
    terms: tuple[str, ...] = ()
    """The stems that tell what it is about."""
    closed: Closing | None = None


class Referent(Record):
    """What words such as "that task" or "the second one" stand for."""

    kind: Literal["job", "item", "loop"]
    text: str
    message_id: str
    turn: int


class Floor(Record):
    """What the next message is heard against."""

    asks: Literal["", "question", "request"] = ""
    """What the user asked for and has not got yet."""
    offered: bool = False
    """Whether the last reply offers something: a yes asks for it."""
    replied: int = -1
    """The line of the last reply."""
    drafting: bool = False
    """Whether that is a text: questions in it are asked of somebody else."""
    terms: tuple[str, ...] = ()
    """What the last message was about."""
    choices: tuple[Referent, ...] = ()
    """The last list that was shown."""
    job: Referent | None = None
    """The job that was named last."""
    language: str = "en"


class State(Record):
    """The state of a conversation after the line `covers`."""

    version: int = STATE_VERSION
    covers: int = -1
    status: Status = "active"
    turn_count: int = 0
    last_intent: str | None = None
    last_response_type: str | None = None
    active_topics: tuple[str, ...] = ()
    open_loops: tuple[Item, ...] = ()
    pending_clarifications: tuple[Item, ...] = ()
    active_job_refs: tuple[Item, ...] = ()
    closed: tuple[Item, ...] = ()
    """The items that were closed last, whatever their kind."""
    resolved_entities: dict[str, Referent] = Field(default_factory=dict[str, Referent])
    topic_weights: dict[str, float] = Field(default_factory=dict[str, float])
    floor: Floor = Floor()

    @property
    def open_items(self) -> tuple[Item, ...]:
        return self.open_loops + self.pending_clarifications + self.active_job_refs
