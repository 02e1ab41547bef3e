"""Searching in PostgreSQL: one user with much to look through, among many others."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import closing

import numpy as np
import psycopg
from numpy.typing import NDArray

from benchmarks.homes import invented
from benchmarks.result import Result
from benchmarks.vectors import CACHE, QUERIES, K, Vectors, ask, between, real_vectors
from palaver.app import Palaver
from palaver.embedding import Embedder, load_embedder
from palaver.engines.databases import open_database
from palaver.index.pieces import piece_key, piece_keys, short_key
from palaver.index.postgres.index import PostgresIndex
from palaver.index.postgres.shared import Shared
from palaver.index.postgres.statements import Dialect
from palaver.index.postgres.vectors import Graphs, PostgresVectors
from palaver.ledger.lines import Line
from palaver.ledger.postgres import PostgresSource
from palaver.ledger.postgres.receiving import PostgresReceiver
from palaver.postgres import Pool
from tests.postgres.server import Server

LARGE, SMALL = "usr-large", "usr-small"
MESSAGES = 200_000
"""What the large user has: two in each round."""
OTHERS, OF_EACH = 190, 9_500
ORIGINALS = 5
"""So many of the others are made as users are; the rest have copies of their rows."""
_LINES = 500
"""Messages in a conversation."""
_WORDS, _WORDS_OF_OTHERS = 60, 15
_AT_ONCE = 4_000
MODEL = "remembered"

Said = list[tuple[str, str]]
"""Who said what."""


class Remembered:
    """Questions mean what real sentences mean, whatever they say; so do the texts that are stored.

    The text of a question is read by the real model, too, so that its time is counted.
    """

    identity = MODEL
    dimensions = 384

    def __init__(self, real: Embedder, meanings: Vectors) -> None:
        self._real = real
        self._meanings = meanings

    def reads(self, text: str) -> bool:
        return True

    def split(self, text: str) -> list[str]:
        return [text]

    def embed(self, texts: Sequence[str]) -> Vectors:
        if len(texts) == 1:
            self._real.embed(texts)
        return np.stack([self.meaning(text) for text in texts])

    def meaning(self, text: str) -> Vectors:
        return self._meanings[short_key(piece_key(text)) % len(self._meanings)]


def run() -> list[Result]:
    server = Server(shared_buffers="1GB", max_wal_size="4GB")
    try:
        return [asyncio.run(measured(server.url, fill(server.url)))]
    finally:
        server.remove()


# -- what there is -------------------------------------------------------------------------------


def fill(url: str) -> Said:
    """Everybody's lines, rows and vectors; gives what the large user said."""
    with closing(open_database(url, size=8)) as pool:
        for number in range(ORIGINALS):
            make_user(pool, f"usr-{number}", OF_EACH, number + 2)
        make_user(pool, SMALL, 100, 0)
        said = make_user(pool, LARGE, MESSAGES, 1)
    with psycopg.connect(url, autocommit=True) as connection:
        for number in range(ORIGINALS, OTHERS):
            clone(connection, f"usr-{number % ORIGINALS}", f"usr-{number}")
        connection.execute("VACUUM ANALYZE")
    return said


def make_user(pool: Pool, user: str, messages: int, seed: int) -> Said:
    """Lines as a copy brings them, rows as a rebuild makes them, a graph if there are many."""
    said = _receive(pool, user, messages, seed)
    asyncio.run(_index(pool, user))
    learn(pool, user, said, seed)
    return said


def learn(pool: Pool, user: str, said: Said, seed: int) -> None:
    store, keys = _vectors(pool, user), keys_of(said)
    vectors = meanings_of(len(keys), seed)
    for start in range(0, len(keys), _AT_ONCE):
        end = start + _AT_ONCE
        store.put(keys[start:end], vectors[start:end])
    Graphs(pool, MODEL).tend(_owner(pool, user))


def keys_of(said: Said) -> list[bytes]:
    """The keys of all pieces; some say the same."""
    return list(dict.fromkeys(key for role, text in said for key in piece_keys(role, text)))


def meanings_of(count: int, seed: int) -> Vectors:
    """Those of real sentences for the first of the users, and others between two of them."""
    real, _ = real_vectors()
    some = real[: count if seed < 2 else 0]
    return np.concatenate([some, between(real, count - len(some), seed)])


def _receive(pool: Pool, user: str, messages: int, seed: int) -> Said:
    receiver, said, pos = PostgresReceiver(pool, user), list[tuple[str, str]](), 0
    with receiver.receiving():
        for lines in _invented(messages, seed):
            receiver.take(lines)
            said += _said(lines)
            pos = lines[-1].pos
        receiver.finish(pos)
    return said


