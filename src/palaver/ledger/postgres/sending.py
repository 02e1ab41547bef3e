"""The lines of a user in PostgreSQL, for a copy of them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from palaver.errors import NotFound
from palaver.ledger.postgres.receiving import COPYING, identity
from palaver.ledger.postgres.rows import QUERIES
from palaver.ledger.postgres.source import PostgresSource
from palaver.postgres import Connection, Pool


class PostgresSender:
    """A Sender in the tables of a database."""

    def __init__(self, pool: Pool, user: str) -> None:
        """Raises NotFound when the user is not there, CopyUnfinished."""
        with pool.connection() as connection, connection.reading():
            if connection.one(QUERIES["user_number"], (user,)) is None:
                raise NotFound(
                    f"There is no user {user} in the database.", remedy="Correct --user."
                )
        self.stored = PostgresSource(pool, user)
        self.identity = identity(pool, self.stored.owner)
        self._pool = pool
        self._holding: Connection | None = None

    @contextmanager
    def held(self) -> Generator[int]:
        with self._pool.connection(self.stored.owner) as self._holding, self._holding.writing():
            self._holding.run(COPYING["patience"])
            row = self._holding.one(QUERIES["hold"])
            yield row[0] if row else 0

    def check_held(self) -> None:
        if self._holding:
            self._holding.one(QUERIES["position"])
