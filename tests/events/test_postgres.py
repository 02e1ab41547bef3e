"""Hints between nodes: what happens to them on the way."""

from __future__ import annotations

import asyncio
import time
from contextlib import closing

import psycopg
import pytest

from palaver.errors import StorageUnreachable
from palaver.events import Hint, postgres
from palaver.events.postgres import PostgresEvents, payloads
from palaver.postgres import Channel
from tests.events.worlds import cut, hear, silent, two_nodes, until
from tests.postgres.proxy import Proxy


async def test_a_cut_connection_comes_back_and_says_so(database_url: str) -> None:
    async with two_nodes(database_url) as world:
        with world.there.listen("ann") as heard:
            assert (await heard.next()).missed
            world.here.publish(Hint("ann", 1))
            await hear(heard, 1)
            for pos in range(2, 5):
                assert cut(database_url) == 2
                assert (await hear(heard, 0)).missed
                await asyncio.to_thread(_listening, database_url, 2)
                world.here.publish(Hint("ann", pos))
                await hear(heard, pos)


async def test_hints_wait_while_the_server_cannot_be_reached(database_url: str) -> None:
    proxy = Proxy(database_url)
    with (
        closing(PostgresEvents(proxy.url)) as here,
        closing(PostgresEvents(database_url)) as there,
        there.listen("ann") as heard,
    ):
        assert (await heard.next()).missed
        here.publish(Hint("ann", 1))
        await hear(heard, 1)
        proxy.close()
        cut(database_url)
        here.publish(Hint("ann", 2))
        here.publish(Hint("ann", 3))
        assert (await hear(heard, 0)).missed
        assert await silent(heard)
        again = Proxy(database_url, proxy.folder)
        assert (await hear(heard, 3)).pos == 3
        again.close()


async def test_what_could_not_be_said_is_said_later(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Hoarse(Channel):
        failures = 2

        def say(self, message: str) -> None:
            if Hoarse.failures:
                Hoarse.failures -= 1
                raise StorageUnreachable
            super().say(message)

    with closing(PostgresEvents(database_url)) as there, there.listen("ann") as heard:
        assert (await heard.next()).missed
        monkeypatch.setattr(postgres, "Channel", Hoarse)
        with closing(PostgresEvents(database_url)) as here:
            here.publish(Hint("ann", 5))
            assert (await hear(heard, 5)).pos == 5


async def test_closing_tells_the_others_first(database_url: str) -> None:
    with closing(PostgresEvents(database_url)) as there, there.listen("ann") as heard:
        assert (await heard.next()).missed
        with closing(PostgresEvents(database_url)) as here:
            here.publish(Hint("ann", 5))
        assert (await hear(heard, 5)).pos == 5


async def test_one_who_cannot_connect_can_be_closed() -> None:
    events = PostgresEvents("postgresql:///nowhere?host=/nonexistent")
    with events.listen("ann") as heard:
        events.publish(Hint("ann", 5))
        assert await heard.next() == Hint("ann", 5)
    started = time.monotonic()
    await asyncio.to_thread(events.close)
    assert time.monotonic() - started < 5


async def test_nobody_connects_without_a_reason(database_url: str) -> None:
    with closing(PostgresEvents(database_url)):
        assert _connections(database_url) == 0


async def test_what_comes_together_goes_out_together(database_url: str) -> None:
    users = [f"usr-{number:060}" for number in range(1000)]
    with closing(Channel(database_url)) as listening, closing(PostgresEvents(database_url)) as here:
        for pos in (1, 2, 3):
            for user in users:
                here.publish(Hint(user, pos))
        heard: list[str] = []

        def complete() -> bool:
            heard.extend(listening.heard())
            return sum(message.count(",3]") for message in heard) == len(users)

        await until(complete)
    assert len(heard) < 100
    assert max(map(len, heard)) < 8000


def test_a_message_is_never_too_long() -> None:
    told = {f"usr-{'x' * 64}{number}": 1 << 62 for number in range(500)}
    parts = list(payloads(told))
    assert len(parts) == 7
    assert all(len(part.encode()) < 8000 for part in parts)
    assert not list(payloads({}))


async def test_what_nobody_understands_makes_everybody_look(database_url: str) -> None:
    with closing(PostgresEvents(database_url)) as events, events.listen("ann") as heard:
        assert (await heard.next()).missed
        with closing(Channel(database_url)) as stranger:
            stranger.say("{}[] what?")
            assert (await hear(heard, 0)).missed
            stranger.say("[[1,2,3]]")
            assert (await hear(heard, 0)).missed
            stranger.say('[["ann",9]]')
            assert await hear(heard, 9) == Hint("ann", 9)


async def test_nobody_hears_an_echo(database_url: str) -> None:
    with closing(PostgresEvents(database_url)) as events, events.listen("ann") as heard:
        assert (await heard.next()).missed
        with closing(Channel(database_url)) as other:
            events.publish(Hint("ann", 1))
            await hear(heard, 1)
            await until(lambda: bool(other.heard()))
        assert await silent(heard)


def _connections(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'palaver events'
            """
        ).fetchone()
        return row[0] if row else 0


def _listening(url: str, number: int) -> None:
    deadline = time.monotonic() + 10
    while _connections(url) != number:
        assert time.monotonic() < deadline
        time.sleep(0.01)
