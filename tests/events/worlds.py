"""Places where hints travel: within one process, in a home, and between nodes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import psycopg

from palaver.events import Events, Hint, HomeEvents, LocalEvents
from palaver.events.port import Heard
from palaver.events.postgres import PostgresEvents

SOON = 10.0


@dataclass
class World:
    """Who commits, and who listens; they may be the same."""

    here: Events
    there: Events


async def hear(heard: Heard, pos: int) -> Hint:
    """Listens until a position was told, or that some may have been missed."""
    async with asyncio.timeout(SOON):
        while (hint := await heard.next()).pos < pos:
            pass
    return hint


async def silent(heard: Heard) -> bool:
    """Whether nothing has come."""
    try:
        async with asyncio.timeout(0.05):
            hint = await heard.next()
    except TimeoutError:
        return True
    return hint.pos == 0


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(SOON):
        while not condition():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


@asynccontextmanager
async def local(_: str) -> AsyncGenerator[World]:
    events = LocalEvents()
    yield World(events, events)


@asynccontextmanager
async def home(_: str) -> AsyncGenerator[World]:
    async def position() -> int:
        return 0

    events = HomeEvents("ann", lambda: 0, position)
    yield World(events, events)


@asynccontextmanager
async def two_nodes(url: str) -> AsyncGenerator[World]:
    here, there = PostgresEvents(url), PostgresEvents(url)
    try:
        yield World(here, there)
    finally:
        await asyncio.to_thread(here.close)
        await asyncio.to_thread(there.close)


@asynccontextmanager
async def one_node(url: str) -> AsyncGenerator[World]:
    events = PostgresEvents(url)
    try:
        yield World(events, events)
    finally:
        await asyncio.to_thread(events.close)


WORLDS = {"local": local, "home": home, "one node": one_node, "two nodes": two_nodes}


def cut(url: str) -> int:
    """Ends the connections that listen; how many there were."""
    with psycopg.connect(url, autocommit=True) as connection:
        return len(
            connection.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND application_name = 'palaver events'
                """
            ).fetchall()
        )
