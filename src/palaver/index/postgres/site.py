"""Where the index of one user is made again: in another book."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager

from palaver.index.postgres.books import Books
from palaver.index.postgres.locks import Locks
from palaver.index.postgres.sets import PostgresSets
from palaver.index.stored.rebuilds import Opened


class PostgresSite:
    """The books of one user; one node at a time makes them again."""

    def __init__(self, books: Books, locks: Locks) -> None:
        self._books = books
        self._locks = locks

    def alone(self, pause: Callable[[float], None]) -> AbstractContextManager[bool]:
        return self._locks.waited(self._books.owner, "rebuild", pause)

    @contextmanager
    def open(self, *, empty: bool) -> Generator[Opened]:
        fresh = self._books.begin()
        database = self._books.database()
        if empty:
            with database.writing():
                database.run(self._books.dialect.live["leave_book"])
        yield Opened(database, PostgresSets(database, self._books.dialect), fresh=fresh or empty)
