"""Many processes append to one home: numbers without gaps, nothing lost, nothing doubled."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

from palaver.index.sqlite.index import SqliteIndex
from palaver.ledger.files import FileLedger, FileOps, FileStore, Home, OsFileOps
from palaver.ledger.lines import meta, turn
from palaver.ledger.verify import verify_streams
from tests.proofs.report import Report
from tests.proofs.starting import PROCESSES


class UnlockedOps(OsFileOps):
    """A planted fault: the lock lets everybody in."""

    def lock(self, handle: int) -> None:
        pass

    def unlock(self, handle: int) -> None:
        pass


def prove(processes: int, messages: int, *, ops: type[OsFileOps] = OsFileOps) -> Report:
    report = Report("processes in one home", "messages")
    root = Path(tempfile.mkdtemp(prefix="palaver-processes-"))
    try:
        home = Home(root / "home")
        home.create()
        asyncio.run(_append(home.root, ops(), "shared", 0))
        failed = _run(home, ops, processes, messages)
        _judge(report, home, processes, messages)
        if failed:
            report.fail(f"{failed} of {processes} processes failed")
    finally:
        shutil.rmtree(root)
    return report


def _run(home: Home, ops: type[OsFileOps], processes: int, messages: int) -> int:
    workers = [
        PROCESSES.Process(target=_work, args=(home.root, ops, f"{number}", messages))
        for number in range(processes)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(worker.exitcode != 0 for worker in workers)


def _work(root: Path, ops: type[OsFileOps], name: str, messages: int) -> None:
    asyncio.run(_append(root, ops(), name, messages))


async def _append(root: Path, ops: FileOps, name: str, messages: int) -> None:
    """Half of the messages go to a stream all share, half to one of its own."""
    home = Home(root)
    store = FileStore(home, ops)
    index = SqliteIndex(home.index, "local", store)
    ledger = FileLedger(store, index)
    await ledger.open()
    await index.open()
    await ledger.append([meta(f"conv-{name}", user="local", channel="web")])
    for number in range(messages):
        stream = "conv-shared" if number % 2 else f"conv-{name}"
        await ledger.append([turn(stream, "user", f"{name}.{number}", key=f"api:{name}.{number}")])
    await ledger.close()
    await index.close()


def _judge(report: Report, home: Home, processes: int, messages: int) -> None:
    store = FileStore(home)
    lines = [line for stream in store.sizes() for line in store.lines(stream)]
    report.tried = sum(line.type == "turn" for line in lines)
    contents = [line.data["content"] for line in lines if line.type == "turn"]
    wanted = {f"{name}.{number}" for name in range(processes) for number in range(messages)}
    if len(contents) != len(wanted) or set(contents) != wanted:
        report.fail(f"{len(set(contents))} different of {len(contents)} stored, {len(wanted)} sent")
    if sorted(line.pos for line in lines) != list(range(1, len(lines) + 1)):
        report.fail("positions are not gapless")
    if any(line.data.get("seq") != line.seq for line in lines):
        report.fail("line numbers are not gapless")
    for finding in verify_streams(store):
        if finding.damage:
            report.fail(f"verify: {finding.file}:{finding.line}: {finding.code}")
