"""Everything an index in SQLite holds, in an order and form that do not depend on how it came."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw

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
_WORDS = """
    SELECT s.name, v.doc & 0xFFFFFFFF AS seq, v.offset, v.term FROM temp.vocabulary AS v
    LEFT JOIN streams AS s ON s.no = v.doc >> 32 ORDER BY s.name, seq, v.offset
"""

Dump = dict[str, list[tuple[Any, ...]]]


def dump(path: Path) -> Dump:
    """Every row and every word. The words of messages that wait are taken in first."""
    connection: Any = apsw.Connection(str(path))
    connection.execute("""
        INSERT INTO messages_fts (rowid, content)
        SELECT place, content FROM messages WHERE place IN (SELECT place FROM waiting);
        DELETE FROM waiting;
        CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, messages_fts, instance);
    """)
    found: Dump = {
        "streams": connection.execute(_STREAMS).fetchall(),
        "conversations": connection.execute(_CONVERSATIONS).fetchall(),
        "messages": [
            (*row[:2], *row[4:]) for row in connection.execute(_MESSAGES)
        ],  # without place and stream: numbers that a rebuild gives anew
        "keys": connection.execute(_KEYS).fetchall(),
        "sources": connection.execute(_SOURCES).fetchall(),
        "words": connection.execute(_WORDS).fetchall(),
    }
    connection.close()
    return found


def words_in(path: Path) -> set[str]:
    """Every word of the full text."""
    return {row[3] for row in dump(path)["words"]}
