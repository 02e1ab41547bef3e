"""Follows every commit inside its transaction, for all users of a node.

Where the rows of a user do not fit, or somebody else is writing them, they are left as they are:
whoever asks next catches up by position.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence

from palaver.index.faults import Unusable
from palaver.index.postgres.catchup import note_erasures
from palaver.index.postgres.database import Database
from palaver.index.postgres.lines import TransactionLines
from palaver.index.postgres.statements import Dialect
from palaver.index.stored.following import erases, follow, follow_sketches, take_out
from palaver.index.stored.tables import Tables
from palaver.ledger.postgres import Commit
from palaver.postgres import Connection, Pool, Row

log = logging.getLogger(__name__)


class IndexFollower:
    """A PostgresFollower that writes the books of one version."""

    def __init__(self, pool: Pool, dialect: Dialect, wake: Callable[[], None]) -> None:
        """`wake` tells whoever keeps the books that there may be something to do."""
        self._pool = pool
        self._dialect = dialect
        self._wake = wake

    def apply(self, connection: Connection, commits: Sequence[Commit]) -> None:
        books = self._books(connection, commits)
        for commit in commits:
            if commit.owner in books:
                self._follow(connection, commit, books[commit.owner])
        self._wake()

    def behind(self, commits: Sequence[Commit], error: Exception) -> None:
        log.warning("The index is behind (%s); it catches up.", type(error).__name__)
        self._wake()

    def _books(self, connection: Connection, commits: Sequence[Commit]) -> Mapping[int, Row]:
        """Nobody waits for a book in which somebody writes, unless something is erased."""
        erasing = any(erases(commit.lines) for commit in commits)
        statement = "books_of_erasure" if erasing else "books_of_commit"
        rows = connection.all(self._dialect.live[statement])
        return {row[0]: row[1:] for row in rows}

    def _follow(self, connection: Connection, commit: Commit, book: Row) -> None:
        try:
            with connection.aside():
                self._write(connection, commit, book)
        except Unusable:
            pass  # it meets whoever catches up, too, and is seen to there

    def _write(self, connection: Connection, commit: Commit, book: Row) -> None:
        live, new, position, complete = book
        database = Database(self._pool, commit.owner, self._dialect.live)
        lines = TransactionLines(connection)
        with database.inside(connection):
            books = {"owner": str(commit.owner), "live": str(live), "new": str(new or 0)}
            database.run(self._dialect.live["act_in"], books)
            tables = Tables(database, self._dialect.live, lines)
            if not complete:
                follow_sketches(tables, lines, commit.lines)
            elif position == commit.before and follow(tables, commit.lines):
                database.run(self._dialect.live["set_position"], (commit.pos,))
            tables.erased = tables.erased or erases(commit.lines)
            note_erasures(tables)
            if new is not None and tables.erased:
                take_out(Tables(database, self._dialect.new, lines), commit.lines)
