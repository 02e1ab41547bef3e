"""Reading the end of a long transcript against reading all of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from benchmarks.homes import fill, scratch_home
from benchmarks.result import Result
from palaver.ledger.files import FileStore, Home

TURNS = 20


def run() -> list[Result]:
    how = "The last 20 turns, read from the file; medians."
    result = Result("Tail of a transcript", how, axis="milliseconds")
    short = _measure(2_000)
    long, whole = _measure(200_000, whole=True), 0.0
    whole, long_tail = long[1], long[0]
    result.at_least("100,000 turns: tail against the whole file", whole / long_tail, "times", 200)
    result.at_most(
        "tail of 100,000 turns against tail of 1,000", long_tail / short[0], "times", 1.5
    )
    result.note("tail of 100,000 turns", long_tail * 1000, "ms")
    result.bars = [
        ("whole file, 100,000 turns", whole * 1000),
        ("tail, 100,000 turns", long_tail * 1000),
        ("tail, 1,000 turns", short[0] * 1000),
    ]
    return [result]


def _measure(lines: int, *, whole: bool = False) -> tuple[float, float]:
    """Seconds for the tail, and for reading every line (0 when not asked for)."""
    with scratch_home() as home:
        fill(home, 1, lines)
        store, name = FileStore(home), f"conv-{0:026d}"
        tail = _median(lambda: store.tail(name, TURNS), 50)
        return tail, _median(lambda: _read_all(home, name), 3) if whole else 0.0


def _read_all(home: Home, name: str) -> int:
    return sum(1 for _ in FileStore(home).lines(name))


def _median(work: Callable[[], object], times: int) -> float:
    taken: list[float] = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return median(taken)
