"""The packet that a model is given, in a short conversation and in one of 100,000 turns."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from itertools import cycle

import numpy as np

from benchmarks.homes import fill, scratch_home
from benchmarks.result import Result
from benchmarks.search import StandIn
from benchmarks.vectors import CACHE
from palaver.app import Palaver
from palaver.context.tokens import EstimatedTokens
from palaver.embedding import Embedder, load_embedder

TURNS = 100_000
SHORT = 1_000
PACKETS = 200
_WORDS = 60
_SILENT = "…"
"""A message without a word: nothing is looked for."""
_NAME = f"conv-{0:026d}"


def run() -> list[Result]:
    return [asyncio.run(_packets()), _counting()]


async def _packets() -> Result:
    how = (
        f"{PACKETS} packets of a conversation in which every message has {_WORDS} words, with the "
        "usual settings. A message without a word needs no search; one with words is looked for "
        "in the conversation, by word alone and with the embedding of the real model."
    )
    result = Result("Context of a conversation", how, axis="milliseconds (95 of 100)")
    short = await _measure(SHORT, None)
    words = await _measure(TURNS, None)
    meaning = await _measure(TURNS, StandIn(load_embedder(CACHE)))
    shown = f"{TURNS:,} turns"
    result.note(f"{shown}, nothing looked for, median", words.silent[0], "ms")
    result.at_most(f"{shown}, nothing looked for, 95 of 100", words.silent[1], "ms", 10)
    result.note(f"{SHORT:,} turns, nothing looked for, 95 of 100", short.silent[1], "ms")
    result.note(f"{shown}, by word, median", words.asking[0], "ms")
    result.note(f"{shown}, by word, 95 of 100", words.asking[1], "ms")
    result.note(f"{shown}, by word and meaning, median", meaning.asking[0], "ms")
    result.note(f"{shown}, by word and meaning, 95 of 100", meaning.asking[1], "ms")
    result.bars = [
        (f"{SHORT:,} turns, no search", short.silent[1]),
        (f"{shown}, no search", words.silent[1]),
        (f"{shown}, by word", words.asking[1]),
        (f"{shown}, by word and meaning", meaning.asking[1]),
    ]
    return result


class _Times:
    """Median and 95 of 100, in milliseconds."""

    def __init__(self, silent: list[float], asking: list[float]) -> None:
        self.silent = _percentiles(silent)
        self.asking = _percentiles(asking)


async def _measure(turns: int, embedder: Embedder | None) -> _Times:
    with scratch_home() as home:
        fill(home, 1, 2 * turns + 1, _WORDS)
        opened = Palaver.open(home.root, index_vectors=embedder is not None, embedder=embedder)
        async with opened as palaver:
            await palaver.settle()
            page = await palaver.messages(_NAME, limit=200)
            rng = random.Random(3)
            texts = [one.content.split() for one in page.messages]
            asked = [f"What about {' '.join(rng.sample(one, 5))}?" for one in texts]
            silent, asking = cycle([_SILENT]), cycle(asked)
            return _Times(
                await _timed(lambda: palaver.context(_NAME, next(silent))),
                await _timed(lambda: palaver.context(_NAME, next(asking))),
            )


async def _timed(work: Callable[[], Awaitable[object]]) -> list[float]:
    await work()
    taken: list[float] = []
    for _ in range(PACKETS):
        started = time.perf_counter()
        await work()
        taken.append(time.perf_counter() - started)
    return taken


def _percentiles(taken: list[float]) -> tuple[float, float]:
    return float(np.percentile(taken, 50)) * 1000, float(np.percentile(taken, 95)) * 1000


def _counting() -> Result:
    result = Result("Counting tokens", "Texts of 1 MiB, counted ten times.", axis="MB/s")
    for name, text in (("English", "every word of it counts "), ("Japanese", "日本語のテキスト")):
        long = text * (2**20 // len(text.encode()))
        started = time.perf_counter()
        for _ in range(10):
            EstimatedTokens().count(long)
        speed = 10 * len(long.encode()) / (time.perf_counter() - started) / 1e6
        result.at_least(f"{name}, 1 MiB", speed, "MB/s", 20)
        result.bars.append((name, speed))
    return result
