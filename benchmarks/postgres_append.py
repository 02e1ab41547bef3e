"""Appending to PostgreSQL: many users over 32 connections, against pgbench in the same run."""

from __future__ import annotations

import asyncio
import re
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle
from multiprocessing import get_context

import psycopg

from benchmarks.result import Result
from palaver.engines.background import Background
from palaver.engines.node import PostgresNode
from palaver.ledger.lines import meta, turn
from palaver.ledger.postgres import PostgresLedger
from palaver.times import system_clock
from tests.postgres.server import Server

CLIENTS = 32
USERS = 128
SECONDS = 6.0
TEXT = "A message of an ordinary length, as people write them, with some twenty words in it or so."
SAFE = {"fsync": "on", "full_page_writes": "on", "autovacuum": "on", "shared_buffers": "512MB"}


def run() -> list[Result]:
    how = (
        f"{CLIENTS} clients and {USERS} users; a message is acknowledged when it and its rows in "
        f"the index are on the disk. pgbench: {CLIENTS} connections insert rows as long as a line, "
        "one in each transaction, on the same server, before and after."
    )
    result = Result("Append to PostgreSQL", how, axis="messages per second")
    server = Server(**SAFE)
    try:
        plain = [_pgbench(server)]
        one, own = _driven(server.url, nodes=1)
        two, _ = _driven(server.url, nodes=2)
        plain.append(_pgbench(server))
    finally:
        server.remove()
    rows = sum(plain) / len(plain)
    result.at_least("one node", one, "messages/s", 2_000)
    result.at_least("one node, against pgbench", one / rows, "times", 0.5)
    result.note("one node, its own CPU per message", own * 1000, "ms")
    result.at_least("two nodes", two, "messages/s", 2_000)
    result.at_least("two nodes, against pgbench", two / rows, "times", 0.5)
    result.note("pgbench", rows, "rows/s")
    result.bars = [("pgbench", rows), ("one node", one), ("two nodes", two)]
    return [result]


def _driven(url: str, nodes: int) -> tuple[float, float]:
    """Messages per second of all nodes together, and the CPU seconds of a node for each."""
    with ProcessPoolExecutor(nodes, get_context("spawn")) as processes:
        asked = [processes.submit(_node, url, number, nodes) for number in range(nodes)]
        counts, seconds, spent = zip(*(one.result() for one in asked), strict=True)
    rate = sum(count / taken for count, taken in zip(counts, seconds, strict=True))
    return rate, sum(spent) / sum(counts)


def _node(url: str, number: int, nodes: int) -> tuple[int, float, float]:
    return asyncio.run(_drive(url, number, nodes))


async def _drive(url: str, number: int, nodes: int) -> tuple[int, float, float]:
    """What one node has stored for its share of the clients, in how many seconds, CPU and not."""
    node = PostgresNode(url, None, system_clock, Background(worker=False))
    clients = CLIENTS // nodes
    try:
        ledgers = [await _begun(node, f"user {number}.{n}") for n in range(USERS // nodes)]
        await _write(ledgers, clients, 1.0)
        started, spent = time.perf_counter(), time.process_time()
        count = await _write(ledgers, clients, SECONDS)
        return count, time.perf_counter() - started, time.process_time() - spent
    finally:
        await asyncio.to_thread(node.close)


async def _begun(node: PostgresNode, user: str) -> PostgresLedger:
    """A user with a conversation and an index that is complete."""
    source = await asyncio.to_thread(node.source, user)
    ledger, index = node.ledger(source), node.index(source)
    await index.open()
    await index.settle()
    if not await ledger.streams():
        await ledger.append([meta("conv-A", user=user, channel="web")])
    return ledger


async def _write(ledgers: Sequence[PostgresLedger], clients: int, seconds: float) -> int:
    end = time.perf_counter() + seconds
    counts = await asyncio.gather(
        *(_client(ledgers[number::clients], end) for number in range(clients))
    )
    return sum(counts)


async def _client(ledgers: Sequence[PostgresLedger], end: float) -> int:
    """Writes for one user after the other, each time when the last message is acknowledged."""
    count = 0
    for ledger in cycle(ledgers):
        if time.perf_counter() > end:
            break
        await ledger.append([turn("conv-A", "user", TEXT, key=f"api:{time.perf_counter_ns()}")])
        count += 1
    return count


def _pgbench(server: Server) -> float:
    """Rows per second."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS bench")
        connection.execute(
            "CREATE TABLE bench (stream bigint, seq bigint, line text, PRIMARY KEY (stream, seq))"
        )
    script = server.folder / "insert.sql"
    script.write_text(
        "\\set seq :seq + 1\n"
        f"INSERT INTO bench VALUES (:client_id, :seq, repeat('0123456789', {_LINE // 10}));\n"
    )
    options = ("--no-vacuum", "--protocol=prepared", "--define=seq=0", f"--client={CLIENTS}")
    options += ("--jobs=2", f"--time={SECONDS:.0f}", f"--file={script}", "--username=postgres")
    said = subprocess.run(
        [server.programs / "pgbench", *options, f"--host={server.folder}", "postgres"],
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.search(r"tps = ([\d.]+)", said.stdout)
    assert found is not None
    return float(found[1])


_LINE = 460
"""How many bytes a line of such a message has."""
