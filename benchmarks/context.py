"""The packet that a model is given, in short conversations and in one of 100,000 turns."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from itertools import cycle

import numpy as np

from benchmarks.homes import fill, scratch_home
from benchmarks.result import Result
from palaver.app import Palaver
from palaver.context.tokens import EstimatedTokens

TURNS = (1_000, 10_000, 100_000)
PACKETS = 200
_WORDS = 60
_SILENT = "…"
"""A message without a word: nothing is looked for."""
_NAME = f"conv-{0:026d}"


def run() -> list[Result]:
    return [asyncio.run(_packets()), asyncio.run(_after_a_long_one()), _counting()]


async def _packets() -> Result:
    how = (
        f"{PACKETS} packets of a conversation in which every message has {_WORDS} words, with the "
        "usual settings. A message without a word needs no search; one with words is looked for "
        "in the conversation."
    )
    result = Result("Context of a conversation", how, axis="milliseconds (95 of 100)")
    for turns in TURNS:
        times, shown = await _measure(turns), f"{turns:,} turns"
        result.note(f"{shown}, nothing looked for, median", times.silent[0], "ms")
        result.at_most(f"{shown}, nothing looked for, 95 of 100", times.silent[1], "ms", 10)
        result.note(f"{shown}, earlier rounds looked for, median", times.asking[0], "ms")
        result.at_most(f"{shown}, earlier rounds looked for, 95 of 100", times.asking[1], "ms", 10)
        result.bars += [
            (f"{shown}, no search", times.silent[1]),
            (f"{shown}, earlier rounds", times.asking[1]),
        ]
    return result


class _Times:
    """Median and 95 of 100, in milliseconds."""

    def __init__(self, silent: list[float], asking: list[float]) -> None:
        self.silent = _percentiles(silent)
        self.asking = _percentiles(asking)


async def _measure(turns: int) -> _Times:
    with scratch_home() as home:
        fill(home, 1, 2 * turns + 1, _WORDS)
        async with Palaver.open(home.root, index_vectors=False) as palaver:
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


async def _after_a_long_one() -> Result:
    how = "The packet right after a message of 1 MB, in a conversation of 60 messages, ten times."
    result = Result("Context after a long message", how, axis="milliseconds")
    taken: list[float] = []
    for number in range(10):
        with scratch_home() as home:
            fill(home, 1, 61, _WORDS)
            async with Palaver.open(home.root, index_vectors=False) as palaver:
                await palaver.context(_NAME, "What about the harbour?")
                words = (f"word{number}{one}" for one in range(110_000))
                await palaver.append(_NAME, "user", " ".join(words)[:1_000_000])
                await palaver.append(_NAME, "assistant", "That was long.")
                started = time.perf_counter()
                await palaver.context(_NAME, "What about the harbour?")
                taken.append(time.perf_counter() - started)
    result.at_most("the next packet, median", float(np.median(taken)) * 1000, "ms", 100)
    result.bars = [("the next packet", float(np.median(taken)) * 1000)]
    return result


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
            EstimatedTokens().count(long)  # one that remembers nothing
        speed = 10 * len(long.encode()) / (time.perf_counter() - started) / 1e6
        result.at_least(f"{name}, 1 MiB", speed, "MB/s", 20)
        result.bars.append((name, speed))
    return result
