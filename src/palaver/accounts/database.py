"""The accounts of a home: a file, opened safely, shared by processes and threads."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

import apsw

from palaver.accounts.port import Change, Row
from palaver.errors import HomeUnusable, PalaverError, StorageError, StorageFailed, StorageFull
from palaver.sql import statements

VERSION = 3
_BUSY_MS = 10_000
_NOTE_BUSY_MS = 50
_QUERIES = statements(__package__ or "", "queries.sql")
_SCHEMA = statements(__package__ or "", "schema.sql")


class Connection:
    """One connection, used by one thread at a time."""

    def __init__(self, path: Path, *, busy_ms: int = _BUSY_MS, synchronous: str = "full") -> None:
        self._lock = Lock()
        self._name = path.name
        # Any: apsw's types name a class that only Python 3.12 has.
        self._connection: Any = apsw.Connection(str(path))
        self._connection.set_busy_timeout(busy_ms)
        self._connection.pragma("secure_delete", True)
        self._connection.pragma("synchronous", synchronous)

    def make_schema(self, path: Path) -> None:
        """Raises HomeUnusable."""
        with self._transaction() as connection:
            ((found,),) = connection.execute(_QUERIES["version"])
            if found > VERSION:
                raise HomeUnusable(
                    f"{path} was made by a newer Palaver.", remedy="Upgrade Palaver."
                )
            if found < VERSION:
                for statement in _SCHEMA.values():
                    connection.execute(statement)
        self._connection.pragma("journal_mode", "wal")

    def read(self, query: str, values: Mapping[str, object]) -> list[Row]:
        with self._lock, _translated(self._name):
            return list(self._connection.execute(_QUERIES[query], dict(values)))

    def write(self, changes: Iterable[Change]) -> None:
        with self._lock, _translated(self._name), self._transaction() as connection:
            for query, values in changes:
                connection.execute(_QUERIES[query], dict(values))

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @contextmanager
    def _transaction(self) -> Generator[Any]:
        """All or nothing. That of apsw keeps every thread waiting while it waits for a lock."""
        self._connection.execute(_QUERIES["begin_writing"])
        try:
            yield self._connection
            self._connection.execute(_QUERIES["commit"])
        finally:
            if self._connection.in_transaction:
                self._connection.execute(_QUERIES["rollback"])


class Database:
    """Rows with three connections, so that nobody who reads waits for somebody who writes."""

    def __init__(self, path: Path) -> None:
        """Opens the file, or makes it. Raises HomeUnusable."""
        with _translated(str(path)):
            _create_private(path)
            self._writing = Connection(path)
            self._writing.make_schema(path)
            self._reading = Connection(path)
            self._noting = Connection(path, busy_ms=_NOTE_BUSY_MS, synchronous="normal")

    def read(self, query: str, **values: object) -> list[Row]:
        """The rows of a named query."""
        return self._reading.read(query, values)

    def write(self, *changes: Change) -> None:
        """Runs named statements with their values, all or none."""
        self._writing.write(changes)

    def note(self, query: str, **values: object) -> None:
        """Writes what nobody relies on: it waits for nobody, and a failure does not matter."""
        with suppress(StorageError):  # a full disk or a lock must not keep anybody from reading
            self._noting.write([(query, values)])

    def close(self) -> None:
        for connection in (self._noting, self._reading, self._writing):
            connection.close()


def _create_private(path: Path) -> None:
    """Makes the file before SQLite does, so that it is never readable by others."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


@contextmanager
def _translated(name: str) -> Generator[None]:
    """Makes problems of the system's errors; once it is open, `name` is no path: REST tells it."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or "it failed").lower()
        raise HomeUnusable(f"{name} cannot be used: {reason}.") from None
    except apsw.Error as error:
        raise _problem(name, error) from error


def _problem(name: str, error: apsw.Error) -> PalaverError:
    match error:
        case apsw.NotADBError() | apsw.CorruptError():
            return HomeUnusable(
                f"{name} is damaged.",
                remedy="Move it away and start again; tokens have to be made anew.",
            )
        case apsw.FullError():
            return StorageFull("The disk is full, so nothing was changed.")
        case apsw.ReadOnlyError() | apsw.CantOpenError() | apsw.PermissionsError():
            return HomeUnusable(f"{name} cannot be written to.")
        case _:
            return StorageFailed(
                f"{name} did not answer.", remedy="Try again; if it stays so, check the disk."
            )
