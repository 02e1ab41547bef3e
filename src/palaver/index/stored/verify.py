"""Verifying the index: every row against its hash, every stream against what was seen of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from palaver.index.connection import Connection, Row, Statements
from palaver.index.faults import Unusable
from palaver.index.fulltext.outside import check_outside
from palaver.index.fulltext.wording import check_words
from palaver.index.stored.catchup import compare
from palaver.index.stored.places import (
    EVERYWHERE,
    read_conversation,
    read_day,
    read_delivery,
    read_external,
    read_external_message,
    read_memory,
    read_message,
    read_preference,
    read_summary,
)
from palaver.index.stored.states import read_state
from palaver.index.stored.tables import StreamRecord, Tables
from palaver.ledger.port import Finding, LineSource

_AT_ONCE = 5000

Where = Callable[[str], str]
"""Where a stream lies, in the words of whoever reads the findings."""


def check_streams(
    database: Connection, sql: Statements, source: LineSource, where: Where
) -> Iterator[Finding]:
    """Streams that have lost lines, or have more than was applied. Raises Unusable, Failed."""
    with database.reading():
        records = Tables(database, sql, source).records()
    sizes = source.sizes()
    comparison = compare(records, sizes)
    for record in comparison.lost:
        yield _loss(record, sizes.get(record.name), where)
    for name in comparison.behind:
        message = "The end of the file is not in the index yet; the next start reads it."
        yield Finding("not_indexed", message, damage=False, file=where(name))


def _loss(record: StreamRecord, size: int | None, where: Where) -> Finding:
    file = where(record.name)
    if size is None:
        message = f"The file is gone, with {record.lines} lines; the index still holds their words."
        return Finding("vanished", message, damage=True, file=file)
    message = f"The file ends at byte {size}; {record.size} bytes of it had been read."
    return Finding("shortened", message, damage=True, file=file, offset=size)


def check_rows(database: Connection, sql: Statements, file: str) -> Iterator[Finding]:
    """Rows that are not what they were; `file` is where they lie. Raises Failed."""
    for statement, check in _CHECKED.items():
        yield from _checked(database, sql[statement], check, file)
    yield from _whole(database, sql["every_conversation"], read_conversation, file)
    yield from _whole(database, sql["every_external"], read_external, file)
    yield from _miscounted(database, sql, file)


def check_text(database: Connection, sql: Statements, file: str) -> Iterator[Finding]:
    """Whether the full text says what the messages say. Raises Failed."""
    for check in (check_words, check_outside):
        try:
            check(database, sql)
        except Unusable as fault:
            yield Finding("text_damaged", str(fault), damage=True, file=file)


def _check_state(stream: str, values: Row) -> None:
    where, version, text, checksum = values
    read_state(stream, version, (where, text, checksum))


_CHECKED: dict[str, Callable[[str, Row], object]] = {
    "every_message": read_message,
    "every_summary": read_summary,
    "every_day": read_day,
    "every_preference": read_preference,
    "every_memory": read_memory,
    "every_delivery": read_delivery,
    "every_external_message": read_external_message,
    "every_state": _check_state,
}
"""The statements that give rows in the order of their places, and who reads a row."""


def _checked(
    database: Connection, statement: str, check: Callable[[str, Row], object], file: str
) -> Iterator[Finding]:
    last = EVERYWHERE[0] - 1
    while rows := _some_rows(database, statement, last):
        last = rows[-1][1]
        for stream, *values in rows:
            try:
                check(stream or "", tuple(values))
            except Unusable as fault:
                yield _damaged_row(fault, file)


def _some_rows(database: Connection, statement: str, after: int) -> list[Row]:
    """Some at a time, so that nobody has to wait for a long look."""
    with database.reading():
        return database.all(statement, {"after": after, "limit": _AT_ONCE})


def _whole(
    database: Connection, statement: str, read: Callable[[Row], object], file: str
) -> Iterator[Finding]:
    with database.reading():
        rows = database.all(statement)
    for row in rows:
        try:
            read(row)
        except Unusable as fault:
            yield _damaged_row(fault, file)


def _miscounted(database: Connection, sql: Statements, file: str) -> Iterator[Finding]:
    with database.reading():
        rows = database.all(sql["miscounted_memories"])
    for (name,) in rows:
        message = f"Of the memory {name} another line counts than the last."
        yield Finding("row_damaged", message, damage=True, file=file)


def _damaged_row(fault: Unusable, file: str) -> Finding:
    return Finding("row_damaged", str(fault), damage=True, file=file)
