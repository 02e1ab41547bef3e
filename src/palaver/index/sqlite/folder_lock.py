"""The lock that lets one process of a home at a time merge segments."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from palaver.index.sqlite.database import Database
from palaver.index.sqlite.faults import faults
from palaver.index.sqlite.statements import QUERIES


@contextmanager
def folder_lock(database: Database) -> Generator[bool]:
    """Whether nobody else holds it.

    The lock is on the folder of the file, which nobody else locks, so it is waited for by none.
    """
    with database.reading():
        ((_, _, path),) = database.all(QUERIES["files"])
    with faults():
        folder = os.open(Path(path).parent, os.O_RDONLY | os.O_CLOEXEC)
        try:
            yield _locked(folder)
        finally:
            os.close(folder)


def _locked(folder: int) -> bool:
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
