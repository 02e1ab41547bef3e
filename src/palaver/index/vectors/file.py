"""The file of the vectors: opened, and made."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from palaver.errors import IndexTooNew
from palaver.index.faults import Unusable
from palaver.index.sqlite.database import Database
from palaver.index.sqlite.faults import faults
from palaver.index.sqlite.readers import Readers
from palaver.index.vectors.memory import read_info
from palaver.index.vectors.statements import QUERIES, SCHEMA

VERSION = 1


class VectorFile(Database):
    """One connection, used by one thread at a time."""

    def check_version(self) -> None:
        """Raises Unusable when the file was made by an older program, IndexTooNew by a newer."""
        with faults():
            ((version,),) = self.all(QUERIES["version"])
        if version > VERSION:
            raise IndexTooNew(
                "The vectors were made by a newer Palaver.",
                remedy="Upgrade Palaver, or delete vectors.db: the vectors are made again.",
            )
        if version < VERSION:
            raise Unusable("The vectors were made by an older Palaver.")

    def stamp(self) -> bytes:
        """What tells this file from every other. Raises Unusable, Failed."""
        with self.reading():
            return read_info(self)[0]


class VectorReaders(Readers):
    """A few connections that only read."""

    def connect(self) -> VectorFile:
        """A connection that the caller closes. Raises Unusable, Failed, IndexTooNew."""
        return connect(self._path)


def connect(path: Path) -> VectorFile:
    """A connection that the caller closes. Raises Unusable, Failed, IndexTooNew."""
    file = VectorFile(path)
    try:
        file.check_version()
    except (IndexTooNew, Unusable):
        file.close()
        raise
    return file


@contextmanager
def alone(path: Path) -> Generator[None]:
    """While nobody else makes or removes the file. Raises Failed."""
    with faults():
        folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)


def create(path: Path) -> None:
    """Makes a file without vectors, unless there is one; inside `alone`. Raises Failed.

    It gets its name when it is whole, so that whoever opens it never sees half of it. A log that
    an earlier file left is removed before that: it would be read into the new one.
    """
    with faults():
        if path.exists():
            return
        new = path.with_name(f"{path.name}.new")
        remove(new)
        os.close(os.open(new, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        _lay_out(new)
        remove(path)
        new.rename(path)


def remove(path: Path) -> None:
    """Removes the file and its logs; inside `alone`. Raises Failed."""
    with faults():
        for side in ("", "-wal", "-shm"):
            path.with_name(path.name + side).unlink(missing_ok=True)


def _lay_out(path: Path) -> None:
    connection: Any = apsw.Connection(str(path))
    try:
        connection.pragma("journal_mode", "wal")
        with connection:
            for statement in SCHEMA.values():
                connection.execute(statement)
            connection.pragma("user_version", VERSION)
    finally:
        connection.close()
