"""Searching by meaning: codes in memory and stored vectors, against scanning all digits."""

from __future__ import annotations

import importlib
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from benchmarks.homes import scratch_home
from benchmarks.result import Result
from benchmarks.sentences import sentences
from palaver.embedding import load_embedder
from palaver.index.pieces import piece_key, short_key
from palaver.index.vectors import VectorStore

CACHE = Path("build/benchmarks")
REAL, MIXED, QUERIES, K = 100_000, 400_000, 200, 10

Vectors = NDArray[np.float32]


def run() -> list[Result]:
    how = (
        f"The {K} nearest of vectors with 384 dimensions, medians over {QUERIES} queries, one at a "
        "time. 100,000 are those of different sentences; the 400,000 others lie between two of "
        "these, chosen at random. Recall is against float32 and all digits."
    )
    result = Result("Search by meaning", how, axis="milliseconds")
    real, queries = real_vectors()
    _measure(result, real, queries, 5)
    _measure(result, np.concatenate([real, mixed_vectors(real)]), queries, 20)
    return [result]


def _measure(result: Result, vectors: Vectors, queries: Vectors, most: float) -> None:
    name = f"{len(vectors):,}"
    with scratch_home() as home:
        path = home.root / "vectors.db"
        _fill(path, vectors)
        disk = path.stat().st_size / len(vectors)
        store = VectorStore(path, "bench", vectors.shape[1])
        store.open()
        started = time.perf_counter()
        store.nearest(queries[0], K)
        loading = time.perf_counter() - started
        taken, found = ask(lambda query: store.nearest(query, K)[0], queries)
        some = keys_of(5_000)
        estimating, _ = ask(lambda query: store.estimate(query, some), queries)
        scoring, _ = ask(lambda query: store.cosines(query, some[:300]), queries)
        store.close()
        memory = _memory(path, queries[0]) / len(vectors)
    result.at_most(f"{name} vectors: search", taken * 1000, "ms", most)
    result.at_least(f"{name} vectors: recall@{K}", recall(found, vectors, queries), "", 0.99)
    result.at_most(f"{name} vectors: first search, with loading", loading, "s", 1)
    result.note(f"{name} vectors: 5,000 estimates", estimating * 1000, "ms")
    result.note(f"{name} vectors: 300 exact cosines", scoring * 1000, "ms")
    result.note(f"{name} vectors: disk for each", disk, "bytes")
    result.note(f"{name} vectors: memory for each", memory, "bytes")
    scanning = scan_with_sqlite_vec(vectors, queries[:20])
    result.note(f"{name} vectors: sqlite-vec, float scan", scanning * 1000, "ms")
    result.bars += [
        (f"{name}: Palaver", taken * 1000),
        (f"{name}: sqlite-vec", scanning * 1000),
    ]


def ask(
    search: Callable[[Vectors], NDArray[Any]], queries: Vectors
) -> tuple[float, list[NDArray[Any]]]:
    """The median time of a search, and what each found."""
    taken: list[float] = []
    found: list[NDArray[Any]] = []
    for query in queries:
        started = time.perf_counter()
        found.append(search(query))
        taken.append(time.perf_counter() - started)
    return median(taken), found


def recall(
    found: list[NDArray[np.uint64]], vectors: Vectors, queries: Vectors, k: int = K
) -> float:
    """Which part of the true nearest was found; equals count as each other."""
    numbers = {int(key): number for number, key in enumerate(keys_of(len(vectors)))}
    right = 0
    for keys, query in zip(found, queries, strict=True):
        cosines = vectors @ query
        least = np.partition(cosines, -k)[-k]
        right += sum(bool(cosines[numbers[int(key)]] >= least) for key in keys)
    return right / (k * len(queries))


def _fill(path: Path, vectors: Vectors) -> None:
    store = VectorStore(path, "bench", vectors.shape[1])
    store.open()
    for start in range(0, len(vectors), 10_000):
        part = vectors[start : start + 10_000]
        store.put([piece_key(str(number)) for number in range(start, start + len(part))], part)
    store.close()


def keys_of(count: int) -> NDArray[np.uint64]:
    return np.array([short_key(piece_key(str(number))) for number in range(count)], np.uint64)


def scan_with_sqlite_vec(vectors: Vectors, queries: Vectors) -> float:
    """The median time of the same search in a table of sqlite-vec, in memory."""
    connection: Any = apsw.Connection(":memory:")
    connection.enable_load_extension(True)
    sqlite_vec: Any = importlib.import_module("sqlite_vec")  # it has no types
    connection.load_extension(sqlite_vec.loadable_path())
    size = vectors.shape[1]
    connection.execute(
        f"CREATE VIRTUAL TABLE v USING vec0 (e float[{size}] distance_metric=cosine)"
    )
    with connection:
        rows = ((number, vector.tobytes()) for number, vector in enumerate(vectors))
        connection.executemany("INSERT INTO v (rowid, e) VALUES (?, ?)", rows)
    nearest = "SELECT rowid FROM v WHERE e MATCH ? AND k = ? ORDER BY distance"

    def search(query: Vectors) -> NDArray[Any]:
        return np.array(connection.execute(nearest, (query.tobytes(), K)).fetchall())

    taken, _ = ask(search, queries)
    connection.close()
    return taken


def real_vectors() -> tuple[Vectors, Vectors]:
    """The vectors of sentences, and those of others to search with; made once."""
    cached = CACHE / "sentences.npy"
    if not cached.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        texts = sentences(REAL + QUERIES)
        np.save(cached, load_embedder(CACHE).embed(texts).astype(np.float16))
    vectors = _unit(np.load(cached).astype(np.float32))
    return vectors[:REAL], vectors[REAL:]


def mixed_vectors(real: Vectors) -> Vectors:
    return between(real, MIXED)


def between(real: Vectors, count: int, seed: int = 1) -> Vectors:
    """Vectors between two real ones, nearer to the first."""
    rng = np.random.default_rng(seed)
    one, other = rng.integers(0, len(real), (2, count))
    weights = rng.uniform(0.1, 0.5, (count, 1)).astype(np.float32)
    return _unit((1 - weights) * real[one] + weights * real[other])


def _unit(vectors: NDArray[Any]) -> Vectors:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def _memory(path: Path, query: Vectors) -> int:
    """How many bytes a store takes that has been opened and searched."""
    store = VectorStore(path, "bench", len(query))
    tracemalloc.start()
    store.nearest(query, K)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    store.close()
    return taken
