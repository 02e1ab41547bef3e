"""What the indexes of all users share on one node: connections, statements, locks, a keeper."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import nullcontext
from threading import Lock

from palaver.index.fulltext.merging import Merging
from palaver.index.fulltext.shelf import Shelf
from palaver.index.postgres.books import Books
from palaver.index.postgres.follower import IndexFollower
from palaver.index.postgres.keeper import Keeper
from palaver.index.postgres.locks import Locks
from palaver.index.postgres.schema import make_tables
from palaver.index.postgres.statements import VERSION, Dialect
from palaver.postgres import Pool

_SHELVES = 64
"""The pieces of so many users, those who were asked for last, are kept in memory."""
_MOST_WAITING = 512
"""So many messages do not wait: their words go into a segment."""
_MOST_TEXT = 1 << 20
"""Nor do so many bytes of what they say."""


class Shared:
    """One for each node. Safe to use from any thread."""

    def __init__(self, pool: Pool, version: str = VERSION) -> None:
        self.pool = pool
        self.dialect = Dialect(version)
        self.locks = Locks(pool, self.dialect.live, self.dialect.schema)
        self.keeper = Keeper(pool, self.dialect, self.locks, "words", self._keep_words)
        self.follower = IndexFollower(pool, self.dialect, self.keeper.wake)
        """Whom the committer of the node tells."""
        self._lock = Lock()
        self._shelves: OrderedDict[int, Shelf] = OrderedDict()

    def open(self) -> None:
        """Makes sure that the tables of this version are there. Raises StorageFailed."""
        make_tables(self.pool, self.dialect)
        self.keeper.start()

    def close(self) -> None:
        self.keeper.stop()

    def books(self, owner: int) -> Books:
        return Books(self.pool, owner, self.dialect)

    def shelf(self, owner: int) -> Shelf:
        """What is kept in memory of a user's pieces."""
        with self._lock:
            shelf = self._shelves.pop(owner, None) or Shelf(self.dialect.live)
            self._shelves[owner] = shelf
            while len(self._shelves) > _SHELVES:
                self._shelves.popitem(last=False)
        return shelf

    def _keep_words(self, owner: int) -> bool:
        """Does the most urgent thing for the full text of a user."""
        books = self.books(owner)
        if not books.catch_up():
            return False
        database = books.database()
        if self.shelf(owner).relieve(database, _MOST_WAITING, _MOST_TEXT):
            return True
        # The keeper of another node does not keep this book meanwhile.
        merging = Merging(database, self.dialect.live, lambda: nullcontext(True))
        return merging.sweep() or merging.step() or books.sets().sweep_some()
