"""Searching a whole home by word and by meaning, against the plain ways to do either."""

from __future__ import annotations

import asyncio
import random
import resource
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from benchmarks.homes import fill, scratch_home
from benchmarks.result import Result
from benchmarks.vectors import CACHE, scan_with_sqlite_vec
from palaver.app import Palaver
from palaver.embedding import Embedder, load_embedder
from palaver.text import query_terms, words

ROUNDS = 100_000
MESSAGES = 1_000_000
QUERIES = 200
_LINES = 500
"""Messages in a conversation."""
_WORDS = 60
_SCANNED = 100_000

Vectors = NDArray[np.float32]


class StandIn:
    """Vectors that cost little to make: each word has a direction, a text has their sum.

    How long a search takes does not depend on what the vectors mean. The text of a question is
    read by the real model, too, so that its time is counted.
    """

    identity = "stand-in"
    dimensions = 384

    def __init__(self, real: Embedder) -> None:
        self._real = real
        self._random = np.random.default_rng(1)
        self._directions: dict[str, Vectors] = {}

    def reads(self, text: str) -> bool:
        return True

    def split(self, text: str) -> list[str]:
        return [text]

    def embed(self, texts: Sequence[str]) -> Vectors:
        if len(texts) == 1:
            self._real.embed(texts)
        sums = np.stack([self._sum(text) for text in texts])
        return sums / np.linalg.norm(sums, axis=1, keepdims=True)

    def _sum(self, text: str) -> Vectors:
        return np.stack([self._direction(word) for word in words(text)]).sum(axis=0)

    def _direction(self, word: str) -> Vectors:
        found = self._directions.get(word)
        if found is None:
            found = self._random.standard_normal(self.dimensions, np.float32)
            self._directions[word] = found
        return found


def run() -> list[Result]:
    return [asyncio.run(_measure(ROUNDS * 2, 15, 40)), asyncio.run(_measure(MESSAGES, None, 80))]


async def _measure(messages: int, usual: float | None, most: float) -> Result:
    how = (
        f"{messages:,} messages of {_WORDS} words, {QUERIES} queries of five of their words, one "
        "at a time, with the query's embedding by the real model. Beside it, in the same run: "
        "FTS5 with all words joined by OR, and sqlite-vec's scan of floats."
    )
    result = Result(f"Search in {messages:,} messages", how, axis="milliseconds (median)")
    embedder = StandIn(load_embedder(CACHE))
    with scratch_home() as home:
        fill(home, messages // _LINES, _LINES + 1, _WORDS)
        started = time.perf_counter()
        async with Palaver.open(home.root, embedder=embedder) as palaver:
            await palaver.settle()
            result.note("until everything is indexed", time.perf_counter() - started, "s")
            texts = _texts(home.index)
            queries = _queries(texts)
            await palaver.search_messages(queries[0])  # everything is in memory from here on
            taken = [await _timed(palaver, query) for query in queries]
            disk = home.index.stat().st_size, home.vectors.stat().st_size
        plain = _fts5(texts, queries)
        scanned = scan_with_sqlite_vec(
            embedder.embed(texts[:_SCANNED]), embedder.embed(queries[:20])
        )
    if usual is not None:
        result.at_most("hybrid search, median", _ms(taken, 50), "ms", usual)
    else:
        result.note("hybrid search, median", _ms(taken, 50), "ms")
    result.at_most("hybrid search, 95 of 100", _ms(taken, 95), "ms", most)
    result.note("FTS5 joined by OR, median", _ms(plain, 50), "ms")
    result.note("FTS5 joined by OR, 95 of 100", _ms(plain, 95), "ms")
    result.note(f"sqlite-vec, {_SCANNED:,} floats, median", scanned * 1000, "ms")
    result.note("conversations.db", disk[0] / 1e6, "MB")
    result.note("vectors.db", disk[1] / 1e6, "MB")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    result.note("memory at most, with the benchmark itself", memory, "MB")
    result.bars = [
        ("Palaver, hybrid", _ms(taken, 50)),
        ("FTS5 with OR", _ms(plain, 50)),
        (f"sqlite-vec, {_SCANNED:,}", scanned * 1000),
    ]
    return result


async def _timed(palaver: Palaver, query: str) -> float:
    started = time.perf_counter()
    found = await palaver.search_messages(query, limit=10)
    if not found:
        raise AssertionError("A search found nothing.")
    return time.perf_counter() - started


def _texts(index: Path) -> list[str]:
    """All that was said, as the index has it."""
    connection: Any = apsw.Connection(str(index), flags=apsw.SQLITE_OPEN_READONLY)
    with closing(connection):
        return [text for (text,) in connection.execute("SELECT content FROM messages")]


def _queries(texts: Sequence[str]) -> list[str]:
    """Questions with five of the words of something that was said."""
    rng = random.Random(2)
    chosen = rng.choices(texts, k=QUERIES)
    return ["What did we say about " + " ".join(rng.sample(one.split(), 5)) for one in chosen]


def _fts5(texts: Sequence[str], queries: Sequence[str]) -> list[float]:
    connection: Any = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5 (content, tokenize = 'porter unicode61')")
    with connection:
        connection.executemany("INSERT INTO t VALUES (?)", ((text,) for text in texts))
    best = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT 10"
    taken: list[float] = []
    for query in queries:
        joined = " OR ".join(f'"{term.word}"' for term in query_terms(query, ["en"]))
        started = time.perf_counter()
        connection.execute(best, (joined,)).fetchall()
        taken.append(time.perf_counter() - started)
    connection.close()
    return taken


def _ms(taken: Sequence[float], share: float) -> float:
    return float(np.percentile(taken, share)) * 1000
