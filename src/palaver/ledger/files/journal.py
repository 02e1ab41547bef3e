"""The write lock of a home, and what its last holder left to be known.

`write.lock` holds one line of JSON and its checksum: the ledger's position, and the streams that
are being written with the length they had before. It is only a note between processes: whoever
opens a home works it out again from the streams themselves, and whoever finds `pending` streams
settles those first, because their writer died or failed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

import orjson

from palaver.ledger.files.ops import FileOps, write_fully

_USUAL_NOTE = 512


@dataclass(frozen=True, slots=True)
class Note:
    """What the last holder of the lock left."""

    pos: int
    pending: dict[str, int] = field(default_factory=dict[str, int])


class WriteLock:
    """Held by one commit at a time, across processes; use as a context manager."""

    def __init__(self, ops: FileOps, path: Path) -> None:
        self._ops = ops
        self._path = path
        self._handle = -1

    def __enter__(self) -> WriteLock:
        handle = self._ops.open_write(self._path)
        try:
            self._ops.lock(handle)
        except OSError:
            self._ops.close(handle)
            raise
        self._handle = handle
        return self

    def __exit__(self, *_: object) -> None:
        handle, self._handle = self._handle, -1
        self._ops.unlock(handle)
        self._ops.close(handle)

    def read(self) -> Note | None:
        """The note, or None if there is none that can be read."""
        return read_note(self._ops, self._handle)

    def write(self, pos: int, pending: Mapping[str, int] | None = None) -> None:
        text = orjson.dumps({"pos": pos, "pending": dict(pending or {})})
        write_fully(self._ops, self._handle, b"%s %s\n" % (text, _mark(text)), 0)


def read_note(ops: FileOps, handle: int) -> Note | None:
    """The note in the file, for whoever holds the lock, or only looks."""
    raw, newline, _ = ops.read(handle, _USUAL_NOTE, 0).partition(b"\n")
    if not newline:
        raw = ops.read(handle, ops.size(handle), 0).partition(b"\n")[0]
    text, _, mark = raw.rpartition(b" ")
    if _mark(text) != mark:  # a power loss, or a look during a write, shows parts of two notes
        return None
    data = orjson.loads(text)
    return Note(data["pos"], data["pending"])


def _mark(text: bytes) -> bytes:
    return blake2b(text, digest_size=8).hexdigest().encode()
