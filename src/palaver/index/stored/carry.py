"""Carrying over: of a stream whose lines are gone, the rows are all there is; they are kept."""

from __future__ import annotations

from palaver.index.connection import Row
from palaver.index.faults import Unusable
from palaver.index.rows import MessageRow
from palaver.index.stored.places import place, read_message, stored_message
from palaver.index.stored.tables import StreamRecord, Tables


def carry(live: Tables, new: Tables, lost: StreamRecord) -> None:
    """Copies what `live` holds of a lost stream to `new`, except damaged rows."""
    record = new.begin(lost.name)
    if record.state == "deleted":
        return
    new.clear(record)
    rows = [row for values in live.messages(lost) if (row := _sound(lost.name, values))]
    stored = (stored_message(record.no, lost.name, row) for row in rows)
    new.database.many(new.sql["add_message"], stored)
    new.words.wait([place(record.no, row.seq) for row in rows if row.searchable])
    if conversation := live.conversation(lost.name):
        new.put_conversation(conversation)
    numbers = {"old": lost.no, "new": record.no}
    if "carry_keys" in live.sql:  # else the ledger has a table of them
        new.database.run(live.sql["carry_keys"], numbers)
    new.database.run(live.sql["carry_sources"], numbers)
    new.database.run(live.sql["carry_summaries"], numbers)
    counts = {"no": record.no, "size": lost.size, "lines": lost.lines}
    new.database.run(new.sql["carry_stream"], counts)


def _sound(stream: str, values: Row) -> MessageRow | None:
    try:
        return read_message(stream, values)
    except Unusable:
        return None
