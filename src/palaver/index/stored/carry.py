"""Carrying over: of a stream whose lines are gone, the rows are all there is; they are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from palaver.index.connection import Row
from palaver.index.faults import Unusable
from palaver.index.stored.places import (
    place,
    read_day,
    read_delivery,
    read_external_message,
    read_memory,
    read_message,
    read_preference,
    read_summary,
    stored_day,
    stored_message,
    stored_preference,
    stored_summary,
)
from palaver.index.stored.tables import StreamRecord, Tables

T = TypeVar("T")


def carry(live: Tables, new: Tables, lost: StreamRecord) -> None:
    """Copies what `live` holds of a lost stream to `new`, except damaged rows."""
    record = new.begin(lost.name)
    if record.state == "deleted":
        return
    new.clear(record)
    rows = _sound(read_message, lost, live.messages(lost))
    stored = (stored_message(record.no, lost.name, row) for row in rows)
    new.database.many(new.sql["add_message"], stored)
    new.words.wait([place(record.no, row.seq) for row in rows if row.searchable])
    if conversation := live.conversation(lost.name):
        new.put_conversation(conversation)
    _carry_external(live, new, lost, record)
    _carry_summaries(live, new, lost, record)
    for preference in _sound(read_preference, lost, live.preferences(lost)):
        values = stored_preference(record.no, lost.name, preference)
        new.database.send(new.sql["add_preference"], values)
    for day in _sound(read_day, lost, live.days(lost)):
        new.database.send(new.sql["add_day"], stored_day(record.no, lost.name, day))
    for memory in _sound(read_memory, lost, live.memories(lost)):
        new.put_memory(record, memory)
    for delivery in _sound(read_delivery, lost, live.deliveries(lost)):
        new.put_delivery(record, delivery)
    numbers = {"old": lost.no, "new": record.no}
    if "carry_keys" in live.sql:  # else the ledger has a table of them
        new.database.run(live.sql["carry_keys"], numbers)
    for statement in ("carry_sources", "carry_uses", "carry_oblivion"):
        new.database.run(live.sql[statement], numbers)
    counts = {"no": record.no, "size": lost.size, "lines": lost.lines}
    new.database.run(new.sql["carry_stream"], counts)


def _carry_external(live: Tables, new: Tables, lost: StreamRecord, record: StreamRecord) -> None:
    if external := live.external(lost.name):
        new.put_external(external)
    for message in _sound(read_external_message, lost, live.received(lost)):
        new.add_external_message(record, message)


def _carry_summaries(live: Tables, new: Tables, lost: StreamRecord, record: StreamRecord) -> None:
    for row in _sound(read_summary, lost, live.summaries(lost)):
        new.database.send(new.sql["add_summary"], stored_summary(record.no, lost.name, row))
    new.words.wait([place(record.no, told.seq) for told in new.told(record)])


def _sound(read: Callable[[str, Row], T], lost: StreamRecord, rows: Iterable[Row]) -> list[T]:
    """Those of some rows that are what they were."""
    found: list[T] = []
    for values in rows:
        try:
            found.append(read(lost.name, values))
        except Unusable:
            continue
    return found
