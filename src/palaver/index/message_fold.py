"""The row of a message: made from its line, or from what an erasure left of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from palaver.index import values
from palaver.index.rows import MessageRow
from palaver.ledger.lines import ROLES, Line, derived_id

_STATED = ("complete", "streaming", "interrupted", "failed")

_READERS: dict[str, tuple[str, Callable[[object], Any]]] = {
    "supersedes": ("supersedes", values.text),
    "replyTo": ("reply_to", values.text),
    "channel": ("channel", values.text),
    "sender": ("sender", values.text),
    "author": ("author", values.json_author),
    "model": ("model", values.text),
    "parts": ("parts", values.json_objects),
    "thinkingText": ("thinking_text", values.text),
    "usage": ("usage", values.json_object),
    "cost": ("cost", values.number),
    "toolCalls": ("tool_calls", values.json_objects),
    "suggestedValues": ("suggested_values", values.json_list),
    "suggestedActions": ("suggested_actions", values.json_list),
    "customPayload": ("custom_payload", values.json),
    "intent": ("intent", values.text),
    "actionName": ("action_name", values.text),
    "jobRefs": ("job_refs", values.json_list),
    "sources": ("sources", values.json_sources),
    "key": ("key", values.text),
}


def message_row(line: Line, number: int, created: str) -> MessageRow:
    """The message that `line` holds, in turn `number` of a conversation begun at `created`."""
    data = line.data
    status = data.get("status")
    given: dict[str, Any] = {}
    for name, value in data.items():
        if reader := _READERS.get(name):
            given[reader[0]] = reader[1](value)
    return MessageRow(
        line.seq,
        line.id,
        data["role"],
        values.text(data.get("content")) or "",
        said_at(data) or created,
        number,
        status if status in _STATED else "complete",
        **given,
    )


def said_at(data: Mapping[str, Any]) -> str | None:
    """When it was said, or at least when the ledger took it, if the line says so."""
    return values.moment(data.get("timestamp")) or values.moment(data.get("at"))


def erased_row(stream: str, target: Mapping[str, Any], created: str) -> MessageRow | None:
    """What the record of an erasure keeps of a message; None when it was no message."""
    if target.get("role") not in ROLES:
        return None
    seq: int = target["seq"]
    return MessageRow(
        seq,
        values.text(target.get("id")) or derived_id(stream, seq),
        target["role"],
        "",
        values.moment(target.get("timestamp")) or created,
        values.count(target.get("turnNumber")) or 0,
        "redacted",
        values.text(target.get("supersedes")),
    )


def superseded(row: MessageRow) -> MessageRow:
    """The message once another one stands for it."""
    return row._replace(status="superseded")


def retracted(row: MessageRow) -> MessageRow:
    """The message without its words: its place, who spoke, and when."""
    return MessageRow(
        row.seq, row.id, row.role, "", row.timestamp, row.turn_number, "redacted", row.supersedes
    )


def edited(content: str) -> Callable[[MessageRow], MessageRow]:
    """The message with other words."""
    return lambda row: row._replace(content=content, parts=None)
