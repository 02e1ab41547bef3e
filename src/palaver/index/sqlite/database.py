"""A connection to the file of the index."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from palaver.errors import IndexTooNew
from palaver.index.connection import Row, Values
from palaver.index.faults import Missing, Unusable
from palaver.index.sqlite.faults import faults
from palaver.index.sqlite.statements import QUERIES, SCHEMA
from palaver.text import ANALYSER_VERSION, PIECES_VERSION

_SCHEMA = 10
VERSION = (_SCHEMA << 16) + (ANALYSER_VERSION << 8) + PIECES_VERSION
"""An index of another schema, or of words that were told apart in another way, is made again."""
_PATIENCE_MS = 20_000
_SHORT_PATIENCE_MS = 200
_LOG_PAGES = 4000
_SIDES = ("", "-wal", "-shm")


class Database:
    """One connection, used by one thread at a time."""

    def __init__(self, path: Path, *, cache_mb: int = 16) -> None:
        """Opens the file. Raises Missing, Unusable, Failed."""
        self._moved = ctypes.c_int(0)
        with faults():
            self.identity = _identity(path)
            """Which file it is: another one under the same name has another identity."""
            # Any: apsw's types name a class that only Python 3.12 has.
            self._connection: Any = apsw.Connection(
                str(path), flags=apsw.SQLITE_OPEN_READWRITE, statementcachesize=200
            )
            # Without this, every other value makes SQLite prepare the statement again.
            self._connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
            self._connection.set_busy_handler(_wait)
            for pragma, value in _PRAGMAS.items():
                self._connection.pragma(pragma, value)
            self._connection.pragma("cache_size", -1024 * cache_mb)
            self.check_place()

    def check_version(self) -> None:
        """Raises Unusable when the file was made by an older program, IndexTooNew by a newer."""
        with faults():
            ((version,),) = self.all(QUERIES["version"])
        if version > VERSION:
            raise IndexTooNew
        if version < VERSION:
            raise Unusable("The index was made by an older Palaver.")

    def close(self) -> None:
        self._connection.close()

    # -- statements: inside `reading` or `writing` -------------------------------------------

    def run(self, sql: str, values: Values = ()) -> int:
        """How many rows it touched."""
        self._connection.execute(sql, values)
        return self._connection.changes()

    def send(self, sql: str, values: Values = ()) -> None:
        self._connection.execute(sql, values)

    def many(self, sql: str, rows: Iterable[Values]) -> None:
        self._connection.executemany(sql, rows)

    def one(self, sql: str, values: Values = ()) -> Row | None:
        """The first row, if there is one."""
        cursor = self._connection.execute(sql, values)
        row = next(cursor, None)
        cursor.close(True)
        return row

    def all(self, sql: str, values: Values = ()) -> list[Row]:
        return self._connection.execute(sql, values).fetchall()

    def all_of(self, *asked: tuple[str, Values]) -> list[list[Row]]:
        return [self.all(*one) for one in asked]

    def each(self, sql: str, values: Values = ()) -> Iterator[Row]:
        """The rows one by one, for those who must not hold them all."""
        return iter(self._connection.execute(sql, values))

    def glance(self, sql: str, values: Values = ()) -> Row | None:
        """The first row, without a transaction. Raises Missing, Unusable, Failed."""
        with faults():
            self.check_place()
            return self.one(sql, values)

    # -- transactions ------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Generator[None]:
        """One state of the index. Raises Missing, Unusable, Failed."""
        with self._transaction("begin"):
            yield

    @contextmanager
    def writing(self) -> Generator[None]:
        """All or nothing. Raises Missing, Unusable, Failed."""
        with self._transaction("begin_writing"):
            yield

    @contextmanager
    def _transaction(self, begin: str) -> Generator[None]:
        with faults():
            self.check_place()
            self._connection.execute(QUERIES[begin])
            try:
                yield
                self._connection.execute(QUERIES["commit"])
            finally:
                if self._connection.in_transaction:
                    self._connection.execute(QUERIES["rollback"])

    def check_place(self) -> None:
        """Raises Missing when the file was deleted or replaced: writes to it would be lost."""
        if self.moved():
            raise Missing("The file of the index was deleted or replaced.")

    def moved(self) -> bool:
        """Whether the file was deleted or replaced."""
        self._connection.file_control(
            "main", apsw.SQLITE_FCNTL_HAS_MOVED, ctypes.addressof(self._moved)
        )
        return bool(self._moved.value)

    def checkpoint(self) -> bool:
        """Empties the log, so that erased words are in no file; False while somebody reads."""
        with faults():
            self._connection.set_busy_handler(_wait_briefly)
            try:
                ((busy, *_),) = self.all(QUERIES["checkpoint"])
            finally:
                self._connection.set_busy_handler(_wait)
        return not busy


_PRAGMAS = {
    "synchronous": "normal",
    "secure_delete": True,
    "temp_store": "memory",
    "wal_autocheckpoint": _LOG_PAGES,
}


def create(path: Path) -> None:
    """Makes an index without rows in place of whatever is there. Raises Failed."""
    with faults():
        for side in _SIDES:
            path.with_name(path.name + side).unlink(missing_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        connection: Any = apsw.Connection(str(path))
        connection.pragma("journal_mode", "wal")
        connection.pragma("secure_delete", True)
        with connection:
            for name in ("tables", "info"):
                connection.execute(SCHEMA[name])
            connection.pragma("user_version", VERSION)
        connection.close()


def _identity(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except FileNotFoundError:
        raise Missing("The file of the index is not there.") from None
    return found.st_dev, found.st_ino


def _wait(attempts: int) -> bool:
    """Looks again every millisecond: others hold the lock only for a moment."""
    time.sleep(0.001)
    return attempts < _PATIENCE_MS


def _wait_briefly(attempts: int) -> bool:
    """Others wait for us: what cannot be done now is done with the next commit."""
    time.sleep(0.001)
    return attempts < _SHORT_PATIENCE_MS
