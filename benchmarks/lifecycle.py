"""The lifecycle: a thousand conversations go idle at once, while somebody goes on talking."""

from __future__ import annotations

import asyncio
import tempfile
import time
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from statistics import median, quantiles

from benchmarks.result import Result
from benchmarks.sentences import sentences
from palaver import NewMessage, Palaver, Settings

CONVERSATIONS = 1000
TURNS = 8
QUIET = 60
"""So many messages are sent while nothing else happens, and then at least as many while digests are
made."""
_LONG = 20
"""After so many it is another conversation: before and meanwhile they are of the same length."""
_GLANCE = 10
"""After so many it is looked whether anything is left to do."""
_PAUSE = 0.1
"""Seconds between two of them: people think."""


class _Clock:
    """Moves on by itself, and leaps when it is told to."""

    def __init__(self) -> None:
        self.leap = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.leap


def run() -> list[Result]:
    how = (
        f"{CONVERSATIONS:,} conversations of {TURNS} turns become idle at once. Until all have an "
        f"abbreviation, a title and their vectors, somebody sends a message every {_PAUSE:g} s in "
        "the same process, as they did before. The offline assistant answers; no model is "
        "connected."
    )
    result = Result("Lifecycle", how, axis="ms")
    with tempfile.TemporaryDirectory(prefix="palaver-bench-") as folder:
        asyncio.run(_measure(Path(folder), result))
    return [result]


async def _measure(folder: Path, result: Result) -> None:
    clock = _Clock()
    settings = Settings.load(folder, user__timezone="UTC")
    async with Palaver.open(settings=settings, clock=clock) as palaver:
        await _fill(palaver)
        before = [await _send(palaver, number) for number in range(QUIET)]
        clock.leap = timedelta(minutes=30)
        started = time.perf_counter()
        during: list[float] = []
        while len(during) % _GLANCE or await _is_any_due(palaver):
            during.append(await _send(palaver, QUIET + len(during)))
        await palaver.catch_up()
        spent = time.perf_counter() - started
        page = await palaver.conversations(limit=200)
        assert all(one.title for one in page.conversations), "something has no title"
    result.at_most("all of them digested", spent, "s", 60)
    ratio = _p95(during) / _p95(before)
    result.at_most("a reply meanwhile, p95 to that before", ratio, "times", 1.3)
    result.note("a reply before, p95", _p95(before) * 1000, "ms")
    result.note("a reply meanwhile, p95", _p95(during) * 1000, "ms")
    result.note("a reply before, median", median(before) * 1000, "ms")
    result.note("a reply meanwhile, median", median(during) * 1000, "ms")
    result.bars += [("before, p95", _p95(before) * 1000), ("meanwhile, p95", _p95(during) * 1000)]


async def _fill(palaver: Palaver) -> None:
    said = iter(sentences(CONVERSATIONS * TURNS * 7, seed=6))
    long_ago = datetime.now(UTC) - timedelta(days=1)  # nothing is named before it is idle
    for _ in range(CONVERSATIONS):
        conversation = await palaver.start()
        messages = [
            NewMessage(role=role, content=" ".join(islice(said, count)), timestamp=long_ago)
            for _ in range(TURNS)
            for role, count in (("user", 2), ("assistant", 5))
        ]
        await palaver.append_many(conversation.id, messages)
    await palaver.settle()


async def _is_any_due(palaver: Palaver) -> bool:
    return any(job.kind == "digest" for job in await palaver.jobs())


async def _send(palaver: Palaver, number: int) -> float:
    await asyncio.sleep(_PAUSE)
    started = time.perf_counter()
    await palaver.send(
        f"Note {number}: the ladder stands behind the shed.", new=number % _LONG == 0
    )
    return time.perf_counter() - started


def _p95(spent: list[float]) -> float:
    return quantiles(spent, n=20)[18]
