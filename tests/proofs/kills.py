"""A writer may be killed at any moment: nothing it acknowledged is lost, doubled or reordered.

The writer is a process that appends to a real home through the real ledger (and index), and says
through a pipe what was acknowledged. Now and then it is killed with SIGKILL; another takes its
place.
"""

from __future__ import annotations

import asyncio
import os
import random
import select
import shutil
import signal
import tempfile
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from palaver.index.sqlite.index import SqliteIndex
from palaver.ledger.files import FileLedger, FileOps, FileStore, Home, OsFileOps
from palaver.ledger.lines import meta, turn
from palaver.ledger.verify import verify_streams
from tests.proofs.report import Report
from tests.proofs.starting import PROCESSES

STREAMS = 3


class BufferingOps(OsFileOps):
    """A planted fault: half of the appended lines are still in the process when it is killed."""

    def write(self, handle: int, data: bytes, offset: int) -> int:
        if b'"type":"turn"' not in data or b'"meta"' in data or random.random() < 0.5:
            return super().write(handle, data, offset)
        return len(data)


def broken() -> FileOps:
    """A planted fault: no writer lives."""
    raise OSError


def killed_at_once() -> FileOps:
    """A planted fault: every writer is killed before it has written anything."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def prove(kills: int, *, seed: int = 1, ops: Callable[[], FileOps] = OsFileOps) -> Report:
    report = Report("kills of a writer", "kills")
    rng = random.Random(seed)
    root = Path(tempfile.mkdtemp(prefix="palaver-kills-"))
    home = Home(root / "home")
    home.create()
    acknowledged: dict[str, list[str]] = {f"conv-{n}": [] for n in range(STREAMS)}
    try:
        for number in range(kills):
            ended = _one_life(home, ops, rng.random() * 0.02, acknowledged, number)
            report.tried += 1
            if ended != -signal.SIGKILL:
                report.fail(f"a writer was not killed: it ended by itself, with {ended}")
            elif number % 25 == 24 or number == kills - 1:
                _judge(report, home, acknowledged)
            if report.failures:
                break
    finally:
        shutil.rmtree(root)
    count = sum(map(len, acknowledged.values()))
    if not count:
        report.fail("no message was acknowledged, so none could be lost")
    report.notes.append(f"{count:,} messages acknowledged")
    return report


def _one_life(
    home: Home,
    ops: Callable[[], FileOps],
    seconds: float,
    acknowledged: dict[str, list[str]],
    number: int,
) -> int | None:
    """Starts a writer, lets it work, kills it, and notes what it acknowledged; how it ended."""
    reader, writer = PROCESSES.Pipe(duplex=False)
    child = PROCESSES.Process(target=_live, args=(home, ops, writer, number))
    child.start()
    writer.close()
    select.select([reader], [], [], 5)  # it lives: its first message is acknowledged
    select.select([], [], [], seconds)
    child.kill()
    child.join()
    with reader, open(reader.fileno(), "rb", closefd=False) as said:
        for line in said.read().decode().split("\n")[:-1]:
            stream, content = line.split(" ", 1)
            acknowledged[stream].append(content)
    return child.exitcode


def _live(home: Home, ops: Callable[[], FileOps], out: Connection, life: int) -> None:
    asyncio.run(_write(home, ops(), out.fileno(), life))


async def _write(home: Home, ops: FileOps, out: int, life: int) -> None:
    store = FileStore(home, ops)
    index = SqliteIndex(home.index, "local", store)
    ledger = FileLedger(store, index)
    await ledger.open()
    await index.open()
    there = {stat.name for stat in await ledger.streams()}
    await asyncio.gather(*(_writer(ledger, f"conv-{n}", there, out, life) for n in range(STREAMS)))


async def _writer(ledger: FileLedger, stream: str, there: set[str], out: int, life: int) -> None:
    if stream not in there:
        await ledger.append([meta(stream, user="local", channel="web")])
    for number in range(1_000_000):
        content = f"{life}.{number}"
        await ledger.append([turn(stream, "user", content, key=f"api:{stream}:{content}")])
        os.write(out, f"{stream} {content}\n".encode())


def _judge(report: Report, home: Home, acknowledged: dict[str, list[str]]) -> None:
    """Opens the home as the next start would, then compares it with what was acknowledged."""
    asyncio.run(_reopen(home))
    store = FileStore(home)
    for stream, contents in acknowledged.items():
        stored = [line.data["content"] for line in store.lines(stream) if line.type == "turn"]
        if len(stored) != len(set(stored)):
            report.fail(f"{stream}: a message was stored twice")
        known = set(contents)
        if [content for content in stored if content in known] != contents:
            report.fail(f"{stream}: an acknowledged message is lost or out of order")
    for finding in verify_streams(store):
        if finding.damage:
            report.fail(f"verify: {finding.file}:{finding.line}: {finding.code}")
    positions = [line.pos for stream in acknowledged for line in store.lines(stream)]
    if len(positions) != len(set(positions)):
        report.fail("a position was given twice")


async def _reopen(home: Home) -> None:
    store = FileStore(home)
    index = SqliteIndex(home.index, "local", store)
    ledger = FileLedger(store, index)
    await ledger.open()
    await index.open()
    await index.settle()
    await ledger.close()
    await index.close()
