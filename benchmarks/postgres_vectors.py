"""Searching by meaning in PostgreSQL: comparing all vectors of a user, against a graph of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray

from benchmarks.result import Result
from benchmarks.vectors import (
    QUERIES,
    K,
    Vectors,
    ask,
    keys_of,
    mixed_vectors,
    real_vectors,
    recall,
)
from palaver.index.pieces import piece_key
from palaver.index.postgres.vectors import Graphs, PostgresVectors
from palaver.ledger.postgres import PostgresSource
from palaver.postgres import Pool, migrate
from tests.postgres.server import Server

MODEL = "bench"
SIZES = (5_000, 10_000, 20_000, 50_000, 100_000)
OTHERS = 100
WANTED = 60
"""So many pieces a search asks for."""
TIMED = 50


def run() -> list[Result]:
    real, queries = real_vectors()
    with _server() as (url, pool):
        users = _fill_all(pool, real)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE palaver.vectors")
        return [_among_others(pool, users, real, queries), _kinds(url, real[:50_000], queries)]


@contextmanager
def _server() -> Generator[tuple[str, Pool]]:
    server = Server(shared_buffers="512MB")
    pool = Pool(server.url)
    try:
        migrate(pool)
        yield server.url, pool
    finally:
        pool.close()
        server.remove()


# -- users among others --------------------------------------------------------------------------


def _fill_all(pool: Pool, real: Vectors) -> dict[int, PostgresVectors]:
    """The users with their sizes; the vectors of others came before theirs, and after."""
    others = np.split(mixed_vectors(real), OTHERS)
    for number, vectors in enumerate(others[: OTHERS // 2]):
        _fill(_store(pool, f"before {number}"), vectors)
    users = {size: _store(pool, _name(size)) for size in (100, *SIZES)}
    for size, store in users.items():
        _fill(store, real[:size])
    for number, vectors in enumerate(others[OTHERS // 2 :]):
        _fill(_store(pool, f"after {number}"), vectors)
    return users


def _among_others(
    pool: Pool, users: dict[int, PostgresVectors], real: Vectors, queries: Vectors
) -> Result:
    how = (
        f"The {K} nearest of the vectors of one user, in a database with {OTHERS} other users who "
        f"have 4,000 each. Medians over {TIMED} queries, one at a time; recall over {QUERIES}, "
        "against float32 and all digits."
    )
    result = Result("Search by meaning in PostgreSQL", how, axis="milliseconds")
    _measure_small(result, users[100], real[:100], queries)
    for size in SIZES:
        make = partial(Graphs(pool, MODEL).tend, PostgresSource(pool, _name(size)).owner)
        _measure(result, users[size], make, real[:size], queries)
    _measure_parts(result, users[SIZES[-1]], queries)
    return result


def _measure_small(
    result: Result, store: PostgresVectors, vectors: Vectors, queries: Vectors
) -> None:
    taken, found = ask(lambda query: store.nearest(query, K)[0], queries)
    result.note("100 vectors: all compared", taken * 1000, "ms")
    result.at_least(f"100 vectors: recall@{K}", recall(found, vectors, queries), "", 0.97)


def _measure(
    result: Result,
    store: PostgresVectors,
    make_graph: Callable[[], bool],
    vectors: Vectors,
    queries: Vectors,
) -> None:
    name = f"{len(vectors):,}"
    taken, _ = ask(lambda query: store.nearest(query, K)[0], queries[:TIMED])
    result.note(f"{name} vectors: all compared", taken * 1000, "ms")
    result.bars.append((f"{name}: all", taken * 1000))
    started = time.perf_counter()
    if not make_graph():
        return
    result.note(f"{name} vectors: making the graph", time.perf_counter() - started, "s")
    for k in (WANTED, K):
        taken, found = ask(lambda query, k=k: store.nearest(query, k)[0], queries)
        result.note(f"{name} vectors: {k} by the graph", taken * 1000, "ms")
        right = recall(found, vectors, queries, k)
        result.at_least(f"{name} vectors: recall@{k}", right, "", 0.97)
    result.bars.append((f"{name}: graph", taken * 1000))


def _measure_parts(result: Result, store: PostgresVectors, queries: Vectors) -> None:
    """What else a search asks for, of the user with the most vectors."""
    every = np.random.default_rng(1).permutation(keys_of(SIZES[-1]))
    for count in (300, 1_000, 5_000):
        taken, _ = ask(lambda query, n=count: store.cosines(query, every[:n]), queries[:TIMED])
        result.note(f"{count:,} cosines", taken * 1000, "ms")
    for count in (1_000, 5_000, 10_000, 20_000, 50_000):
        taken, _ = ask(
            lambda query, n=count: store.nearest(query, WANTED, every[:n])[0], queries[:TIMED]
        )
        result.note(f"{WANTED} nearest among {count:,} keys", taken * 1000, "ms")


def _name(size: int) -> str:
    return f"user with {size}"


def _store(pool: Pool, user: str) -> PostgresVectors:
    return PostgresVectors(pool, PostgresSource(pool, user).owner, MODEL, 384)


def _fill(store: PostgresVectors, vectors: Vectors) -> None:
    for start in range(0, len(vectors), 4_000):
        part = vectors[start : start + 4_000]
        store.put([piece_key(str(number)) for number in range(start, start + len(part))], part)


# -- sixteen bits against thirty-two -------------------------------------------------------------


def _kinds(url: str, vectors: Vectors, queries: Vectors) -> Result:
    how = f"{len(vectors):,} vectors, alone in a table: sixteen bits for each dimension, or 32."
    result = Result("halfvec against vector", how)
    connection: Any = psycopg.connect(url, autocommit=True)
    with connection:
        for kind in ("halfvec", "vector"):
            _measure_kind(result, connection, kind, vectors, queries)
    return result


def _measure_kind(
    result: Result,
    connection: Any,
    kind: str,
    vectors: Vectors,
    queries: Vectors,
) -> None:
    connection.execute(f"CREATE TABLE bench_{kind} (no bigint, v {kind}(384))")
    with connection.cursor().copy(f"COPY bench_{kind} FROM STDIN") as copy:
        for key, vector in zip(keys_of(len(vectors)).view(np.int64), vectors, strict=True):
            copy.write_row((int(key), str(vector.tolist())))
    connection.execute(f"ANALYZE bench_{kind}")
    nearest = f"SELECT no FROM bench_{kind} ORDER BY v <=> %s::{kind} LIMIT {K}"

    def search(query: Vectors) -> NDArray[np.uint64]:
        rows = connection.execute(nearest, (str(query.tolist()),)).fetchall()
        return np.array([row[0] for row in rows], np.int64).view(np.uint64)

    ((size,),) = connection.execute(f"SELECT pg_table_size('bench_{kind}')").fetchall()
    result.note(f"{kind}: size for each", size / len(vectors), "bytes")
    taken, found = ask(search, queries[:TIMED])
    result.note(f"{kind}: all compared", taken * 1000, "ms")
    exact = recall(found, vectors, queries[:TIMED])
    result.note(f"{kind}: recall@{K}, all compared", exact, "")
    connection.execute("SET max_parallel_maintenance_workers = 0")
    connection.execute("SET maintenance_work_mem = '256MB'")
    started = time.perf_counter()
    connection.execute(f"CREATE INDEX g_{kind} ON bench_{kind} USING hnsw (v {kind}_cosine_ops)")
    result.note(f"{kind}: making the graph", time.perf_counter() - started, "s")
    ((size,),) = connection.execute(f"SELECT pg_relation_size('g_{kind}')").fetchall()
    result.note(f"{kind}: size of the graph for each", size / len(vectors), "bytes")
    connection.execute("SET hnsw.ef_search = 110")
    taken, found = ask(search, queries)
    result.note(f"{kind}: by the graph", taken * 1000, "ms")
    result.note(f"{kind}: recall@{K} by the graph", recall(found, vectors, queries), "")
