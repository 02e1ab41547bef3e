"""The server: how soon a long list answers, and how many messages a second are answered."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator, Iterator
from contextlib import contextmanager
from statistics import quantiles
from urllib.parse import quote

from benchmarks.homes import index_everything, scratch_home
from benchmarks.plain_http import Connection
from benchmarks.result import Result
from benchmarks.served import CONSTANT, Served, serving
from palaver.engines.background import Background
from palaver.engines.node import PostgresNode
from palaver.ledger.files import Home
from palaver.ledger.lines import Draft, Line, meta, turn
from palaver.ledger.stamping import Head, Stamper
from palaver.times import system_clock
from tests.postgres.server import Server

CONVERSATIONS = 100_000
AT_ONCE = 500
"""So many conversations are begun in one commit."""
MEASURED = 200
SECONDS = 5.0
CLIENTS = (1, 16)
TURNS = 20
"""After so many messages a client begins another conversation."""
RARE = "xylophone"
"""A word in the title of one conversation, and not a new one."""
PAGE = 50

Asking = Callable[[Connection], Awaitable[object]]


def run() -> list[Result]:
    lists = Result(
        "Lists over HTTP",
        f"{MEASURED} requests of each kind, one after the other, to a server that has "
        f"{CONVERSATIONS:,} conversations, {PAGE} on a page. The last one is asked for by its "
        "cursor. The word is in one title of all, about in the middle.",
        axis="ms until the answer has come (p95)",
    )
    chat = Result(
        "Chat over HTTP",
        f"Messages answered for {SECONDS:g} s by a model that answers at once, by clients who send "
        "the next one when the last is answered; both messages are on the disk then. Full text "
        "only. The constant comes from the same application, which stores nothing for it.",
        axis="answers a second",
    )
    for engine, kept in (("files", _files), ("PostgreSQL", _database)):
        with kept() as served:
            asyncio.run(_lists(served, engine, lists))
            asyncio.run(_chat(served, engine, chat))
    return [lists, chat]


# -- what is served ----------------------------------------------------------------------------


@contextmanager
def _files() -> Generator[Served]:
    with scratch_home() as home:
        _fill(home)
        index_everything(home)
        with serving(home.root, None) as served:
            yield served


@contextmanager
def _database() -> Generator[Served]:
    server = Server(shared_buffers="256MB", autovacuum="on", fsync="on", full_page_writes="on")
    try:
        asyncio.run(_fill_database(server.url))
        with scratch_home() as home, serving(home.root, server.url) as served:
            yield served
    finally:
        server.remove()


def _conversations() -> Iterator[list[Draft]]:
    for number in range(CONVERSATIONS):
        name, day = f"conv-{number:026d}", f"2025-{number // 8400 % 12 + 1:02d}-01"
        word = RARE if number == CONVERSATIONS // 2 else "matter"
        title = f"The {word} of number {number} and what to do about it"
        when = f"{day}T{number // 3600 % 24:02d}:{number // 60 % 60:02d}:{number % 60:02d}.000Z"
        yield [
            meta(name, user="local", channel="web", created=when, title=title),
            turn(name, "user", "What is to be done about it?", channel="web", timestamp=when),
        ]


def _fill(home: Home) -> None:
    stamper = Stamper(0, "2026-02-14T09:00:00.000Z")
    for drafts in _conversations():
        head, lines = Head(drafts[0].stream), list[Line]()
        for draft in drafts:
            line, head = stamper.stamp(head, draft)
            lines.append(line)
        home.stream(head.stream).write_bytes(b"".join(line.raw + b"\n" for line in lines))


async def _fill_database(url: str) -> None:
    node = PostgresNode(url, None, system_clock, Background(worker=False))
    try:
        source = await asyncio.to_thread(node.source, "local")
        ledger, index = node.ledger(source), node.index(source)
        await index.open()
        await index.settle()
        waiting: list[Draft] = []
        for drafts in _conversations():
            waiting += drafts
            if len(waiting) >= 2 * AT_ONCE:
                await ledger.append(waiting)
                waiting = []
        await index.settle()
    finally:
        await asyncio.to_thread(node.close)


# -- lists -------------------------------------------------------------------------------------


async def _lists(served: Served, engine: str, result: Result) -> None:
    connection = await Connection.open(*served)
    last = await _last_page(connection)
    kinds = {
        "the first page": "/api/conversations",
        "the last page": f"/api/conversations?limit={PAGE}&cursor={quote(last)}",
        "a word in a title": f"/api/conversations?q={RARE}",
    }
    for name, path in kinds.items():
        spent = [await _timed(connection, path) for _ in range(MEASURED)]
        cuts = quantiles(spent, n=20)
        result.note(f"{engine}: {name}, p50", cuts[9] * 1000, "ms")
        tell = result.note if "title" in name else _promised(result)
        tell(f"{engine}: {name}, p95", cuts[18] * 1000, "ms")
        result.bars.append((f"{engine}: {name}", cuts[18] * 1000))
    connection.close()


def _promised(result: Result) -> Callable[[str, float, str], None]:
    return lambda name, value, unit: result.at_most(name, value, unit, 20)


async def _last_page(connection: Connection) -> str:
    """The cursor of the last page."""
    cursor = ""
    page = await connection.get("/api/conversations?limit=200")
    while page["nextCursor"]:
        cursor = page["nextCursor"]
        page = await connection.get(f"/api/conversations?limit=200&cursor={quote(cursor)}")
    return cursor


async def _timed(connection: Connection, path: str) -> float:
    started = time.perf_counter()
    await connection.get(path)
    return time.perf_counter() - started


# -- chat --------------------------------------------------------------------------------------


async def _chat(served: Served, engine: str, result: Result) -> None:
    for clients in CLIENTS:
        constant = await _rate(served, clients, lambda: _constant)
        answered = await _rate(served, clients, _Talking)
        after = await _rate(served, clients, lambda: _constant)
        plain, who = (constant + after) / 2, f"{clients} client{'s' if clients > 1 else ''}"
        result.note(f"{engine}: {who}", answered, "messages/s")
        result.note(f"{engine}: {who}, a constant", plain, "answers/s")
        result.note(f"{engine}: {who}, to the constant", answered / plain, "times")
        result.bars += [(f"{engine}, {who}", answered), (f"{engine}, {who}: constant", plain)]


async def _constant(connection: Connection) -> object:
    return await connection.post(CONSTANT, {"message": "What is to be done about it?"})


class _Talking:
    """Somebody who talks, and now and then of something else."""

    def __init__(self) -> None:
        self._conversation: str | None = None
        self._said = 0

    async def __call__(self, connection: Connection) -> object:
        self._conversation = self._conversation if self._said % TURNS else None
        self._said += 1
        message = {"message": f"What is to be done about matter {self._said}?"}
        if self._conversation:
            message["conversationId"] = self._conversation
        answer = await connection.post("/api/chat", message)
        self._conversation = answer["conversationId"]
        return answer


async def _rate(served: Served, clients: int, asking: Callable[[], Asking]) -> float:
    """How many answers a second all clients get together."""
    started = time.perf_counter()
    each = (_client(served, asking(), started + SECONDS) for _ in range(clients))
    counts = await asyncio.gather(*each)
    return sum(counts) / (time.perf_counter() - started)


async def _client(served: Served, ask: Asking, end: float) -> int:
    connection, count = await Connection.open(*served), 0
    while time.perf_counter() < end:
        await ask(connection)
        count += 1
    connection.close()
    return count
