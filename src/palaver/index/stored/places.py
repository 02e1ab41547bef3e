"""Places: where a row stands, and how it is read and checked."""

from __future__ import annotations

import orjson

from palaver.index import values as given
from palaver.index.channel_rows import DeliveryRow, ExternalMessageRow, ExternalRow
from palaver.index.connection import Row
from palaver.index.faults import Unusable
from palaver.index.rows import (
    ConversationRow,
    DayRow,
    MemoryRow,
    MessageRow,
    PreferenceRow,
    SummaryRow,
    is_sound,
    row_hash,
)

_SEQ_BITS = 32
_LAST_SEQ = (1 << _SEQ_BITS) - 1
EVERYWHERE = (0, (1 << 63) - 1)


def place(no: int, seq: int) -> int:
    """The place of line `seq` of stream number `no`."""
    return (no << _SEQ_BITS) + seq


def bounds(no: int) -> tuple[int, int]:
    """The first and the last place of a stream."""
    return place(no, 0), place(no, _LAST_SEQ)


def stream_of(place: int) -> int:
    """The number of a place's stream."""
    return place >> _SEQ_BITS


def seq_of(place: int) -> int:
    return place & _LAST_SEQ


def stored_message(no: int, stream: str, row: MessageRow) -> Row:
    """The values to store for a message."""
    return (place(no, row.seq), no, *row[1:], row_hash(stream, row))


def read_message(stream: str, values: Row) -> MessageRow:
    """A stored message. Raises Unusable when it is damaged."""
    row = MessageRow(seq_of(values[0]), *values[2:-1])
    if not is_sound(stream, row, values[-1]):
        raise Unusable(f"A message of {stream} is damaged in the index.")
    return row


def stored_summary(no: int, stream: str, row: SummaryRow) -> Row:
    """The values to store for a summary."""
    return (place(no, row.seq), *row[1:], row_hash(stream, row))


def read_summary(stream: str, values: Row) -> SummaryRow:
    """A stored summary. Raises Unusable when it is damaged."""
    row = SummaryRow(seq_of(values[0]), *values[1:-1])
    if not is_sound(stream, row, values[-1]):
        raise Unusable(f"A summary of {stream} is damaged in the index.")
    return row


def stored_day(no: int, stream: str, row: DayRow) -> Row:
    """The values to store for what marks a day."""
    return (place(no, row.seq), *row[1:], row_hash(stream, row))


def read_day(stream: str, values: Row) -> DayRow:
    """What marks a day, as it is stored. Raises Unusable when it is damaged."""
    row = DayRow(seq_of(values[0]), *values[1:-1])
    if not is_sound(stream, row, values[-1]):
        raise Unusable(f"A day of {stream} is damaged in the index.")
    return row


def stored_preference(no: int, stream: str, row: PreferenceRow) -> Row:
    """The values to store for a preference."""
    return (place(no, row.seq), *row[1:], row_hash(stream, row))


def read_preference(stream: str, values: Row) -> PreferenceRow:
    """A stored preference. Raises Unusable when it is damaged."""
    row = PreferenceRow(seq_of(values[0]), *values[1:-1])
    if not is_sound(stream, row, values[-1]):
        raise Unusable(f"A preference of {stream} is damaged in the index.")
    return row


def stored_memory(no: int, stream: str, row: MemoryRow) -> Row:
    """The values to store for a line about a memory."""
    return (place(no, row.seq), *row[1:], row_hash(stream, row))


def read_memory(stream: str, values: Row) -> MemoryRow:
    """A stored line about a memory. Raises Unusable when it is damaged."""
    row = MemoryRow(seq_of(values[0]), *values[1:-1])
    if not is_sound(stream, row, values[-1]):
        raise Unusable("A memory is damaged in the index.")
    return row


def stored_conversation(row: ConversationRow) -> Row:
    """The values to store for a conversation."""
    values = row.values()
    return (*values, _folded(row.title), *_pinned(row), row_hash(row.id, values))


def read_conversation(values: Row) -> ConversationRow:
    """A stored conversation. Raises Unusable when it is damaged."""
    *fields, folded, with_place, with_party, checksum = values
    if is_sound(values[0], fields, checksum):
        row = ConversationRow(*fields)
        if (folded, with_place, with_party) == (_folded(row.title), *_pinned(row)):
            return row
    raise Unusable(f"The row of {values[0]} is damaged in the index.")


def _pinned(row: ConversationRow) -> tuple[str | None, str | None]:
    """To which place a conversation is pinned, and to whom."""
    if not row.pinned:
        return None, None
    meta = orjson.loads(row.channel_meta)
    return given.text(meta.get("id")), given.text(meta.get("party"))


def stored_delivery(no: int, stream: str, row: DeliveryRow) -> Row:
    """The values to store for what is to be sent."""
    return (place(no, row.seq), *row[1:], row_hash(stream, row))


def read_delivery(stream: str, values: Row) -> DeliveryRow:
    """What is to be sent, as it is stored. Raises Unusable when it is damaged."""
    row = DeliveryRow(seq_of(values[0]), *values[1:-1])
    if not is_sound(stream, row, values[-1]):
        raise Unusable(f"A delivery of {stream} is damaged in the index.")
    return row


def stored_external_message(no: int, stream: str, row: ExternalMessageRow) -> Row:
    """The values to store for a message of an exchange, but for its language."""
    return (place(no, row.seq), *row[1:], row_hash(stream, row))


def read_external_message(stream: str, values: Row) -> ExternalMessageRow:
    """A stored message of an exchange. Raises Unusable when it is damaged."""
    row = ExternalMessageRow(seq_of(values[0]), *values[1:-1])
    if not is_sound(stream, row, values[-1]):
        raise Unusable(f"A message of {stream} is damaged in the index.")
    return row


def stored_external(row: ExternalRow) -> Row:
    """The values to store for an exchange."""
    values = row.values()
    return (*values, row.folded, row_hash(row.id, values))


def read_external(values: Row) -> ExternalRow:
    """A stored exchange. Raises Unusable when it is damaged."""
    *fields, folded, checksum = values
    if is_sound(values[0], fields, checksum):
        row = ExternalRow(*fields)
        if folded == row.folded:
            return row
    raise Unusable(f"The row of {values[0]} is damaged in the index.")


def _folded(title: str | None) -> str | None:
    """A title as it is looked for: whether letters are large or small makes no difference."""
    return title.casefold() if title is not None else None
