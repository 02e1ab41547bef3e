"""Carrying out erasures. The event that records one is durable before it begins.

`enforce` may be called again for the same events: recovery does so for every one it finds, and so
finishes what a crash interrupted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from palaver.ledger.erasure import EVENTS, may_overwrite, stone_for
from palaver.ledger.files.ops import write_fully
from palaver.ledger.files.store import FileStore
from palaver.ledger.lines import USER_STREAM, Line, read_line

_MARKS = tuple(b'"event":"%s"' % name.encode() for name in EVENTS)


def enforce(store: FileStore, records: Iterable[Line]) -> int:
    """Carries out the erasures that the events `records` stand for; gives how many lines and
    streams still had their words. Raises OSError."""
    targets: dict[str, dict[int, dict[str, Any]]] = defaultdict(dict)
    folders: set[Path] = set()
    left = 0
    for record in records:
        if record.event == "redacted":
            targets[record.stream] |= {item["seq"]: item for item in record.data["targets"]}
        elif record.event == "deleted":
            left += store.size(record.data["stream"]) is not None
            folders.add(_unlink(store, record.data["stream"]))
    for stream, erased in targets.items():
        left += _overwrite(store, stream, erased)
    for folder in folders:
        store.ops.sync_folder(folder)
    return left


def _overwrite(store: FileStore, stream: str, targets: dict[int, dict[str, Any]]) -> int:
    """Gives how many lines still had their words."""
    # Written even where a tombstone stands: after a failed fsync it may stand in the cache only.
    stones = [
        (place, raw, stone_for(targets[seq], len(raw)))
        for seq, (place, raw) in enumerate(store.raw_lines(stream))
        if seq in targets and may_overwrite(raw, targets[seq])
    ]
    handle = store.ops.open_write(store.home.stream(stream))
    try:
        for place, _, stone in stones:
            write_fully(store.ops, handle, stone, place)
        store.ops.sync(handle)
    finally:
        store.ops.close(handle)
    if store.ops.file_size(torn := store.home.torn(stream)) is not None:
        store.ops.unlink(torn)  # a fragment may be the beginning of what was erased
        store.ops.sync_folder(torn.parent)
    return sum(raw != stone for _, raw, stone in stones)


def unlink(store: FileStore, stream: str) -> None:
    """Takes away the files of a deleted stream that have come back. Raises OSError."""
    store.ops.sync_folder(_unlink(store, stream))


def _unlink(store: FileStore, stream: str) -> Path:
    """Takes away the stream's files; returns the folder, whose names are yet to be synced."""
    path = store.home.stream(stream)
    for gone in (path, store.home.torn(stream)):
        if store.ops.file_size(gone) is not None:
            store.ops.unlink(gone)
    return path.parent


class Deleted:
    """The streams that were deleted: read once, and again when there is more to read."""

    def __init__(self, store: FileStore) -> None:
        self._store = store
        self._size = 0
        self._names: set[str] = set()

    def now(self) -> set[str]:
        size = self._store.size(USER_STREAM) or 0
        if size != self._size:
            found = records(self._store, USER_STREAM, min(size, self._size))
            self._names |= {str(line.data.get("stream")) for line in found}
            self._size = size
        return self._names


def records(store: FileStore, stream: str, offset: int) -> list[Line]:
    """The erasures recorded in a stream from `offset` on, found without parsing other lines."""
    return list(_records(store, stream, offset))


def last_records(store: FileStore, stream: str) -> list[Line]:
    """The erasures recorded at the very end of a stream.

    One that was interrupted is there: an erasure is a commit of its own, and whoever commits
    after it finishes it first.
    """
    found: list[Line] = []
    for place, raw in store.raw_lines_back(stream):
        line = read_line(stream, 0, place, raw)
        if line.readable and (line.adopted or line.event not in (*EVENTS, "adopted")):
            break
        if line.event in EVENTS:
            found.append(line)
    return found


def _records(store: FileStore, stream: str, offset: int) -> Iterator[Line]:
    for piece in store.pieces(stream, offset):
        if any(mark in piece for mark in _MARKS):
            yield from _records_in(stream, piece)


def _records_in(stream: str, piece: bytes) -> Iterator[Line]:
    for raw in piece.split(b"\n"):
        if any(mark in raw for mark in _MARKS):
            line = read_line(stream, 0, 0, raw)
            if not line.adopted and line.event in EVENTS:
                yield line
