"""How lines change the row of a conversation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from palaver.index import values
from palaver.index.message_fold import said_at
from palaver.index.rows import SPEAKING_ROLES, ConversationRow, MessageRow
from palaver.ledger.lines import Line

WITH_MESSAGE, WITH_META, COUNTED = 1, 2, 3

Data = Mapping[str, Any]


def begun_by(stream: str, data: Data) -> ConversationRow:
    """A conversation of which nothing is known but a line that is no meta line."""
    return ConversationRow(stream, created=said_at(data) or values.EPOCH)


def take_meta(row: ConversationRow, data: Data) -> None:
    """Takes the meta line; a second one says nothing."""
    if row.begun >= WITH_META:
        return
    row.begun = WITH_META
    row.channel = values.text(data.get("channel")) or "web"
    row.mode = "continuous" if data.get("mode") == "continuous" else "standard"
    row.created = values.moment(data.get("created")) or row.created
    row.pinned = values.flag(data.get("pinned"))
    _update(row, data)
    if row.title and data.get("manuallyNamed") is True:
        row.manually_named = 1


def hear(row: ConversationRow, message: MessageRow) -> None:
    """Notes that somebody spoke: the latest counts, in whatever order it is heard."""
    if not row.begun:
        row.channel = message.channel or row.channel
        row.begun = WITH_MESSAGE
    if message.role in SPEAKING_ROLES:
        row.said = max(row.said or "", message.timestamp)
        row.turn_count = max(row.turn_count, message.turn_number)
        row.active_seq = max(row.active_seq, message.seq)


def take_event(row: ConversationRow, line: Line) -> None:
    """Takes an event; one that does not concern the row changes nothing."""
    if change := _EVENTS.get(line.event):
        change(row, line)


def _update(row: ConversationRow, data: Data) -> None:
    """Takes over what `data` names; the rest stays."""
    _name(row, data)
    row.participants = values.json_texts(data.get("participants")) or row.participants
    row.metadata = values.json_object(data.get("metadata")) or row.metadata
    row.channel_meta = values.json_object(data.get("channelMeta")) or row.channel_meta
    row.model = values.text(data.get("model")) or row.model


def _name(row: ConversationRow, data: Data) -> None:
    """Takes title and topics; a title that the user gave yields only to another one of theirs."""
    row.topics = values.json_texts(data.get("topics")) or row.topics
    title = values.text(data.get("title", data.get("name")))
    by_user = data.get("by") == "user"
    if title is not None and (by_user or not row.manually_named):
        row.title = title or None
        row.manually_named = int(by_user and bool(title))


def _abbreviate(row: ConversationRow, line: Line) -> None:
    row.abbreviation = values.text(line.data.get("text")) or row.abbreviation


def _change_model(row: ConversationRow, line: Line) -> None:
    row.model = values.text(line.data.get("model"))


def _pin(row: ConversationRow, line: Line) -> None:
    row.pinned = int(line.event == "pinned")


def _archive(row: ConversationRow, line: Line) -> None:
    row.archived_seq = max(row.archived_seq, line.seq)


def _unarchive(row: ConversationRow, line: Line) -> None:
    row.active_seq = max(row.active_seq, line.seq)


_EVENTS: dict[str, Callable[[ConversationRow, Line], None]] = {
    "title_assigned": lambda row, line: _name(row, line.data),
    "meta_update": lambda row, line: _update(row, line.data),
    "abbreviation": _abbreviate,
    "model_changed": _change_model,
    "pinned": _pin,
    "unpinned": _pin,
    "archived": _archive,
    "unarchived": _unarchive,
}
