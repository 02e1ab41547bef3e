"""A disk in memory that can lose power: every state it could be left in can be made.

What has been synced is on the disk. Of what has not, anything may be: nothing, all of it, the
beginning of a write, a write whose length arrived without its bytes, some operations and not the
ones before them; and names may be there or not.
"""

from __future__ import annotations

import errno
import random
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Write:
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Truncate:
    size: int


@dataclass(slots=True)
class Inode:
    live: bytearray = field(default_factory=bytearray)
    durable: bytes = b""
    pending: list[Write | Truncate] = field(default_factory=list[Write | Truncate])


State = dict[Path, bytes]
"""The files of a disk after a power loss."""


class SimDisk:
    """FileOps in memory. One process, so the lock is always free."""

    def __init__(self, files: State | None = None) -> None:
        self.inodes: dict[int, Inode] = {}
        self.names: dict[Path, int] = {}
        self.durable_names: dict[Path, int] = {}
        self.handles: dict[int, int] = {}
        self.next = 1
        self.operations = 0
        for path, data in (files or {}).items():
            number = self._new_inode(bytearray(data), data)
            self.names[path] = self.durable_names[path] = number

    def _new_inode(self, live: bytearray, durable: bytes = b"") -> int:
        number, self.next = self.next, self.next + 1
        self.inodes[number] = Inode(live, durable)
        return number

    def happened(self) -> None:
        """Called after each operation that changes what a power loss may leave."""
        self.operations += 1

    # -- FileOps -----------------------------------------------------------------------------

    def open_read(self, path: Path) -> int:
        if path not in self.names:
            raise FileNotFoundError(errno.ENOENT, "no such file", str(path))
        return self._open(path)

    def open_write(self, path: Path) -> int:
        if path not in self.names:
            self.names[path] = self._new_inode(bytearray())
            self.happened()
        return self._open(path)

    def _open(self, path: Path) -> int:
        handle, self.next = self.next, self.next + 1
        self.handles[handle] = self.names[path]
        return handle

    def _inode(self, handle: int) -> Inode:
        return self.inodes[self.handles[handle]]

    def close(self, handle: int) -> None:
        del self.handles[handle]

    def read(self, handle: int, size: int, offset: int) -> bytes:
        return bytes(self._inode(handle).live[offset : offset + size])

    def write(self, handle: int, data: bytes, offset: int) -> int:
        inode = self._inode(handle)
        _put(inode.live, offset, data)
        inode.pending.append(Write(offset, data))
        self.happened()
        return len(data)

    def size(self, handle: int) -> int:
        return len(self._inode(handle).live)

    def truncate(self, handle: int, size: int) -> None:
        inode = self._inode(handle)
        _cut(inode.live, size)
        inode.pending.append(Truncate(size))
        self.happened()

    def sync(self, handle: int) -> None:
        inode = self._inode(handle)
        data = bytearray(inode.durable)
        for operation in inode.pending:
            _survive(data, operation, None)
        inode.durable, inode.pending = bytes(data), []
        self.happened()

    def sync_folder(self, path: Path) -> None:
        kept = {p: n for p, n in self.durable_names.items() if p.parent != path}
        self.durable_names = kept | {p: n for p, n in self.names.items() if p.parent == path}
        self.happened()

    def unlink(self, path: Path) -> None:
        if self.names.pop(path, None) is not None:
            self.happened()

    def sizes(self, folder: Path) -> dict[str, int]:
        return {
            p.name: len(self.inodes[n].live) for p, n in self.names.items() if p.parent == folder
        }

    def newest_first(self, folder: Path) -> list[str]:
        return list(self.sizes(folder))

    def file_size(self, path: Path) -> int | None:
        return len(self.inodes[self.names[path]].live) if path in self.names else None

    def make_folder(self, path: Path) -> None:
        pass

    def lock(self, handle: int) -> None:
        pass

    def unlock(self, handle: int) -> None:
        pass

    # -- losing power ------------------------------------------------------------------------

    def after_power_loss(self, rng: random.Random) -> State:
        """One state the disk could be left in now."""
        state: State = {}
        for path in sorted(self.names.keys() | self.durable_names.keys()):
            live, durable = self.names.get(path), self.durable_names.get(path)
            number = live if live == durable or rng.random() < 0.5 else durable
            if number is not None:
                state[path] = survivor(self.inodes[number], rng)
        return state

    def files(self) -> State:
        return {path: bytes(self.inodes[number].live) for path, number in self.names.items()}


def survivor(inode: Inode, rng: random.Random) -> bytes:
    """What may be left of a file: any selection of its pending operations, the last one torn."""
    data, pending = bytearray(inode.durable), inode.pending
    if not pending:
        return bytes(data)
    in_order = rng.random() < 0.7
    reached = rng.randint(0, len(pending))
    for number, operation in enumerate(pending):
        if in_order and number > reached:
            break
        if not in_order and rng.random() < 0.5:
            continue
        torn = number == reached or (not in_order and rng.random() < 0.5)
        _survive(data, operation, rng if torn else None)
    return bytes(data)


def _survive(data: bytearray, operation: Write | Truncate, rng: random.Random | None) -> None:
    if isinstance(operation, Truncate):
        if rng is None or rng.random() < 0.5:
            _cut(data, operation.size)
    elif rng is None:
        _put(data, operation.offset, operation.data)
    else:
        old = bytes(data[operation.offset : operation.offset + len(operation.data)])
        _put(data, operation.offset, torn_write(operation.data, old, rng))


def torn_write(data: bytes, old: bytes, rng: random.Random) -> bytes:
    """The beginning of it, or its length with a hole: what was there before, or nothing."""
    if rng.random() < 0.6:
        return data[: rng.randint(0, len(data))]
    start = rng.randint(0, len(data))
    end = rng.randint(start, len(data))
    return data[:start] + old.ljust(len(data), b"\0")[start:end] + data[end:]


def _put(data: bytearray, offset: int, new: bytes) -> None:
    if len(data) < offset:
        data.extend(bytes(offset - len(data)))
    data[offset : offset + len(new)] = new


def _cut(data: bytearray, size: int) -> None:
    del data[size:]
    data.extend(bytes(size - len(data)))
