"""Leases of a home: locks on single bytes of one file, which end with the process.

The system keeps such locks for a process, not for who asks in it, and drops all of them when the
process closes the file once. So a process opens the file once, however many use it, and notes
itself which bytes it has locked.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from threading import Lock

from palaver.errors import StorageFailed
from palaver.leases.waiting import glances

_BYTES = 7
"""A place in the file has so many bytes: files of that length are allowed everywhere."""


@dataclass(slots=True)
class _LockFile:
    handle: int
    users: int = 0
    held: set[int] = field(default_factory=set[int])


class HomeLeases:
    """The Leases of whoever uses a home."""

    def __init__(self, path: Path) -> None:
        """The file at `path` is made when it is first needed."""
        self._path = path
        self._opening = Lock()
        self._file: _LockFile | None = None

    @asynccontextmanager
    async def hold(self, name: str) -> AsyncGenerator[None]:
        file, place = self._opened(), _place(name)
        async for _ in glances():
            if _take(file, place):
                break
        try:
            yield
        finally:
            _give(file, place)

    async def is_held(self, name: str) -> bool:
        file, place = self._opened(), _place(name)
        if not _take(file, place):
            return True
        _give(file, place)
        return False

    def _opened(self) -> _LockFile:
        with self._opening:
            if self._file is None:
                self._file = _open(self._path)
            return self._file

    def close(self) -> None:
        if self._file is not None:
            _leave(self._path, self._file)
            self._file = None


_guard = Lock()
_files: dict[Path, _LockFile] = {}


def _open(path: Path) -> _LockFile:
    """The file, opened once in this process. Raises StorageFailed."""
    with _guard:
        if path not in _files:
            try:
                handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            except OSError as error:
                reason = (error.strerror or "it failed").lower()
                raise StorageFailed(f"{path.name} cannot be opened: {reason}.") from None
            _files[path] = _LockFile(handle)
        _files[path].users += 1
        return _files[path]


def _leave(path: Path, file: _LockFile) -> None:
    with _guard:
        file.users -= 1
        if not file.users:
            del _files[path]
            os.close(file.handle)


def _take(file: _LockFile, place: int) -> bool:
    with _guard:
        if place in file.held:
            return False
        try:
            fcntl.lockf(file.handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except (BlockingIOError, PermissionError):  # which of them, depends on the system
            return False
        file.held.add(place)
        return True


def _give(file: _LockFile, place: int) -> None:
    with _guard:
        fcntl.lockf(file.handle, fcntl.LOCK_UN, 1, place)
        file.held.remove(place)


def _place(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=_BYTES).digest())
