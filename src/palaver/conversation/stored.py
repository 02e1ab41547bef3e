"""From lines to messages and back: how a message is stamped on its way into the ledger."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from palaver.conversation.records import NewMessage
from palaver.errors import BadValue
from palaver.index import values
from palaver.index.message_fold import message_row
from palaver.index.records import Json, Message
from palaver.index.rows import to_message
from palaver.ledger import lines
from palaver.ledger.lines import Draft, Line
from palaver.times import iso, parse

API = "api"
"""The namespace of keys that come in by the library and by REST."""
MAX_KEY = 255
_STAMPED = {"role", "content", "timestamp", "key", "debounced"}


def message_of(line: Line) -> Message:
    """The message that a line holds, without asking the index."""
    number = values.count(line.data.get("turnNumber"))
    return with_given_key(to_message(line.stream, message_row(line, number or 0, values.EPOCH)))


def with_given_key(message: Message) -> Message:
    """The message with its key as the caller gave it; keys of other surfaces stay as they are."""
    surface, _, given = (message.key or "").partition(":")
    return message.model_copy(update={"key": given}) if surface == API else message


def draft_of(new: NewMessage, conversation_id: str, channel: str, user: str) -> Draft:
    """The line to write for a message. Raises InputError."""
    given = new.model_dump(mode="json", by_alias=True, exclude_none=True, exclude=_STAMPED)
    draft = lines.turn(
        conversation_id,
        new.role,
        new.content,
        debounced=new.debounced,
        timestamp=said_at(new.timestamp),
        channel=channel,
        author=author_of(new.role, user),
        key=namespaced(API, new.key),
        **given,
    )
    return replace(draft, here=True)


def author_of(role: str, user: str) -> Json:
    """Who says it. Until other people can write, whoever speaks as the user is the owner."""
    match role:
        case "user":
            return {"kind": "owner", "id": user}
        case "assistant":
            return {"kind": "assistant"}
        case _:
            return {"kind": "system"}


def namespaced(surface: str, key: str | None) -> str | None:
    """A caller's key, kept apart from those of other surfaces. Raises BadValue."""
    if key is None:
        return None
    if not 0 < len(key) <= MAX_KEY:
        raise BadValue(f"A key has 1 to {MAX_KEY} characters.")
    return f"{surface}:{key}"


def said_at(timestamp: str | datetime | None) -> str | None:
    """The time as it is stored; without an offset it is taken as UTC. Raises BadValue."""
    if timestamp is None:
        return None
    return iso(parse(timestamp if isinstance(timestamp, str) else timestamp.isoformat()))
