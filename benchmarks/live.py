"""Live events: how soon a message that is written through one server shows at another."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import quantiles

import httpx

from benchmarks.result import Result
from palaver.engines import open_accounts
from palaver.settings import Settings
from tests.postgres.server import Server
from tests.proofs.cluster import Cluster
from tests.server.sockets import listening

MEASURED = 200
USERS = 50
PAUSE = 1.0
"""Each of the users writes about once in so many seconds."""

Headers = dict[str, str]


def run() -> list[Result]:
    with _servers() as (here, there, headers):
        quiet = asyncio.run(_measure(here, there, headers, busy=False))
        busy = asyncio.run(_measure(here, there, headers, busy=True))
    how = (
        f"Two web nodes and two workers on one PostgreSQL; {MEASURED} messages through one node, "
        f"each until it is at a socket of the other; then beside {USERS} users who write and "
        f"listen on both, about {USERS / PAUSE:g} messages a second."
    )
    result = Result("Live events", how, axis="ms from sending to hearing")
    for name, spent in (("alone", quiet), (f"beside {USERS} users", busy)):
        cuts = quantiles(spent, n=20)
        result.note(f"p50 {name}", cuts[9] * 1000, "ms")
        result.at_most(f"p95 {name}", cuts[18] * 1000, "ms", 200)
        result.bars += [(f"p50 {name}", cuts[9] * 1000), (f"p95 {name}", cuts[18] * 1000)]
    return [result]


@contextmanager
def _servers() -> Generator[tuple[str, str, list[Headers]]]:
    server = Server(shared_buffers="256MB", max_connections="200")
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            closing(Cluster(Path(folder), server.url)) as cluster,
        ):
            here, there = cluster.webs
            settings = Settings.load(folder, database__url=server.url)
            with closing(open_accounts(settings)) as accounts:
                secrets = [accounts.create_token(f"usr-{n}").secret for n in range(USERS + 1)]
            yield here.url, there.url, [{"Authorization": f"Bearer {one}"} for one in secrets]
    finally:
        server.remove()


async def _measure(here: str, there: str, headers: list[Headers], *, busy: bool) -> list[float]:
    async with httpx.AsyncClient(timeout=60, limits=httpx.Limits(max_connections=None)) as http:
        others = headers[1:] if busy else []
        load = [
            asyncio.create_task(_live(http, (here, there)[n % 2], (there, here)[n % 2], own, n))
            for n, own in enumerate(others)
        ]
        try:
            return await _timed(http, here, there, headers[0])
        finally:
            for task in load:
                task.cancel()
            await asyncio.gather(*load, return_exceptions=True)


async def _timed(http: httpx.AsyncClient, here: str, there: str, own: Headers) -> list[float]:
    """From sending a message to one server until it is heard at the other."""
    spent: list[float] = []
    path = await _start(http, here, own)
    async with listening(there, own) as client:
        for number in range(MEASURED):
            started = time.perf_counter()
            telling = asyncio.create_task(_tell(http, path, own, number))
            await client.until("conversation_updated")
            spent.append(time.perf_counter() - started)
            await telling
            await asyncio.sleep(0.02)
    return spent


async def _live(
    http: httpx.AsyncClient, writes: str, listens: str, own: Headers, number: int
) -> None:
    """Writes to one server and listens at the other, until it is broken off."""
    path = await _start(http, writes, own)
    async with listening(listens, own) as client:
        await asyncio.sleep(PAUSE * number / USERS)
        while True:
            await asyncio.gather(_tell(http, path, own, number), client.next())
            await asyncio.sleep(PAUSE)


async def _start(http: httpx.AsyncClient, url: str, own: Headers) -> str:
    made = await http.post(f"{url}/api/conversations", json={}, headers=own)
    return f"{url}/api/conversations/{made.json()['id']}/messages"


async def _tell(http: httpx.AsyncClient, path: str, own: Headers, number: int) -> None:
    text = f"A message of an ordinary length, as people write them, number {number}."
    answer = await http.post(path, json={"role": "user", "content": text}, headers=own)
    answer.raise_for_status()
