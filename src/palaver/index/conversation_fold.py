"""How lines change the row of a conversation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import orjson

from palaver.index import day_fold as days
from palaver.index import values
from palaver.index.message_fold import said_at
from palaver.index.rows import (
    IN_ABBREVIATION,
    IN_TITLE,
    SPEAKING_ROLES,
    UNSEEN,
    ConversationRow,
    MessageRow,
)
from palaver.index.summary_fold import covered
from palaver.ledger.lines import Line, sources_of

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


def hear(row: ConversationRow, message: MessageRow, data: Data) -> None:
    """Notes that somebody spoke: the latest counts, in whatever order it is heard. `data` is the
    line, or what an erasure left of it."""
    if not row.begun:
        row.channel = message.channel or row.channel
        row.begun = WITH_MESSAGE
    if message.role in SPEAKING_ROLES:
        row.said = max(row.said or "", message.timestamp)
        row.turn_count = max(row.turn_count, message.turn_number)
        row.active_seq = max(row.active_seq, message.seq)
        if message.status not in UNSEEN:
            _listen(row, message.seq, data)
            days.hear(row, message)


def outdate(row: ConversationRow, message_id: str) -> None:
    """A message says something else now, or nothing: the abbreviation holds if it does not stand on
    it."""
    if message_id in orjson.loads(row.abbreviated_from):
        row.abbreviation, row.abbreviated_seq, row.abbreviated_from = None, -1, "[]"
        row.stands_in &= ~IN_ABBREVIATION


def take_event(row: ConversationRow, line: Line) -> None:
    """Takes an event; one that does not concern the row changes nothing."""
    if change := _EVENTS.get(line.event):
        change(row, line)


def _listen(row: ConversationRow, seq: int, data: Data) -> None:
    """Notes when the ledger took a line that says something."""
    if seq <= row.heard_seq:
        return
    said, taken = values.moment(data.get("timestamp")), values.moment(data.get("at"))
    row.heard_seq, row.heard = seq, taken or said or values.EPOCH
    row.delay = 0
    if said and taken and said != taken:
        row.delay = (values.milliseconds(taken) - values.milliseconds(said)) // 1000


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
        row.named_turn = values.count(data.get("turn")) or 0
        _stand_in(row, IN_TITLE, data)


def _abbreviate(row: ConversationRow, line: Line) -> None:
    """Takes an abbreviation; one without a word says that there is nothing to tell."""
    text = values.text(line.data.get("text"))
    if text is None:
        return
    sources = {source["messageId"]: None for source in sources_of(line.data)}
    row.abbreviation = text or None
    row.abbreviated_seq = covered(line)
    row.abbreviated_from = orjson.dumps([*sources]).decode()
    _stand_in(row, IN_ABBREVIATION, line.data)


def _stand_in(row: ConversationRow, where: int, data: Data) -> None:
    stands_in = bool(values.text(data.get("standsInFor")))
    row.stands_in = row.stands_in & ~where | where * stands_in


def _change(row: ConversationRow, line: Line) -> None:
    """Takes it that a message does not say any more what it said."""
    if isinstance(line.data.get("messageId"), str):
        _listen(row, line.seq, line.data)


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
    days.SUMMARY: lambda row, line: days.tell(row, line, covered(line)),
    "model_changed": _change_model,
    "pinned": _pin,
    "unpinned": _pin,
    "archived": _archive,
    "unarchived": _unarchive,
    "edited": _change,
    "retracted": _change,
    "superseded": _change,
}
