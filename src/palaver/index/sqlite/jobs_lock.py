"""The lock that lets one process of a home at a time make the index again."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

_GLANCE = 0.05


@contextmanager
def jobs_lock(path: Path, pause: Callable[[float], None]) -> Generator[bool]:
    """Waits for the lock and holds it; gives whether somebody else held it before.

    `pause` waits a little, or raises to give up.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        waited = False
        while not _taken(handle):
            waited = True
            pause(_GLANCE)
        yield waited
    finally:
        os.close(handle)


def is_held(path: Path) -> bool:
    """Whether somebody holds it now."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        return not _taken(handle)
    finally:
        os.close(handle)


def _taken(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
