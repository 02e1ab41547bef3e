"""Calls may fail: a full disk, a broken disk, a short write, at any call, once or for ever."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from palaver.errors import PalaverError
from palaver.ledger.files.ops import FileOps
from palaver.ledger.lines import meta, turn
from palaver.ledger.port import Erasure
from tests.proofs.report import Report
from tests.proofs.simdisk import SimDisk
from tests.proofs.world import SECRET, World, broken_promises, recovered

Fault = Literal["ENOSPC", "EIO", "short write"]
FAULTS: tuple[Fault, ...] = ("ENOSPC", "EIO", "short write")


class FaultyDisk(SimDisk):
    """Fails at the n-th call that can fail, once or from then on."""

    honest = True
    """False for a planted fault: a failed fsync is not told to anybody."""

    def __init__(self, at: int, fault: Fault, *, lasting: bool) -> None:
        super().__init__()
        self.calls = 0
        self.at = at
        self.fault: Fault = fault
        self.lasting = lasting

    def mend(self) -> None:
        self.at = -1

    def _due(self) -> bool:
        self.calls += 1
        return self.at >= 0 and (self.calls == self.at or (self.lasting and self.calls >= self.at))

    def _fail(self) -> None:
        number = errno.ENOSPC if self.fault == "ENOSPC" else errno.EIO
        raise OSError(number, "injected")

    def write(self, handle: int, data: bytes, offset: int) -> int:
        if self._due():
            if self.fault != "short write":
                self._fail()
            if len(data) < 2 or (self.lasting and self.calls > self.at):
                return 0
            return super().write(handle, data[: len(data) // 2], offset)
        return super().write(handle, data, offset)

    def sync(self, handle: int) -> None:
        if self._due() and self.fault != "short write":
            # What the kernel does: the pages are dropped, and the next sync says yes.
            self._inode(handle).pending.clear()
            if not self.honest:
                return
            self._fail()
        super().sync(handle)

    def truncate(self, handle: int, size: int) -> None:
        if self._due() and self.fault == "EIO":
            self._fail()
        super().truncate(handle, size)

    def sync_folder(self, path: Path) -> None:
        if self._due() and self.fault != "short write":
            self._fail()
        super().sync_folder(path)

    def open_write(self, path: Path) -> int:
        if self._due() and self.fault != "short write":
            self._fail()
        return super().open_write(path)


Step = Callable[[World], list[PalaverError]]
"""Something to be done, with keys, so that it can be asked for again."""


def steps() -> list[Step]:
    a, b = "conv-A", "conv-B"
    first = turn(a, "user", f"a1 {SECRET}", key="api:a1")
    return [
        lambda world: world.commit([meta(a, user="local"), first]),
        lambda world: world.commit([turn(a, "assistant", "a2", key="api:a2")]),
        lambda world: world.commit(
            [meta(b, user="local"), turn(b, "user", "b1", key="api:b1")],
            [turn(a, "user", "a3", key="api:a3")],
        ),
        lambda world: world.erase(Erasure(lines={a: [1]})),
        lambda world: world.commit(
            [turn(b, "assistant", "b2", key="api:b2"), turn(b, "user", "b3", key="api:b3")]
        ),
    ]


def prove(
    last: int, *, watch: Callable[[FaultyDisk], FileOps] = lambda disk: disk, step: int = 1
) -> Report:
    """Fails each of the first `last` calls, in each way; then the sender tries again."""
    report = Report("failing calls", "runs with one failing call")
    for fault in FAULTS:
        for lasting in (False, True):
            for at in range(1, last + 1, step):
                _try(report, FaultyDisk(at, fault, lasting=lasting), watch)
    return report


def _try(report: Report, disk: FaultyDisk, watch: Callable[[FaultyDisk], FileOps]) -> None:
    report.tried += 1
    where = f"{disk.fault} at call {disk.at}{' and after' if disk.lasting else ''}"
    world = World(watch(disk))
    refused = _send(world, steps())
    disk.mend()
    still = _send(world, refused)
    world.writer.close()
    if still:
        report.fail(f"{where}: the same messages were refused again")
    durable = {path: disk.inodes[n].durable for path, n in disk.durable_names.items()}
    for problem in broken_promises(world, recovered(disk)):
        report.fail(f"{where}: {problem}")
    for problem in broken_promises(world, recovered(SimDisk(durable))):
        report.fail(f"{where}, after a power loss: {problem}")
    expected = {"api:a1", "api:a2", "api:a3", "api:b1", "api:b2", "api:b3"}
    if {line.data.get("key") for line in world.acknowledged} - {None} != expected:
        report.fail(f"{where}: not every message was acknowledged in the end")


def _send(world: World, wanted: list[Step]) -> list[Step]:
    """Does one after the other; returns what is still to do after the first that was refused."""
    for number, step in enumerate(wanted):
        if step(world):
            return wanted[number:]
    return []
