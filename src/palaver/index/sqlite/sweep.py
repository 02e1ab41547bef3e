"""Sweeping: tables that are not needed any more go, in short steps, and leave no words behind."""

from __future__ import annotations

from palaver.index.sqlite.database import Database
from palaver.index.sqlite.statements import QUERIES, QUERIES_OF, SCHEMAS

_EMPTYING = (
    "empty_words",
    "empty_messages",
    "empty_conversations",
    "empty_keys",
    "empty_sources",
    "empty_streams",
)
_SOME = 1000
_FREE_PAGES = 2000
"""How many free pages are worth giving back to the disk."""


def exists(database: Database, prefix: str) -> bool:
    """Whether there is such a set of tables."""
    with database.reading():
        return _exists(database, prefix)


def _exists(database: Database, prefix: str) -> bool:
    return database.one(QUERIES["exists"], {"name": f"{prefix}streams"}) is not None


def sweep(database: Database, prefix: str) -> None:
    """Empties and drops a set of tables, if there is one."""
    for query in _EMPTYING:
        while _empty_some(database, prefix, query):
            pass
    with database.writing():
        database.run(SCHEMAS[prefix]["drop"])
    database.checkpoint()


def _empty_some(database: Database, prefix: str, query: str) -> bool:
    """Empties a table a little; False when there is nothing left to do."""
    with database.writing():
        if not _exists(database, prefix):  # somebody else may be sweeping, too
            return False
        database.run(QUERIES_OF[prefix][query], {"some": _SOME})
        row = database.one(QUERIES["changes"])
    return bool(row and row[0])


def shrink(database: Database) -> None:
    """Gives free pages of the file back to the disk."""
    while _free_pages(database) > _FREE_PAGES:
        with database.writing():
            database.all(QUERIES["shrink"])
    database.checkpoint()


def _free_pages(database: Database) -> int:
    with database.reading():
        row = database.one(QUERIES["free_pages"])
    return row[0] if row else 0