def _invented(messages: int, seed: int) -> Iterator[list[Line]]:
    words = _WORDS if seed == 1 else _WORDS_OF_OTHERS
    return invented(-(-messages // _LINES), min(messages, _LINES) + 1, words, seed)


def _said(lines: Sequence[Line]) -> list[tuple[str, str]]:
    return [(line.data["role"], line.data["content"]) for line in lines[1:]]


async def _index(pool: Pool, user: str) -> None:
    shared = Shared(pool)
    await asyncio.to_thread(shared.open)
    try:
        index = PostgresIndex(shared, await asyncio.to_thread(PostgresSource, pool, user))
        await index.open()
        await index.settle()
        await index.close()
    finally:
        await asyncio.to_thread(shared.close)


def clone(connection: psycopg.Connection, original: str, name: str) -> None:
    """Another user with the same rows: what others have said does not matter, if they have it."""
    schema = Dialect().schema
    ((old, old_book),) = connection.execute(
        f"SELECT u.no, b.live FROM palaver.users u JOIN {schema}.books b ON b.owner = u.no "
        "WHERE u.name = %s".encode(),
        (original,),
    ).fetchall()
    ((new,),) = connection.execute(
        "INSERT INTO palaver.users (name, pos) SELECT %s, pos FROM palaver.users WHERE no = %s "
        "RETURNING no",
        (name, old),
    ).fetchall()
    _copy(connection, f"{schema}.books", "owner", (old, new), without=("live", "new"))
    ((new_book,),) = connection.execute(
        f"SELECT live FROM {schema}.books WHERE owner = %s".encode(), (new,)
    ).fetchall()
    for table in ("streams", "conversations", "messages", "waiting", "segments", "postings"):
        _copy(connection, f"{schema}.{table}", "book", (old_book, new_book))
    _copy(connection, "palaver.vectors", "owner", (old, new))
    _copy(connection, "palaver.streams", "owner", (old, new), without=("no",))
    connection.execute(
        "INSERT INTO palaver.lines SELECT n.no, l.seq, n.owner, l.pos, l.place, l.line, l.odd "
        "FROM palaver.lines l JOIN palaver.streams o ON o.no = l.stream "
        "JOIN palaver.streams n ON n.owner = %s AND n.name = o.name WHERE l.owner = %s",
        (new, old),
    )


def _copy(
    connection: psycopg.Connection,
    table: str,
    key: str,
    numbers: tuple[int, int],
    without: Sequence[str] = (),
) -> None:
    """Copies the rows whose key is the first of the numbers; the copies have the second."""
    rows = connection.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 "
        "AND attgenerated = '' AND NOT attisdropped",
        (table,),
    ).fetchall()
    columns = ", ".join(name for (name,) in rows if name not in (key, *without))
    connection.execute(
        f"INSERT INTO {table} ({key}, {columns}) SELECT %s, {columns} FROM {table} "
        f"WHERE {key} = %s".encode(),
        numbers[::-1],
    )


def _owner(pool: Pool, user: str) -> int:
    return PostgresSource(pool, user).owner


def _vectors(pool: Pool, user: str) -> PostgresVectors:
    return PostgresVectors(pool, _owner(pool, user), MODEL, 384)


# -- how it is searched --------------------------------------------------------------------------


async def measured(url: str, said: Said) -> Result:
    """`said` is what the large user said."""
    how = (
        f"{len(said):,} messages of {_WORDS} words of one user, in a database in which {OTHERS} "
        f"others have {OF_EACH:,} each and one has 100. {QUERIES} queries of five words of what "
        "was said, one at a time, with the query's embedding by the real model. The words are "
        "invented; the vectors are those of real sentences and others between two of these. "
        "Recall is against float32 and all digits."
    )
    result = Result("Search in PostgreSQL", how, axis="milliseconds")
    _, meanings = real_vectors()
    embedder, queries = Remembered(load_embedder(CACHE), meanings), queries_about(said)
    async with Palaver.open(database_url=url, user=LARGE, embedder=embedder) as palaver:
        await palaver.settle()
        for query in queries[:20]:
            await _timed(palaver, query)
        taken = [await _timed(palaver, query) for query in queries]
    result.at_most("hybrid search, median", _ms(taken, 50), "ms", 25)
    result.at_most("hybrid search, 95 of 100", _ms(taken, 95), "ms", 60)
    with closing(open_database(url, size=4)) as pool:
        _recall(result, pool, LARGE, keys_of(said), 1)
        (lines,) = _invented(100, 0)
        _recall(result, pool, SMALL, keys_of(_said(lines)), 0)
    return result


def queries_about(said: Said) -> list[str]:
    """Questions with five of the words of something that was said."""
    rng = random.Random(2)
    chosen = (rng.choice(said)[1].split() for _ in range(QUERIES))
    return ["What did we say about " + " ".join(rng.sample(one, 5)) for one in chosen]


def _recall(result: Result, pool: Pool, user: str, keys: Sequence[bytes], seed: int) -> None:
    store, vectors = _vectors(pool, user), meanings_of(len(keys), seed)
    _, queries = real_vectors()
    taken, found = ask(lambda query: store.nearest(query, K)[0], queries)
    numbers = {short_key(key): number for number, key in enumerate(keys)}
    pairs = zip(found, queries, strict=True)
    right = sum(_right(near, numbers, vectors @ query) for near, query in pairs)
    name = f"the {K} nearest of {len(keys):,} vectors"
    result.at_least(f"{name}: recall@{K}", right / (K * len(queries)), "", 0.97)
    result.note(name, taken * 1000, "ms")


def _right(keys: NDArray[np.uint64], numbers: dict[int, int], cosines: Vectors) -> int:
    """How many are among the true nearest; equals count as each other."""
    least = np.partition(cosines, -K)[-K]
    return sum(bool(cosines[numbers[int(key)]] >= least) for key in keys)


async def _timed(palaver: Palaver, query: str) -> float:
    started = time.perf_counter()
    if not await palaver.search_messages(query, limit=10):
        raise AssertionError("A search found nothing.")
    return time.perf_counter() - started


def _ms(taken: Sequence[float], share: float) -> float:
    return float(np.percentile(taken, share)) * 1000
