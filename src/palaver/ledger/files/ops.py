"""Every call the ledger makes on the file system, in one thin layer.

A test puts another layer in its place to inject faults, to give fsync a fixed cost, to record the
order of calls, or to keep all files in memory and lose power between any two of them.
"""

from __future__ import annotations

import fcntl
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Protocol


class FileOps(Protocol):
    """What the ledger asks of a file system; every method may raise OSError."""

    def open_read(self, path: Path) -> int: ...

    def open_write(self, path: Path) -> int:
        """Opens for reading and writing; creates the file with mode 0600 if it is not there."""
        ...

    def close(self, handle: int) -> None: ...

    def read(self, handle: int, size: int, offset: int) -> bytes: ...

    def write(self, handle: int, data: bytes, offset: int) -> int:
        """Writes at `offset` and returns how many bytes were taken: it may be fewer."""
        ...

    def size(self, handle: int) -> int: ...

    def truncate(self, handle: int, size: int) -> None: ...

    def sync(self, handle: int) -> None:
        """Returns once the file's content and length are on the disk."""
        ...

    def sync_folder(self, path: Path) -> None:
        """Returns once the names in the folder are on the disk."""
        ...

    def unlink(self, path: Path) -> None: ...

    def sizes(self, folder: Path) -> dict[str, int]:
        """The length of every regular file in `folder`; empty when there is no such folder."""
        ...

    def newest_first(self, folder: Path) -> list[str]:
        """The same files, the one written last first as far as the clock could tell."""
        ...

    def file_size(self, path: Path) -> int | None:
        """The length of one file, or None when there is no such file."""
        ...

    def make_folder(self, path: Path) -> None: ...

    def lock(self, handle: int) -> None:
        """Waits until no other process holds the lock on this file."""
        ...

    def unlock(self, handle: int) -> None: ...


class OsFileOps:
    """The real file system."""

    def open_read(self, path: Path) -> int:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)

    def open_write(self, path: Path) -> int:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)

    def close(self, handle: int) -> None:
        os.close(handle)

    def read(self, handle: int, size: int, offset: int) -> bytes:
        return os.pread(handle, size, offset)

    def write(self, handle: int, data: bytes, offset: int) -> int:
        return os.pwrite(handle, data, offset)

    def size(self, handle: int) -> int:
        return os.fstat(handle).st_size

    def truncate(self, handle: int, size: int) -> None:
        os.ftruncate(handle, size)

    def sync(self, handle: int) -> None:
        if sys.platform == "darwin":  # fsync alone stops at the drive's cache there
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
        else:
            os.fsync(handle)

    def sync_folder(self, path: Path) -> None:
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            self.sync(handle)
        finally:
            os.close(handle)

    def unlink(self, path: Path) -> None:
        path.unlink(missing_ok=True)

    def sizes(self, folder: Path) -> dict[str, int]:
        return {name: found.st_size for name, found in _files(folder).items()}

    def newest_first(self, folder: Path) -> list[str]:
        found = _files(folder)
        return sorted(found, key=lambda name: found[name].st_mtime_ns, reverse=True)

    def file_size(self, path: Path) -> int | None:
        try:
            return os.stat(path).st_size
        except FileNotFoundError:
            return None

    def make_folder(self, path: Path) -> None:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)

    def lock(self, handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX)

    def unlock(self, handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


def _files(folder: Path) -> dict[str, os.stat_result]:
    found: dict[str, os.stat_result] = {}
    try:
        entries = os.scandir(folder)
    except FileNotFoundError:
        return found
    with entries:
        for entry in entries:
            # Others come and go meanwhile: only the one that has gone is not there.
            with suppress(FileNotFoundError):
                if entry.is_file(follow_symlinks=False):
                    found[entry.name] = entry.stat(follow_symlinks=False)
    return found


def write_fully(ops: FileOps, handle: int, data: bytes, offset: int) -> None:
    """Writes all of `data` or raises OSError: a full disk shows as a short write first."""
    written = ops.write(handle, data, offset)
    while written < len(data):
        more = ops.write(handle, data[written:], offset + written)
        if more <= 0:
            raise OSError(f"only {written} of {len(data)} bytes were written")
        written += more
