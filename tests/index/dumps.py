"""Everything an index in SQLite holds, in an order and form that do not depend on how it came."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import apsw
import numpy as np

from palaver.index.fulltext.segments import read_posting
from palaver.index.fulltext.words import said, told
from palaver.index.pieces import COLUMNS, GONE, Batch, batches

_STREAMS = "SELECT name, size, lines, state FROM streams ORDER BY name"
_CONVERSATIONS = "SELECT * FROM conversations ORDER BY id"
_MESSAGES = """
    SELECT s.name, m.place & 0xFFFFFFFF AS seq, m.* FROM messages AS m
    LEFT JOIN streams AS s ON s.no = m.stream ORDER BY s.name, seq
"""
_KEYS = """
    SELECT hex(k.digest), s.name, k.offset FROM keys AS k
    LEFT JOIN streams AS s ON s.no = k.stream ORDER BY k.digest
"""
_SOURCES = """
    SELECT s.name, d.place & 0xFFFFFFFF AS seq, d.message_id, d.quoted FROM sources AS d
    LEFT JOIN streams AS s ON s.no = d.place >> 32 ORDER BY s.name, seq, d.message_id
"""
_SUMMARIES = """
    SELECT s.name, d.place & 0xFFFFFFFF AS seq, d.* FROM summaries AS d
    LEFT JOIN streams AS s ON s.no = d.place >> 32 ORDER BY s.name, seq
"""
_DAYS = (
    "SELECT s.name, d.place & 0xFFFFFFFF AS seq, d.kind, d.label, d.id, d.zone, d.turn, d.at"
    " FROM days AS d JOIN streams AS s ON s.no = d.place >> 32 ORDER BY s.name, seq"
)
_PREFERENCES = "SELECT place & 0xFFFFFFFF AS seq, name, value, since FROM preferences ORDER BY seq"
_MEMORIES = """
    SELECT s.name, d.place & 0xFFFFFFFF AS seq, d.* FROM memories AS d
    LEFT JOIN streams AS s ON s.no = d.place >> 32 ORDER BY s.name, seq
"""
_USES = """
    SELECT s.name, d.place & 0xFFFFFFFF AS seq, d.memory_id, d.at FROM uses AS d
    LEFT JOIN streams AS s ON s.no = d.place >> 32 ORDER BY s.name, seq, d.memory_id
"""
_OBLIVION = """
    SELECT s.name, d.place & 0xFFFFFFFF AS seq, d.salt, d.digest FROM oblivion AS d
    LEFT JOIN streams AS s ON s.no = d.place >> 32 ORDER BY s.name, seq, d.digest
"""
_DELIVERIES = """
    SELECT s.name, d.place & 0xFFFFFFFF AS seq, d.* FROM deliveries AS d
    LEFT JOIN streams AS s ON s.no = d.place >> 32 ORDER BY s.name, seq
"""
_EXTERNALS = "SELECT * FROM externals ORDER BY id"
_EXTERNAL_MESSAGES = """
    SELECT s.name, d.place & 0xFFFFFFFF AS seq, d.* FROM external_messages AS d
    LEFT JOIN streams AS s ON s.no = d.place >> 32 ORDER BY s.name, seq
"""
_EXTERNAL_WORDS = """
    SELECT s.name, d.place & 0xFFFFFFFF AS seq, d.term, d.start, d.finish, d.length, d.count
    FROM external_words AS d LEFT JOIN streams AS s ON s.no = d.place >> 32
    ORDER BY s.name, seq, d.term, d.start
"""
_WAITING = """
    SELECT s.name, m.* FROM messages AS m JOIN streams AS s ON s.no = m.stream
    WHERE m.place IN (SELECT place FROM waiting)
"""
_WAITING_SUMMARIES = """
    SELECT s.name, d.* FROM summaries AS d JOIN streams AS s ON s.no = d.place >> 32
    WHERE d.place IN (SELECT place FROM waiting)
"""

Dump = dict[str, list[tuple[Any, ...]]]


def dump(path: Path) -> Dump:
    """Every row, and every piece with its terms, whether it waits or is in a segment."""
    connection: Any = apsw.Connection(str(path))
    numbers = dict(connection.execute("SELECT no, name FROM streams"))
    words = [piece for batch in _batches(connection) for piece in _pieces(batch, numbers)]
    found: Dump = {
        "streams": connection.execute(_STREAMS).fetchall(),
        "conversations": connection.execute(_CONVERSATIONS).fetchall(),
        "messages": [
            (*row[:2], *row[4:]) for row in connection.execute(_MESSAGES)
        ],  # without place and stream: numbers that a rebuild gives anew
        "keys": connection.execute(_KEYS).fetchall(),
        "sources": connection.execute(_SOURCES).fetchall(),
        "summaries": [(*row[:2], *row[3:]) for row in connection.execute(_SUMMARIES)],
        "days": connection.execute(_DAYS).fetchall(),
        "preferences": connection.execute(_PREFERENCES).fetchall(),
        "memories": [(*row[:2], *row[3:]) for row in connection.execute(_MEMORIES)],
        "uses": connection.execute(_USES).fetchall(),
        "deliveries": [(*row[:2], *row[3:]) for row in connection.execute(_DELIVERIES)],
        "externals": connection.execute(_EXTERNALS).fetchall(),
        "external_messages": [
            (*row[:2], *row[3:]) for row in connection.execute(_EXTERNAL_MESSAGES)
        ],
        "external_words": connection.execute(_EXTERNAL_WORDS).fetchall(),
        "oblivion": connection.execute(_OBLIVION).fetchall(),
        "words": sorted(words, key=str),
    }
    connection.close()
    return found


def _batches(connection: Any) -> Iterator[Batch]:
    waiting = connection.execute(_WAITING).fetchall()
    summaries = connection.execute(_WAITING_SUMMARIES).fetchall()
    yield from batches(said(row[0], row[1:]) for row in waiting)
    yield from batches(told(row[0], row[1:]) for row in summaries)
    for no, columns in connection.execute("SELECT no, columns FROM segments").fetchall():
        rows = connection.execute(
            "SELECT term, pieces, counts FROM postings WHERE segment = ?", (no,)
        )
        postings = {term: read_posting(pieces, counts) for term, pieces, counts in rows}
        yield Batch(np.frombuffer(columns, COLUMNS), postings)


def _pieces(batch: Batch, numbers: dict[int, str]) -> Iterator[tuple[Any, ...]]:
    """What is known of each piece that is there, with the name of its conversation."""
    terms: dict[int, dict[str, int]] = {}
    for term, (pieces, counts) in sorted(batch.postings.items()):
        for piece, count in zip(pieces.tolist(), counts.tolist(), strict=True):
            terms.setdefault(piece, {})[term] = count
    for number, piece in enumerate(batch.columns.tolist()):
        if batch.columns["speaker"][number] != GONE:
            stream, turn = numbers.get(piece[0] >> 32), piece[0] & 0xFFFFFFFF
            yield (stream, turn, *piece[1:], terms.get(number, {}))


def terms_in(path: Path, prefix: str = "") -> set[str]:
    """Every term of the postings in a set of tables, whatever segment they belong to."""
    connection: Any = apsw.Connection(str(path))
    found = {term for (term,) in connection.execute(f"SELECT term FROM {prefix}postings")}
    connection.close()
    return found


def words_in(path: Path) -> set[str]:
    """Every word of the full text, without the stems."""
    waiting: Iterable[str] = (term for piece in dump(path)["words"] for term in piece[-1])
    return {term for term in (*waiting, *terms_in(path)) if not term.startswith("~")}
