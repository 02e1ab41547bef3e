"""Sweeping: tables that are not needed any more go, in short steps, and leave no words behind."""

from __future__ import annotations

from palaver.index.sqlite.database import Database
from palaver.index.sqlite.statements import QUERIES, QUERIES_OF, SCHEMAS
from palaver.index.stored.sets import Pause

_EMPTYING = (
    "empty_postings",
    "empty_segments",
    "empty_messages",
    "empty_conversations",
    "empty_keys",
    "empty_sources",
    "empty_summaries",
    "empty_days",
    "empty_preferences",
    "empty_memories",
    "empty_uses",
    "empty_oblivion",
    "empty_deliveries",
    "empty_externals",
    "empty_external_messages",
    "empty_external_words",
    "empty_states",
    "empty_streams",
)
_SOME = 1000


def exists(database: Database, prefix: str) -> bool:
    """Whether there is such a set of tables."""
    with database.reading():
        return _exists(database, prefix)


def _exists(database: Database, prefix: str) -> bool:
    return database.one(QUERIES["exists"], {"name": f"{prefix}streams"}) is not None


def sweep(database: Database, prefix: str, pause: Pause = lambda: None) -> None:
    """Empties and drops a set of tables, if there is one; `pause` is called after each step."""
    for query in _EMPTYING:
        while _empty_some(database, prefix, query):
            pause()
    with database.writing():
        database.run(SCHEMAS[prefix]["drop"])
    database.checkpoint()


def _empty_some(database: Database, prefix: str, query: str) -> bool:
    """Empties a table a little; False when there is nothing left to do."""
    with database.writing():
        if not _exists(database, prefix):  # somebody else may be sweeping, too
            return False
        return database.run(QUERIES_OF[prefix][query], {"some": _SOME}) > 0
