"""Verifying the index of a home: its rows, its streams, and the pages of its file."""

from __future__ import annotations

from collections.abc import Iterator

from palaver.index.sqlite.database import Database
from palaver.index.sqlite.statements import QUERIES
from palaver.index.stored.verify import check_rows, check_streams, check_text
from palaver.ledger.lines import USER_STREAM
from palaver.ledger.port import Finding, LineSource

FILE = "conversations/conversations.db"


def verify(database: Database, source: LineSource) -> Iterator[Finding]:
    """Everything there is to say about the index. Raises Missing, Failed."""
    yield from check_streams(database, QUERIES, source, file_of)
    yield from check_rows(database, QUERIES, FILE)
    yield from _pages(database)
    yield from check_text(database, QUERIES, FILE)


def _pages(database: Database) -> Iterator[Finding]:
    with database.reading():
        rows = database.all(QUERIES["check_pages"])
    for (said,) in rows:
        if said != "ok":
            yield Finding("index_damaged", f"{said}.", damage=True, file=FILE)


def file_of(stream: str) -> str:
    """Where a stream lies in its home."""
    if stream == USER_STREAM:
        return f"{stream}.jsonl"
    folder = "external" if stream.startswith("ext-") else "conversations"
    return f"{folder}/{stream}.jsonl"
