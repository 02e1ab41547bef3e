"""The books of one user, as everybody who works with them needs them."""

from __future__ import annotations

from palaver.index.postgres.catchup import CatchUp
from palaver.index.postgres.database import Database
from palaver.index.postgres.sets import PostgresSets
from palaver.index.postgres.statements import Dialect
from palaver.postgres import Pool


class Books:
    """The books of one user in one version of the index. Safe to use from any thread."""

    def __init__(self, pool: Pool, owner: int, dialect: Dialect) -> None:
        self.owner = owner
        self.dialect = dialect
        self._pool = pool

    def database(self) -> Database:
        """A connection for one thread; it takes one of the pool for each transaction."""
        return Database(self._pool, self.owner, self.dialect.live)

    def sets(self) -> PostgresSets:
        return PostgresSets(self.database(), self.dialect)

    def catch_up(self) -> bool:
        """Applies what was committed and not applied; False when a rebuild has to make the rows.
        Raises Unusable."""
        return CatchUp(self.database(), self.dialect).run()

    def begin(self) -> bool:
        """Makes sure that there is a book; gives whether it is new."""
        with self._pool.connection(self.owner) as connection, connection.writing():
            return connection.run(self.dialect.live["add_book"]) > 0
