"""Appending: how many fsyncs, how much of our own work beside them, and what a group saves."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from benchmarks.homes import opened, scratch_home
from benchmarks.result import Result
from palaver.ledger.files import FileLedger, OsFileOps
from palaver.ledger.lines import meta, turn

FSYNC = 0.004
WRITERS = 64
ROUNDS = 8
TEXT = "A message of an ordinary length, as people write them, with some twenty words in it or so."


class CountingOps(OsFileOps):
    """fsync costs nothing and is counted: what is left is our own work."""

    def __init__(self) -> None:
        self.synced = 0

    def sync(self, handle: int) -> None:
        self.synced += 1

    def sync_folder(self, path: Path) -> None:
        self.synced += 1


class FixedOps(OsFileOps):
    """fsync costs exactly 4 ms, whatever the disk is doing."""

    def sync(self, handle: int) -> None:
        time.sleep(FSYNC)

    def sync_folder(self, path: Path) -> None:
        time.sleep(FSYNC)


def run() -> list[Result]:
    return [asyncio.run(own_work()), asyncio.run(groups())]


async def own_work(appends: int = 2000) -> Result:
    result = Result("Append", "One message at a time; fsync is counted and costs nothing.")
    ops = CountingOps()
    with scratch_home() as home:
        async with opened(home, ops) as ledger:
            await ledger.append([meta("conv-A", user="local", channel="web")])
            await _append(ledger, 200, "warm")
            before, started = ops.synced, time.process_time()
            await _append(ledger, appends, "x")
            spent = time.process_time() - started
    result.at_most("fsyncs per append", (ops.synced - before) / appends, "", 1)
    result.at_most("own CPU per append, index included", spent / appends * 1000, "ms", 0.5)
    return result


async def _append(ledger: FileLedger, count: int, mark: str) -> None:
    for number in range(count):
        key = f"api:{mark}{number}"
        await ledger.append([turn("conv-A", "user", f"{TEXT} {number}", key=key)])


async def groups() -> Result:
    """64 writers at once against one fsync per append, in the same run."""
    how = f"{WRITERS} writers, a fixed fsync of {FSYNC * 1000:g} ms, ledger and index."
    result = Result("Group commit", how, axis="appends per second")
    alone = await _rate(streams=1, writers=1)
    one_stream = await _rate(streams=1, writers=WRITERS)
    many_streams = await _rate(streams=WRITERS, writers=WRITERS)
    result.at_least("64 writers, one stream", one_stream / alone, "times", 15)
    result.at_least("64 writers, 64 streams", many_streams / alone, "times", 8)
    result.note("one writer", alone, "appends/s")
    result.bars = [
        ("one fsync per append", alone),
        ("64 writers, 64 streams", many_streams),
        ("64 writers, one stream", one_stream),
    ]
    return result


async def _rate(streams: int, writers: int) -> float:
    """Appends per second."""
    with scratch_home() as home:
        async with opened(home, FixedOps()) as ledger:
            names = [f"conv-{number}" for number in range(streams)]
            await ledger.append([meta(name, user="local", channel="web") for name in names])
            started = time.perf_counter()
            await asyncio.gather(
                *(_writer(ledger, names[number % streams], number) for number in range(writers))
            )
            return writers * ROUNDS / (time.perf_counter() - started)


async def _writer(ledger: FileLedger, stream: str, writer: int) -> None:
    for number in range(ROUNDS):
        await ledger.append([turn(stream, "user", f"{TEXT} {writer}.{number}")])
