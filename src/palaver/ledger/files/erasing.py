"""Carrying out erasures. The event that records one is durable before it begins.

`enforce` may be called again for the same events: recovery does so for every one it finds, and so
finishes what a crash interrupted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from palaver.ledger.erasure import EVENTS, stone_for
from palaver.ledger.files.ops import write_fully
from palaver.ledger.files.store import FileStore
from palaver.ledger.lines import Line, read_line

_MARKS = tuple(b'"event":"%s"' % name.encode() for name in EVENTS)


def enforce(store: FileStore, records: Iterable[Line]) -> None:
    """Carries out the erasures that the events `records` stand for. Raises OSError."""
    targets: dict[str, dict[int, dict[str, Any]]] = defaultdict(dict)
    folders: set[Path] = set()
    for record in records:
        if record.event == "redacted":
            targets[record.stream] |= {item["seq"]: item for item in record.data["targets"]}
        elif record.event == "deleted":
            folders.add(_unlink(store, record.data["stream"]))
    for stream, erased in targets.items():
        _overwrite(store, stream, erased)
    for folder in folders:
        store.ops.sync_folder(folder)


def _overwrite(store: FileStore, stream: str, targets: dict[int, dict[str, Any]]) -> None:
    # Written even where a tombstone stands: after a failed fsync it may stand in the cache only.
    stones = [
        (place, stone_for(targets[seq], len(raw)))
        for seq, (place, raw) in enumerate(store.raw_lines(stream))
        if seq in targets
    ]
    handle = store.ops.open_write(store.home.stream(stream))
    try:
        for place, stone in stones:
            write_fully(store.ops, handle, stone, place)
        store.ops.sync(handle)
    finally:
        store.ops.close(handle)


def _unlink(store: FileStore, stream: str) -> Path:
    """Takes away the stream's files; returns the folder, whose names are yet to be synced."""
    path = store.home.stream(stream)
    for gone in (path, store.home.torn(stream)):
        if store.ops.file_size(gone) is not None:
            store.ops.unlink(gone)
    return path.parent


def records(store: FileStore, stream: str, offset: int) -> list[Line]:
    """The erasures recorded in a stream from `offset` on, found without parsing other lines."""
    return list(_records(store, stream, offset))


def _records(store: FileStore, stream: str, offset: int) -> Iterator[Line]:
    for place, raw in store.raw_lines(stream, offset):
        if any(mark in raw for mark in _MARKS):
            line = read_line(stream, 0, place, raw)
            if not line.adopted and line.event in EVENTS:
                yield line
