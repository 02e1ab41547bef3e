"""Where the index of a home is made again: in its file, or in an empty one."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path

from palaver.errors import IndexTooNew
from palaver.index.condition import Condition
from palaver.index.faults import Unusable
from palaver.index.sqlite.database import Database, create
from palaver.index.sqlite.faults import faults
from palaver.index.sqlite.jobs_lock import jobs_lock
from palaver.index.sqlite.sets import SqliteSets
from palaver.index.stored.rebuilds import Opened

_CACHE_MB = 32


class SqliteSite:
    """The file of an index; one process of the home at a time makes it again."""

    def __init__(self, path: Path, lock: Path, condition: Condition) -> None:
        self._path = path
        self._lock = lock
        self._condition = condition

    @contextmanager
    def alone(self, pause: Callable[[float], None]) -> Generator[bool]:
        with faults(), jobs_lock(self._lock, pause) as waited:
            yield waited

    @contextmanager
    def open(self, *, empty: bool) -> Generator[Opened]:
        usable = None if empty else self._usable()
        if usable is None:
            create(self._path)
        with closing(usable or self._opened()) as database:
            yield Opened(database, SqliteSets(database), fresh=usable is None)

    def _usable(self) -> Database | None:
        try:
            return self._opened()
        except Unusable as fault:
            self._condition.rebuilds(str(fault))
            return None

    def _opened(self) -> Database:
        database = Database(self._path, cache_mb=_CACHE_MB)
        try:
            database.check_version()
        except (Unusable, IndexTooNew):
            database.close()
            raise
        return database
