"""Follows every commit inside its transaction, for all users of a node.

Where the rows of a user do not fit, or somebody else is writing them, they are left as they are:
whoever asks next catches up by position.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence

import orjson

from palaver.index.faults import Unusable
from palaver.index.postgres.catchup import note_erasures
from palaver.index.postgres.gathering import Gathering
from palaver.index.postgres.joining import Joining, Statement
from palaver.index.postgres.lines import TransactionLines
from palaver.index.postgres.statements import Dialect
from palaver.index.stored.following import by_stream, erases, follow, follow_sketches, take_out
from palaver.index.stored.tables import Tables
from palaver.ledger.postgres import Commit
from palaver.postgres import Connection, Row

log = logging.getLogger(__name__)

_Known = dict[tuple[str, str], Row | None]
"""What a statement gives for a name."""


class IndexFollower:
    """A PostgresFollower that writes the books of one version."""

    def __init__(self, dialect: Dialect, wake: Callable[[], None]) -> None:
        """`wake` tells whoever keeps the books that there may be something to do."""
        self._dialect = dialect
        self._wake = wake

    def apply(self, connection: Connection, commits: Sequence[Commit]) -> None:
        books, read = self._read(connection, commits)
        followed = [commit for commit in commits if commit.owner in books]
        gathering, others = Gathering(self._dialect.live), list[Statement]()
        for commit in followed:
            book = books[commit.owner]
            joining = self._follow(connection, commit, book, read[commit.owner])
            if not gathering.take(commit.owner, book[0], joining.rest):
                others += joining.statements()
        gathering.write(connection, others)
        self._wake()

    def behind(self, commits: Sequence[Commit], error: Exception) -> None:
        log.warning("The index is behind (%s); it catches up.", type(error).__name__)
        self._wake()

    def _read(
        self, connection: Connection, commits: Sequence[Commit]
    ) -> tuple[Mapping[int, Row], Mapping[int, _Known]]:
        """The books of the commits, and what is known of their streams, by owner.

        Nobody waits for a book in which somebody writes, unless something is erased.
        """
        sql = self._dialect.live
        erasing = any(erases(commit.lines) for commit in commits)
        asked = [
            {"owner": commit.owner, "name": name}
            for commit in commits
            for name in by_stream(commit.lines)
        ]
        _, books, streams = connection.together(
            (sql["enter_commit"], ()),
            (sql["books_of_erasure" if erasing else "books_of_commit"], ()),
            (sql["known_streams"], (orjson.dumps(asked).decode(),)),
        )
        known = {commit.owner: _Known() for commit in commits}
        for owner, name, *values in streams.rows:
            stream, conversation = tuple(values[:4]), tuple(values[4:])
            known[owner][sql["stream"], name] = stream if stream[0] is not None else None
            known[owner][sql["conversation"], name] = conversation if conversation[0] else None
        return {row[0]: row[1:] for row in books.rows}, known

    def _follow(
        self,
        connection: Connection,
        commit: Commit,
        book: Row,
        read: _Known,
    ) -> Joining:
        """Has what is to be written for one user, after what had to be written at once."""
        live, new, _, _ = book
        books = {"owner": str(commit.owner), "live": str(live), "new": str(new or 0)}
        joining = Joining(connection, (self._dialect.live["act_in"], books), read)
        try:
            self._write(joining, TransactionLines(joining), commit, book)
        except Unusable:
            if joining.wrote:
                raise
            joining.rest.clear()  # it meets whoever catches up, too, and is seen to there
        return joining

    def _write(self, joining: Joining, lines: TransactionLines, commit: Commit, book: Row) -> None:
        _, new, position, complete = book
        tables = Tables(joining, self._dialect.live, lines)
        if not complete:
            follow_sketches(tables, lines, commit.lines)
        elif position == commit.before and follow(tables, commit.lines):
            joining.send(self._dialect.live["set_position"], (commit.pos,))
        tables.erased = tables.erased or erases(commit.lines)
        note_erasures(tables)
        if new is not None and tables.erased:
            take_out(Tables(joining, self._dialect.new, lines), commit.lines)
