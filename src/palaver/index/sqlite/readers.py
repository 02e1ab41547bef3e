"""Connections for reading: as many as there are questions at a time, kept for the next ones."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from palaver.errors import IndexTooNew
from palaver.index.faults import Failed, Unusable
from palaver.index.sqlite.database import Database

_KEPT = 8


class Readers:
    """A few connections that only read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._idle: list[Database] = []

    @contextmanager
    def reading(self) -> Generator[Database]:
        """One state of the index. Raises Unusable, Failed, IndexTooNew."""
        database = self._take()
        try:
            with database.reading():
                yield database
        except (Unusable, Failed):
            database.close()
            self.close()
            raise
        except BaseException:
            self._give_back(database)
            raise
        self._give_back(database)

    def close(self) -> None:
        """Closes those that nobody uses."""
        with self._lock:
            idle, self._idle = self._idle, []
        for database in idle:
            database.close()

    def _take(self) -> Database:
        while True:
            with self._lock:
                database = self._idle.pop() if self._idle else None
            if database is None:
                return self.connect()
            if not database.moved():
                return database
            database.close()

    def connect(self) -> Database:
        """A connection that the caller closes. Raises Unusable, Failed, IndexTooNew."""
        database = Database(self._path)
        try:
            database.check_version()
        except (IndexTooNew, Unusable):
            database.close()
            raise
        return database

    def _give_back(self, database: Database) -> None:
        with self._lock:
            if len(self._idle) < _KEPT:
                self._idle.append(database)
                return
        database.close()
