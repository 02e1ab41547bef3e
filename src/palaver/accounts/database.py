"""The file behind the accounts: opened safely, shared by processes and threads."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import apsw

from palaver.errors import HomeUnusable, PalaverError, StorageFailed, StorageFull
from palaver.sql import statements

VERSION = 1
_BUSY_MS = 10_000
_QUERIES = statements(__package__ or "", "queries.sql")
_SCHEMA = statements(__package__ or "", "schema.sql")

Row = tuple[Any, ...]


class Database:
    """One connection, used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        """Opens the file, or makes it. Raises HomeUnusable."""
        self._lock = Lock()
        with _translated(path):
            _create_private(path)
            # Any: apsw's types name a class that only Python 3.12 has.
            self._connection: Any = apsw.Connection(str(path))
            self._path = path
            self._prepare()

    def _prepare(self) -> None:
        connection = self._connection
        connection.set_busy_timeout(_BUSY_MS)
        connection.transaction_mode = "IMMEDIATE"
        connection.pragma("secure_delete", True)
        connection.pragma("synchronous", "full")
        with connection:
            self._make_schema()
        connection.pragma("journal_mode", "wal")

    def _make_schema(self) -> None:
        ((found,),) = self._connection.execute(_QUERIES["version"])
        if found > VERSION:
            raise HomeUnusable(
                f"{self._path} was made by a newer Palaver.", remedy="Upgrade Palaver."
            )
        if found < VERSION:
            for statement in _SCHEMA.values():
                self._connection.execute(statement)

    def read(self, query: str, **values: object) -> list[Row]:
        """The rows of a named query."""
        with self._lock, _translated(self._path):
            return list(self._connection.execute(_QUERIES[query], values))

    def write(self, *changes: tuple[str, Mapping[str, object]]) -> None:
        """Runs named statements with their values, all or none."""
        with self._lock, _translated(self._path), self._connection as connection:
            for query, values in changes:
                connection.execute(_QUERIES[query], dict(values))

    def close(self) -> None:
        with self._lock:
            self._connection.close()


def _create_private(path: Path) -> None:
    """Makes the file before SQLite does, so that it is never readable by others."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


@contextmanager
def _translated(path: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        reason = (error.strerror or "it failed").lower()
        raise HomeUnusable(f"{path} cannot be used: {reason}.") from None
    except apsw.Error as error:
        raise _problem(path, error) from error


def _problem(path: Path, error: apsw.Error) -> PalaverError:
    match error:
        case apsw.NotADBError() | apsw.CorruptError():
            return HomeUnusable(
                f"{path} is damaged.",
                remedy="Move it away and start again; tokens have to be made anew.",
            )
        case apsw.FullError():
            return StorageFull("The disk is full, so nothing was changed.")
        case apsw.ReadOnlyError() | apsw.CantOpenError() | apsw.PermissionsError():
            return HomeUnusable(f"{path} cannot be written to.")
        case _:
            return StorageFailed(
                f"{path} did not answer.", remedy="Try again; if it stays so, check the disk."
            )
