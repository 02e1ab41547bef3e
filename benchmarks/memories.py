"""Finding the memories that have to do with a message, among very many."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import numpy as np

from benchmarks.homes import scratch_home
from benchmarks.result import Result
from benchmarks.sentences import sentences
from benchmarks.vectors import CACHE
from palaver.app import Palaver
from palaver.embedding import Embedder, load_embedder
from palaver.evaluation.remembered import Remembered
from palaver.index.port import MemoryFilter
from palaver.index.records import Memory
from palaver.ledger.lines import new_id
from palaver.memory.keeping import ADDED, told
from palaver.memory.port import MEMORY_TYPES
from palaver.settings import Settings
from palaver.times import iso, system_clock
from tests.postgres.server import Server

MEMORIES = 100_000
QUESTIONS = 200
SHOWN = 10
_AT_ONCE = 1_000
_WARM = 20
_ASKED = "the brass key of my locker"
_VECTORS = CACHE / "memories.npz"
"""Those of the memories: they are made once, for both engines and for later runs."""


def run() -> list[Result]:
    how = (
        f"{MEMORIES:,} memories, all different, with the real model; the {SHOWN} most relevant "
        f"for each of {QUESTIONS} messages, one after the other, by word and by meaning."
    )
    result = Result("Memories", how, axis="milliseconds (p95)")
    with scratch_home() as home:
        asyncio.run(_measure(result, "files", Settings.load(home.root)))
    server = Server(shared_buffers="1GB", max_wal_size="4GB")
    try:
        with scratch_home() as home:
            settings = Settings.load(home.root, database__url=server.url)
            asyncio.run(_measure(result, "PostgreSQL", settings))
    finally:
        server.remove()
    return [result]


def _opened(settings: Settings, embedder: Embedder) -> Palaver:
    return Palaver.open(settings=settings, embedder=embedder, digests=False)


async def _measure(result: Result, engine: str, settings: Settings) -> None:
    texts = sentences(MEMORIES + QUESTIONS + _WARM)
    questions, contents = texts[: QUESTIONS + _WARM], texts[QUESTIONS + _WARM :]
    CACHE.mkdir(parents=True, exist_ok=True)
    model = load_embedder(CACHE)
    known = Remembered(model)
    known.read(_VECTORS)
    async with _opened(settings, known) as palaver:
        await _remember(palaver, contents)
        await palaver.settle()
    known.write(_VECTORS)
    async with _opened(settings, model) as palaver:  # which reads every question itself
        first = await _find(palaver, questions[0])
        for text in questions[1:_WARM]:
            await _find(palaver, text)
        taken = [await _find(palaver, text) for text in questions[_WARM:]]
        added, forgotten = await _changed(palaver)
    p50, p95 = (float(np.percentile(taken, part)) for part in (50, 95))
    result.note(f"{engine}: relevant ones for a message, p50", p50, "ms")
    result.at_most(f"{engine}: relevant ones for a message, p95", p95, "ms", 15)
    result.note(f"{engine}: the first after a start", first, "ms")
    result.note(f"{engine}: the first after one was added, the slowest", added, "ms")
    result.note(f"{engine}: the first after one was forgotten", forgotten, "ms")
    result.bars.append((engine, p95))


async def _remember(palaver: Palaver, contents: Sequence[str]) -> None:
    now = iso(system_clock())
    keeping = palaver.memories._keeping  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    for start in range(0, len(contents), _AT_ONCE):
        some = contents[start : start + _AT_ONCE]
        await keeping.write([told(ADDED, _memory(text, now)) for text in some])


def _memory(text: str, now: str) -> Memory:
    kind = MEMORY_TYPES[len(text) % len(MEMORY_TYPES)]
    return Memory(id=new_id("mem"), type=kind, content=text, created=now, updated=now)


async def _find(palaver: Palaver, text: str) -> float:
    """How many milliseconds it takes."""
    began = time.perf_counter()
    found = await palaver.memories.find(text, MemoryFilter(), limit=SHOWN)
    taken = 1000 * (time.perf_counter() - began)
    if len(found) < SHOWN:
        raise AssertionError(f"Only {len(found)} memories were found for {text!r}.")
    return taken


async def _changed(palaver: Palaver) -> tuple[float, float]:
    """How long finding takes right after a change."""
    added: list[float] = []
    memory: Memory | None = None
    for number in range(10):
        key = "abcdefghij"[number]
        memory = await palaver.memories.add(f"My locker {number} opens with the brass key {key}.")
        began = time.perf_counter()
        found = await palaver.memories.find(_ASKED, MemoryFilter(), limit=SHOWN)
        added.append(1000 * (time.perf_counter() - began))
        if memory.id not in {one.memory.id for one in found}:
            raise AssertionError("What was just added is not found.")
    assert memory is not None
    await palaver.memories.forget(memory.id)
    return max(added), await _find(palaver, _ASKED)
