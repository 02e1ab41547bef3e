"""Making the index again from nothing: a million lines of 90 words."""

from __future__ import annotations

import asyncio
import resource
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.homes import fill, scratch_home
from benchmarks.result import Result
from palaver.index.port import ConversationFilter
from palaver.index.sqlite.index import SqliteIndex
from palaver.ledger.files import FileLedger, FileStore, Home

CONVERSATIONS, LINES = 2_000, 500


def run(conversations: int = CONVERSATIONS) -> list[Result]:
    how = f"{conversations * LINES:,} lines of 90 words, {conversations:,} conversations, no index."
    result = Result("Rebuild", how)
    with scratch_home() as home:
        lines = fill(home, conversations, LINES)
        # In a process of its own, so that its memory is its own.
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.rebuild", str(home.root)],
            capture_output=True,
            text=True,
            check=True,
        )
    listed, seconds, memory = map(float, done.stdout.split())
    result.at_least("lines per second", lines / seconds, "lines/s", 10_000)
    result.at_most("memory", memory, "MB", 500)
    result.at_most("until the list of conversations is there", listed, "s", 5)
    return [result]


async def rebuild(home: Home) -> tuple[float, float]:
    """Seconds until the list is whole, and until everything is indexed."""
    started = time.perf_counter()
    store = FileStore(home)
    index = SqliteIndex(home.index, "local", store)
    ledger = FileLedger(store, index)
    await ledger.open()
    await index.open()
    listed = 0.0
    while not listed:
        found = await index.conversations("local", ConversationFilter(), limit=200)
        if len(found) == min(200, len(await ledger.streams())):
            listed = time.perf_counter() - started
    await index.settle()
    seconds = time.perf_counter() - started
    await ledger.close()
    await index.close()
    return listed, seconds


if __name__ == "__main__":
    taken = asyncio.run(rebuild(Home(Path(sys.argv[1]))))
    # Words are counted in another process, too; that one has ended.
    processes = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    print(*taken, sum(resource.getrusage(which).ru_maxrss for which in processes) / 1024)
