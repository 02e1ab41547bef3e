"""Rows: what the index keeps of each message and each conversation, whatever engine stores it.

JSON is text, and a yes or no is 1 or 0, so that a row is the same before and after it is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from hashlib import blake2b
from operator import attrgetter
from typing import Any, NamedTuple

import orjson

from palaver.index.port import Owed
from palaver.index.records import ConversationMeta, Memory, Message, StoredSummary
from palaver.index.values import EPOCH

SPEAKING_ROLES = ("user", "assistant")
"""Who makes a conversation newer, and brings it back from the archive."""
SEARCHABLE_ROLES = (*SPEAKING_ROLES, "tool")
HIDDEN = ("superseded", "redacted")
UNSAID = (*HIDDEN, "failed")
"""Nobody said it, or nobody does any more: the notice of a failure is not found by its words."""
UNSEEN = (*UNSAID, "streaming")
"""Not shown to a model, and in no summary."""
IN_ABBREVIATION, IN_TITLE = 1, 2
"""Where something may stand in for what a model makes."""
STANDS_IN, BY_HAND = 1, 2
"""The marks of a summary."""


class MessageRow(NamedTuple):
    """A message: the fold of its line and of the events that name it."""

    seq: int
    id: str
    role: str
    content: str
    timestamp: str
    turn_number: int
    status: str = "complete"
    supersedes: str | None = None
    reply_to: str | None = None
    channel: str | None = None
    sender: str | None = None
    author: str | None = None
    model: str | None = None
    parts: str | None = None
    thinking_text: str | None = None
    usage: str | None = None
    cost: float | None = None
    tool_calls: str | None = None
    suggested_values: str | None = None
    suggested_actions: str | None = None
    custom_payload: str | None = None
    intent: str | None = None
    action_name: str | None = None
    job_refs: str | None = None
    sources: str | None = None
    key: str | None = None

    @property
    def searchable(self) -> bool:
        """Whether its words are in the full text."""
        return self.role in SEARCHABLE_ROLES and self.status not in UNSAID


class SummaryRow(NamedTuple):
    """What an event says in fewer words."""

    seq: int
    kind: str
    text: str
    through: int
    """The last turn of which it tells."""
    made: str
    sources: str
    by: str = ""
    """Who made it."""
    covers: int = -1
    """The last line of which it tells, if it says so."""
    marks: int = 0
    """Whether it stands in for what a model failed to make (1), and whether the owner has written
    some of it by hand (2)."""


class DayRow(NamedTuple):
    """A day of a continuous conversation begins, or is done."""

    seq: int
    kind: str
    """`opened` or `closed`."""
    label: str
    id: str
    zone: str
    turn: int
    """The first turn of the day, or the last."""
    at: str
    """When the ledger took it."""


class PreferenceRow(NamedTuple):
    """What a user has chosen for themselves, from a moment on."""

    seq: int
    name: str
    value: str | None
    """None to go by the settings again."""
    since: str


class MemoryRow(NamedTuple):
    """A memory, as one line about it says; the last line counts."""

    seq: int
    id: str
    event: str
    state: str
    type: str
    category: str | None
    content: str
    confidence: float
    pinned: int
    archived: int
    valid_from: str | None
    superseded_by: str | None
    created: str
    updated: str
    conversation_id: str | None
    message_id: str | None
    quote: str | None
    by: str
    edited: int
    slot: str | None
    beside: str | None
    """The ids of memories that say otherwise, and hold as well, as JSON."""
    changed_by: str
    """Who wrote the line."""


class UseRow(NamedTuple):
    """A reply was made with a memory."""

    seq: int
    memory_id: str
    at: str


class OblivionRow(NamedTuple):
    """Something was forgotten, and is not to be learned again."""

    seq: int
    salt: str
    digest: str


_MESSAGE_JSON = (
    "author",
    "parts",
    "usage",
    "tool_calls",
    "suggested_values",
    "suggested_actions",
    "custom_payload",
    "job_refs",
    "sources",
)


@dataclass(slots=True)
class ConversationRow:
    """A conversation, and all that its fold has to remember."""

    id: str
    channel: str = "web"
    mode: str = "standard"
    title: str | None = None
    topics: str = "[]"
    created: str = EPOCH
    said: str | None = None
    """When a user or an assistant last said something."""
    turn_count: int = 0
    participants: str = "[]"
    abbreviation: str | None = None
    manually_named: int = 0
    pinned: int = 0
    model: str | None = None
    metadata: str = "{}"
    channel_meta: str = "{}"
    archived_seq: int = -1
    """The last line that archived it."""
    active_seq: int = -1
    """The last line that brought it back: an event, or somebody who spoke."""
    heard: str | None = None
    """When the ledger took the last line in which somebody says something, or says it otherwise."""
    delay: int = 0
    """How many seconds that was after it was said."""
    heard_seq: int = -1
    """Which line that is. One that is erased was never heard."""
    abbreviated_seq: int = -1
    """The last line of which the abbreviation tells."""
    abbreviated_from: str = "[]"
    """The messages that the abbreviation stands on: it holds as long as they say what they said."""
    named_turn: int = 0
    """How many turns there were when it was named last, if whoever named it said so."""
    stands_in: int = 0
    """Whether the abbreviation (1), the title (2) or both (3) stand in for those of a model that
    failed to make them."""
    begun: int = 0
    """Whether it began: not yet (0), with a message (1), or with its meta line (2); 3 like 2, but
    some messages have no number of their own and are counted."""
    day_state: str = "{}"
    """Of a continuous conversation, how its days stand: see `palaver.index.day_fold`."""

    @property
    def updated(self) -> str:
        return self.said or self.created

    @property
    def archived(self) -> bool:
        return self.archived_seq > self.active_seq

    @property
    def needs_abbreviation(self) -> bool:
        told = self.abbreviated_seq >= self.heard_seq and not self.stands_in & IN_ABBREVIATION
        return self.mode == "standard" and self.heard_seq >= 0 and not told

    def values(self) -> tuple[Any, ...]:
        """The fields, in their order."""
        return _conversation_values(self)


CONVERSATION_FIELDS = tuple(field.name for field in fields(ConversationRow))
_conversation_values = attrgetter(*CONVERSATION_FIELDS)


def row_hash(stream: str, values: Sequence[Any]) -> bytes:
    """The hash that is stored with a row, so that silent damage to it is found."""
    return blake2b(orjson.dumps([stream, *values]), digest_size=16).digest()


def is_sound(stream: str, values: Sequence[Any], stored: object) -> bool:
    """Whether a row is what it was when its hash was stored."""
    try:
        return row_hash(stream, values) == stored
    except orjson.JSONEncodeError:  # damage has made a text into something else
        return False


def to_message(stream: str, row: MessageRow) -> Message:
    """The record of a message of `stream`."""
    fields = row._asdict()
    for name in _MESSAGE_JSON:
        if fields[name] is not None:
            fields[name] = orjson.loads(fields[name])
    fields["sources"] = fields["sources"] or []
    return Message(conversation_id=stream, **fields)


def to_conversation(row: ConversationRow) -> ConversationMeta:
    """The record of a conversation."""
    return ConversationMeta(
        id=row.id,
        channel=row.channel,
        mode="continuous" if row.mode == "continuous" else "standard",
        title=row.title,
        topics=orjson.loads(row.topics),
        created=row.created,
        updated=row.updated,
        turn_count=row.turn_count,
        participants=orjson.loads(row.participants),
        abbreviation=row.abbreviation,
        manually_named=bool(row.manually_named),
        pinned=bool(row.pinned),
        archived=row.archived,
        model=row.model,
        metadata=orjson.loads(row.metadata),
        channel_meta=orjson.loads(row.channel_meta),
        read_only=bool(row.pinned) and row.channel != "web",
        needs_abbreviation=row.needs_abbreviation,
    )


def to_owed(row: ConversationRow) -> Owed:
    """How a conversation stands."""
    days = orjson.loads(row.day_state)
    return Owed(
        conversation=to_conversation(row),
        heard=row.heard or row.updated,
        heard_seq=row.heard_seq,
        abbreviated_seq=row.abbreviated_seq,
        named_turn=row.named_turn,
        abbreviation_stands_in=bool(row.stands_in & IN_ABBREVIATION),
        title_stands_in=bool(row.stands_in & IN_TITLE),
        day=days.get("label"),
        over=tuple(label for label, _ in days.get("unclosed", ())),
        day_until=days.get("until"),
        untold=len(days.get("untold", ())),
        is_stale=bool(days.get("stale")),
    )


def to_summary(row: SummaryRow) -> StoredSummary:
    """The record of a summary."""
    fields = row._asdict() | {"sources": orjson.loads(row.sources)}
    marks = fields.pop("marks")
    return StoredSummary(**fields, stands_in=bool(marks & STANDS_IN), by_hand=bool(marks & BY_HAND))


def to_memory(row: MemoryRow, uses: tuple[int, str | None] = (0, None)) -> Memory:
    """The record of a memory; `uses` tells how many replies were made with it, and the last."""
    fields = row._asdict()
    del fields["seq"], fields["event"], fields["changed_by"]
    fields["beside"] = orjson.loads(row.beside) if row.beside else []
    fields["source_conversation_id"] = fields.pop("conversation_id")
    fields["source_message_id"] = fields.pop("message_id")
    return Memory(access_count=uses[0], last_accessed_at=uses[1], **fields)
