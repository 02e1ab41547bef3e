"""A record may be cut at any byte: the lines before it stay, and no byte of it is thrown away."""

from __future__ import annotations

from collections.abc import Callable

from palaver.ledger.files import mending
from palaver.ledger.files.store import FileStore
from palaver.ledger.lines import Draft, Line, event, meta, turn
from tests.proofs.report import Report
from tests.proofs.simdisk import SimDisk
from tests.proofs.world import HOME, World, committer

STREAM = "conv-A"


def records() -> list[Draft]:
    """Records of every shape: short, long, wide characters, newlines inside, nested, events."""
    return [
        meta(STREAM, user="local", channel="web", participants=["user"], metadata={"a": [1, {}]}),
        turn(STREAM, "user", "x"),
        turn(STREAM, "assistant", 'Ünïcödé 东京 👩‍👩‍👧 \u2028\u2029\u0085 \\ " \n\r\n'),
        turn(STREAM, "user", "{}", parts=[{"type": "text", "text": "}\n{"}], key="api:1"),
        event(STREAM, "title_assigned", title="Tea", topics=["tea"], by="user"),
        turn(STREAM, "assistant", "long " * 400, usage={"input": 1, "output": 2}, cost=0.004),
    ]


def prove(step: int = 1, mend: Callable[[FileStore, str], object] = mending.mend) -> Report:
    report = Report("torn tails", "cuts")
    lines = _write()
    data = b"".join(line.raw + b"\n" for line in lines)
    for cut in range(0, len(data) + 1, step):
        _try(report, lines, data[:cut], mend)
    return report


def _write() -> list[Line]:
    world = World(SimDisk())
    for draft in records():
        world.commit([draft])
    return world.acknowledged


def _try(
    report: Report, lines: list[Line], data: bytes, mend: Callable[[FileStore, str], object]
) -> None:
    report.tried += 1
    disk = SimDisk({HOME.stream(STREAM): data})
    store = FileStore(HOME, disk)
    mend(store, STREAM)
    after, torn = disk.files()[HOME.stream(STREAM)], disk.files().get(HOME.torn(STREAM), b"")
    whole = [line for line in lines if line.offset + len(line.raw) <= len(data)]
    kept = list(store.lines(STREAM))
    if [line.raw for line in kept] != [line.raw for line in whole]:
        report.fail(f"cut at {len(data)}: {len(kept)} lines stayed, not {len(whole)}")
    fragment = data[sum(len(line.raw) + 1 for line in whole) :]
    if fragment and torn != fragment + b"\n":
        report.fail(f"cut at {len(data)}: the fragment was not kept")
    if whole and store.head(STREAM).lines != len(whole):
        report.fail(f"cut at {len(data)}: the next line would get a wrong number")
    if after and not after.endswith(b"\n"):
        report.fail(f"cut at {len(data)}: the file still ends in the middle of a line")
    writer = committer(disk)
    writer.recover()
    if not disk.files().get(HOME.stream(STREAM), b"x"):
        report.fail(f"cut at {len(data)}: an empty file stayed")
    writer.close()
