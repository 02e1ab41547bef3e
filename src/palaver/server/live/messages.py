"""Messages: everything that the server says by a socket, and how it goes out."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any, cast

import orjson

from palaver.errors import LimitReached, PalaverError
from palaver.index.records import ConversationMeta, Message, Record
from palaver.server.steps import EVENTS
from palaver.server.wire import Frames, in_frames


class ConversationLoaded(Record):
    """A conversation is shown with its last messages; or none is, and there are none."""

    conversation: ConversationMeta | None
    turns: list[Message]
    has_more: bool


class ConversationList(Record):
    """The conversations that something was said in last."""

    conversations: list[ConversationMeta]
    next_cursor: str | None


class ConversationCreated(Record):
    """A conversation began."""

    conversation: ConversationMeta


class ConversationUpdated(Record):
    """A message came, or became another one."""

    conversation_id: str
    turn: Message


class ConversationRenamed(Record):
    """A conversation has another title, and topics that were found with it."""

    conversation_id: str
    title: str | None
    topics: list[str]


class ConversationChanged(Record):
    """Anything else about a conversation is different."""

    conversation: ConversationMeta


class ConversationRemoved(Record):
    """A conversation was erased."""

    conversation_id: str


class DaySummaryUpdated(Record):
    """A day of the continuous conversation has another summary."""

    date: str
    """The day, as 2026-02-14."""
    conversation_id: str


class MemoryChanged(Record):
    """Something is remembered that was not, or otherwise than before; or it is forgotten."""

    memory_id: str | None
    """Which one, if it is one."""
    memory_ids: list[str]
    """All of them; none when they went with what they stood on: look again."""


class ExternalUpdated(Record):
    """Something has become of an exchange with an outsider, or it was erased."""

    external_id: str


class Resync(Record):
    """Too much has happened since `after`; what there is now follows."""


class MessagesLoaded(Record):
    """Earlier messages."""

    conversation_id: str
    turns: list[Message]
    has_more: bool


class Pong(Record):
    """Somebody is there."""


MESSAGES: Mapping[str, type[Record]] = {
    "conversation_loaded": ConversationLoaded,
    "conversation_list": ConversationList,
    "conversation_created": ConversationCreated,
    "conversation_updated": ConversationUpdated,
    "conversation_renamed": ConversationRenamed,
    "conversation_changed": ConversationChanged,
    "conversation_removed": ConversationRemoved,
    "day_summary_updated": DaySummaryUpdated,
    "memory_changed": MemoryChanged,
    "external_updated": ExternalUpdated,
    "resync": Resync,
    "messages_loaded": MessagesLoaded,
    **EVENTS,
    "pong": Pong,
}
"""Every kind of message, with what it holds. Beside that it may carry `eventId`, `requestId`, and
an error `conversationId` and `retryAfter`."""
_KINDS: Mapping[type[Record], str] = {record: kind for kind, record in MESSAGES.items()}


def encode(message: Record, **beside: Any) -> Frames:
    """A message, ready to go out to however many."""
    told = {name: _plain(value) for name, value in message}
    named = {type(message).model_fields[name].alias or name: told[name] for name in told}
    return in_frames(orjson.dumps({"type": _KINDS[type(message)], **named, **beside}))


def _plain(value: Any) -> Any:
    """Long lists are written down one by one, so that nobody has to wait for all of it."""
    if isinstance(value, list):
        return [orjson.Fragment(orjson.dumps(_plain(one))) for one in cast("list[Any]", value)]
    return value.to_json() if isinstance(value, Record) else value


def wait(error: PalaverError) -> dict[str, int]:
    """How many seconds to wait before another try, where that is known."""
    return {"retryAfter": ceil(error.retry_after)} if isinstance(error, LimitReached) else {}
