"""Writing lines to their files: each fully, each synced once, several at the same time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from palaver.ledger.files.ops import write_fully
from palaver.ledger.files.store import FileStore
from palaver.ledger.lines import Line

_PARALLEL = 32


class StreamWriter:
    """Makes lines durable."""

    def __init__(self, store: FileStore) -> None:
        self._store = store
        self._pool = ThreadPoolExecutor(_PARALLEL, "palaver-fsync")

    def close(self) -> None:
        self._pool.shutdown()

    def write(self, lines: Mapping[str, Sequence[Line]]) -> dict[str, OSError]:
        """Writes and syncs the lines of each stream; returns what went wrong, by stream."""
        several = len(lines) > 1
        results = (self._pool.map if several else map)(self._write_stream, lines.values())
        errors = {s: e for s, e in zip(lines, results, strict=True) if e is not None}
        created = [stream for stream, written in lines.items() if written[0].offset == 0]
        return errors or self._sync_names(created)

    def _write_stream(self, lines: Sequence[Line]) -> OSError | None:
        ops, path = self._store.ops, self._store.home.stream(lines[0].stream)
        data = b"".join(line.raw + b"\n" for line in lines)
        try:
            if lines[0].offset == 0:
                ops.make_folder(path.parent)
            handle = ops.open_write(path)
            try:
                write_fully(ops, handle, data, lines[0].offset)
                ops.sync(handle)
            finally:
                ops.close(handle)
        except OSError as error:
            return error
        return None

    def _sync_names(self, streams: Iterable[str]) -> dict[str, OSError]:
        """A new file is durable only with its name: one sync for each folder that has got one."""
        folders = {stream: self._store.home.stream(stream).parent for stream in streams}
        for folder in set(folders.values()):
            try:
                self._store.ops.sync_folder(folder)
            except OSError as error:
                return {stream: error for stream, place in folders.items() if place == folder}
        return {}
