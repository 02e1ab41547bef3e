"""A home that takes the lines of a copy.

The mark is a file. It is durable before the first line is written, and goes after every line and
every name is synced.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import groupby

from palaver.ledger.files.home import TORN
from palaver.ledger.files.journal import WriteLock
from palaver.ledger.files.ops import write_fully
from palaver.ledger.files.store import FileStore
from palaver.ledger.lines import USER_STREAM, Line
from palaver.ledger.receiving import State
from palaver.ledger.stamping import Head

_PARALLEL = 32
_MARK = b"""A copy to this home was begun and is not finished.
Run the same `palaver copy` again: it goes on where it stopped, and then takes this file away.
"""


class FileReceiver:
    """A Receiver in the files of a home."""

    def __init__(self, store: FileStore) -> None:
        self.stored = store
        self.identity: object = store.home.root.resolve()
        self._ops = store.ops
        self._home = store.home
        self._lock: WriteLock | None = None

    @contextmanager
    def receiving(self) -> Generator[State]:
        with self.stored.write_lock() as self._lock:
            state = self._state()
            if state == "empty":
                self._mark()
            yield state

    def cut(self, head: Head) -> None:
        path = self._home.stream(head.stream)
        if not head.size:
            self._ops.unlink(path)
            return
        handle = self._ops.open_write(path)
        try:
            self._ops.truncate(handle, head.size)
        finally:
            self._ops.close(handle)

    def take(self, lines: Sequence[Line]) -> None:
        """They are synced at the end, all at once: until then nobody counts on them."""
        for stream, group in groupby(lines, lambda line: line.stream):
            self._write(stream, list(group))

    def _write(self, stream: str, lines: Sequence[Line]) -> None:
        path, start = self._home.stream(stream), lines[0].offset
        if start == 0:
            self._ops.make_folder(path.parent)
        handle = self._ops.open_write(path)
        try:
            write_fully(self._ops, handle, b"".join(line.raw + b"\n" for line in lines), start)
        finally:
            self._ops.close(handle)

    def finish(self, pos: int) -> None:
        streams = list(self.stored.sizes())
        with ThreadPoolExecutor(_PARALLEL, "palaver-fsync") as pool:
            list(pool.map(self._sync, streams))
        for folder in {self._home.stream(stream).parent for stream in streams}:
            self._ops.sync_folder(folder)
        if self._lock:
            self._lock.write(pos)
        self._ops.sync_folder(self._home.root)  # with the names of the folders in it
        self._ops.unlink(self._home.unfinished)
        self._ops.sync_folder(self._home.root)

    def _sync(self, stream: str) -> None:
        path = self._home.stream(stream)
        handle = self._ops.open_write(path)
        try:
            self._ops.sync(handle)
        except OSError:
            self._ops.unlink(path)  # the cache may now hold what the disk does not: copy it again
            raise
        finally:
            self._ops.close(handle)

    def _state(self) -> State:
        if self._ops.file_size(self._home.unfinished) is not None:
            return "unfinished"
        return "used" if self.stored.sizes() or self._fragments() else "empty"

    def _fragments(self) -> bool:
        folders = (self._home.conversations, self._home.external)
        names = [name for folder in folders for name in self._ops.sizes(folder)]
        own = self._ops.file_size(self._home.torn(USER_STREAM)) is not None
        return own or any(name.endswith(TORN) for name in names)

    def _mark(self) -> None:
        handle = self._ops.open_write(self._home.unfinished)
        try:
            write_fully(self._ops, handle, _MARK, 0)
            self._ops.sync(handle)
        finally:
            self._ops.close(handle)
        self._ops.sync_folder(self._home.root)
