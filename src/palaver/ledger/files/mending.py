"""Mending the end of a stream after a crash. Only ever called under the write lock.

- A fragment behind the last newline is copied to `*.torn` and fsynced, then cut off.
- A whole JSON object that only lacks its newline gets it: no part of it is missing.
- A file with nothing in it, of a stream nobody has seen, is removed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from palaver.errors import PalaverError
from palaver.ledger import strict
from palaver.ledger.files.ops import write_fully

if TYPE_CHECKING:
    from palaver.ledger.files.store import FileStore

_BLOCK = 1 << 16


def mend(store: FileStore, stream: str) -> bool:
    """Makes the stream end with a whole line, losing no byte; False if it did. Raises OSError."""
    path = store.home.stream(stream)
    if not store.size(stream):
        return False
    ops = store.ops
    handle = ops.open_write(path)
    try:
        fragment = unterminated(store, handle)
        if not fragment:
            return False
        end = ops.size(handle)
        if is_whole(fragment):
            write_fully(ops, handle, b"\n", end)
        else:
            set_aside(store, stream, fragment)
            ops.truncate(handle, end - len(fragment))
        ops.sync(handle)
        return True
    finally:
        ops.close(handle)


def unterminated(store: FileStore, handle: int) -> bytes:
    """The bytes behind the last newline."""
    start, found = store.ops.size(handle), b""
    while start > 0 and b"\n" not in found:
        step = min(max(_BLOCK, len(found)), start)
        start -= step
        found = store.ops.read(handle, step, start) + found
    return found.rpartition(b"\n")[2]


def is_whole(fragment: bytes) -> bool:
    """Whether it is a complete JSON object: no proper beginning of a line is one."""
    try:
        return isinstance(strict.loads(fragment), dict)
    except PalaverError:
        return False


def set_aside(store: FileStore, stream: str, fragment: bytes) -> None:
    """Keeps a fragment, one per line, in the stream's `*.torn` file; durable on return."""
    ops, path = store.ops, store.home.torn(stream)
    handle = ops.open_write(path)
    try:
        write_fully(ops, handle, fragment + b"\n", ops.size(handle))
        ops.sync(handle)
    finally:
        ops.close(handle)
    ops.sync_folder(path.parent)


def remove_empty(store: FileStore, stream: str) -> None:
    """Takes away a file without a single byte: a writer died between creating and writing it."""
    path = store.home.stream(stream)
    if store.size(stream) == 0:
        store.ops.unlink(path)
        store.ops.sync_folder(path.parent)


def rewrite(store: FileStore, stream: str, start: int) -> None:
    """Writes the bytes from `start` on once more and syncs them. Raises OSError."""
    ops = store.ops
    handle = ops.open_write(store.home.stream(stream))
    try:
        write_fully(ops, handle, ops.read(handle, ops.size(handle) - start, start), start)
        ops.sync(handle)
    finally:
        ops.close(handle)
    ops.sync_folder(store.home.stream(stream).parent)
