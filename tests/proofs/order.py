"""write → fsync → acknowledge, in this order, for every line, counted call by call."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from palaver.ledger.lines import Draft, Line, meta, turn
from tests.proofs.report import Report
from tests.proofs.simdisk import SimDisk
from tests.proofs.world import HOME, World


class RecordingDisk(SimDisk):
    """Writes down every call on a stream, in order."""

    honest = True
    """False for a planted fault: fsync is forgotten."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[str, str, bytes]] = []

    def path_of(self, handle: int) -> Path:
        number = self.handles[handle]
        return next(path for path, inode in self.names.items() if inode == number)

    def write(self, handle: int, data: bytes, offset: int) -> int:
        self.calls.append(("write", self.path_of(handle).name, data))
        return super().write(handle, data, offset)

    def sync(self, handle: int) -> None:
        if not self.honest:
            return
        super().sync(handle)
        self.calls.append(("sync", self.path_of(handle).name, b""))

    def sync_folder(self, path: Path) -> None:
        super().sync_folder(path)
        self.calls.append(("sync folder", path.name, b""))

    def acknowledge(self, line: Line) -> None:
        self.calls.append(("acknowledge", HOME.stream(line.stream).name, line.raw))


def prove(commits: int, disk: RecordingDisk | None = None) -> Report:
    """Commits to one, two and three streams at once, some of them new."""
    report = Report("order of calls", "acknowledged lines")
    disk = disk or RecordingDisk()
    world = World(disk)
    world.on_acknowledge = disk.acknowledge
    for number in range(commits):
        names = [f"conv-{number % 7}", f"conv-{number % 5}x", f"conv-{number}new"][: 1 + number % 3]
        before = len(disk.calls)
        world.commit(*[_request(disk, name) for name in names])
        _judge(report, disk.calls[before:], len(names))
    world.writer.close()
    return report


def _request(disk: RecordingDisk, name: str) -> list[Draft]:
    begun = disk.file_size(HOME.stream(name)) is not None
    message = turn(name, "user", f"Number {disk.operations}")
    return [message] if begun else [meta(name, user="local"), message]


def _judge(report: Report, calls: list[tuple[str, str, bytes]], streams: int) -> None:
    syncs = Counter(name for call, name, _ in calls if call == "sync")
    if any(count > 1 for count in syncs.values()) or len(syncs) > streams:
        report.fail(f"more than one fsync per touched stream: {dict(syncs)}")
    for place, (call, name, raw) in enumerate(calls):
        if call == "acknowledge":
            report.tried += 1
            if not _durable_before(calls[:place], name, raw):
                report.fail(f"{name}: acknowledged before it was on the disk")


def _durable_before(calls: list[tuple[str, str, bytes]], name: str, raw: bytes) -> bool:
    writes = [n for n, c in enumerate(calls) if c[:2] == ("write", name) and raw in c[2]]
    if not writes:
        return False
    written = writes[0]
    synced = any(c[:2] == ("sync", name) for c in calls[written:])
    created = b'"seq":0,' in calls[written][2]
    named = not created or any(c[0] == "sync folder" for c in calls[written:])
    return synced and named
