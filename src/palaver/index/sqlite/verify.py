"""Verifying the index: every row against its hash, every stream against what was seen of it."""

from __future__ import annotations

from collections.abc import Iterator

from palaver.index.connection import Row
from palaver.index.faults import Unusable
from palaver.index.fulltext.wording import check_words
from palaver.index.sqlite.database import Database
from palaver.index.sqlite.statements import QUERIES
from palaver.index.stored.catchup import compare
from palaver.index.stored.places import EVERYWHERE, read_conversation, read_message
from palaver.index.stored.tables import StreamRecord, Tables
from palaver.ledger.lines import USER_STREAM
from palaver.ledger.port import Finding, LineSource

_AT_ONCE = 5000
FILE = "conversations/conversations.db"


def verify(database: Database, source: LineSource) -> Iterator[Finding]:
    """Everything there is to say about the index. Raises Missing, Failed."""
    yield from _streams(database, source)
    yield from _messages(database)
    yield from _conversations(database)
    yield from _pages(database)
    yield from _words(database)


def _streams(database: Database, source: LineSource) -> Iterator[Finding]:
    with database.reading():
        records = Tables(database, QUERIES, source).records()
    sizes = source.sizes()
    comparison = compare(records, sizes)
    for record in comparison.lost:
        yield _loss(record, sizes.get(record.name))
    for name in comparison.behind:
        message = "The end of the file is not in the index yet; the next start reads it."
        yield Finding("not_indexed", message, damage=False, file=file_of(name))


def _loss(record: StreamRecord, size: int | None) -> Finding:
    file = file_of(record.name)
    if size is None:
        message = f"The file is gone, with {record.lines} lines; the index still holds their words."
        return Finding("vanished", message, damage=True, file=file)
    message = f"The file ends at byte {size}; {record.size} bytes of it had been read."
    return Finding("shortened", message, damage=True, file=file, offset=size)


def _messages(database: Database) -> Iterator[Finding]:
    last = EVERYWHERE[0] - 1
    while rows := _some_messages(database, last):
        last = rows[-1][1]
        for stream, *values in rows:
            try:
                read_message(stream or "", tuple(values))
            except Unusable as fault:
                yield _damaged_row(fault)


def _some_messages(database: Database, after: int) -> list[Row]:
    """Some at a time, so that nobody has to wait for a long look."""
    with database.reading():
        return database.all(QUERIES["every_message"], {"after": after, "limit": _AT_ONCE})


def _conversations(database: Database) -> Iterator[Finding]:
    with database.reading():
        rows = database.all(QUERIES["every_conversation"])
    for row in rows:
        try:
            read_conversation(row)
        except Unusable as fault:
            yield _damaged_row(fault)


def _pages(database: Database) -> Iterator[Finding]:
    with database.reading():
        rows = database.all(QUERIES["check_pages"])
    for (said,) in rows:
        if said != "ok":
            yield Finding("index_damaged", f"{said}.", damage=True, file=FILE)


def _words(database: Database) -> Iterator[Finding]:
    try:
        check_words(database, QUERIES)
    except Unusable as fault:
        yield Finding("text_damaged", str(fault), damage=True, file=FILE)


def _damaged_row(fault: Unusable) -> Finding:
    return Finding("row_damaged", str(fault), damage=True, file=FILE)


def file_of(stream: str) -> str:
    """Where a stream lies in its home."""
    if stream == USER_STREAM:
        return f"{stream}.jsonl"
    folder = "external" if stream.startswith("ext-") else "conversations"
    return f"{folder}/{stream}.jsonl"
