"""How parts of replies travel between the nodes of a database, and what becomes of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest

from palaver.errors import StorageUncertain, StorageUnreachable
from palaver.events import AloneRelay, parts
from palaver.events.parts import Parts
from palaver.events.postgres import PostgresEvents
from palaver.events.postgres_relay import NodeRelay, PostgresRelay
from palaver.events.relay import Making, Question, Shown
from palaver.events.wants import LAPSES, Wants
from palaver.ledger.postgres import PostgresSource
from palaver.postgres import Pool
from tests.events.worlds import SOON, until
from tests.postgres.databases import looking

ANN, BEN = "usr-ann", "usr-ben"


@dataclass
class Node:
    """One of the nodes of a database."""

    pool: Pool
    relay: NodeRelay

    def of(self, user: str) -> PostgresRelay:
        return self.relay.of(user, PostgresSource(self.pool, user).owner)


@asynccontextmanager
async def node(url: str) -> AsyncGenerator[Node]:
    pool, events = Pool(url), PostgresEvents(url)
    relay = NodeRelay(pool, events)
    try:
        yield Node(pool, relay)
    finally:
        for one in (relay, events, pool):
            await asyncio.to_thread(one.close)


@pytest.fixture
async def nodes(database_url: str) -> AsyncGenerator[list[Node]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(node(database_url)) for _ in range(2)]


def making(name: str) -> Making:
    return Making(name, Question(f"msg-{name}", f"conv-{name}", 7))


def rows(url: str) -> list[str]:
    with psycopg.connect(looking(url)) as connection:
        found = connection.execute("SELECT part FROM palaver.reply_parts ORDER BY number")
        return [part for (part,) in found]


def nothing(*_: object) -> None:
    """Instead of what a node that is there would do."""


async def looked(relay: PostgresRelay, **seen: int) -> list[Shown]:
    """What is shown as soon as there is something."""
    async with asyncio.timeout(SOON):
        while not (shown := await relay.look(seen)):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    return list(shown)


async def test_parts_come_in_order_and_once(nodes: list[Node]) -> None:
    here, there = (one.of(ANN) for one in nodes)
    with there.follow() as heard:
        await asyncio.wait_for(here.wanted(), SOON)
        here.publish(making("a"), "one")
        here.publish(making("a"), "two")
        await asyncio.wait_for(heard.next(), SOON)
        (shown,) = await looked(there)
        assert shown.making == making("a")
        assert [one.text for one in shown.parts] == ["one", "two"]
        last = shown.parts[-1].number
        here.publish(making("a"), "three")

        async def third() -> bool:
            (shown,) = await there.look({"a": last})
            return [one.text for one in shown.parts] == ["three"]

        async with asyncio.timeout(SOON):
            while not await third():
                pass
        assert not await here.look({})  # its own are not shown to the maker


async def test_nobody_is_shown_the_replies_of_others(nodes: list[Node]) -> None:
    here, ben = nodes[0].of(ANN), nodes[1].of(BEN)
    here.publish(making("a"), "a secret")
    assert await looked(nodes[1].of(ANN))
    assert not await ben.look({})
    assert not await ben.look({"a": 0})


async def test_what_cannot_be_written_is_written_later(
    nodes: list[Node], monkeypatch: pytest.MonkeyPatch
) -> None:
    failures, broken = list[int](), [True]
    store = Parts._store  # pyright: ignore[reportPrivateUsage]

    def failing(self: Parts, taken: list[Any]) -> None:
        if broken:
            failures.append(len(taken))
            raise StorageUnreachable
        store(self, taken)

    monkeypatch.setattr(Parts, "_store", failing)
    monkeypatch.setattr(parts, "_PAUSE", 0.01)
    here, there = (one.of(ANN) for one in nodes)
    for number in range(3):
        here.publish(making("a"), f"part {number}")
        before = len(failures)
        await until(lambda before=before: len(failures) > before)
    broken.clear()
    (shown,) = await looked(there)
    assert [one.text for one in shown.parts] == [f"part {number}" for number in range(3)]


async def test_what_was_written_though_nobody_could_tell_is_not_in_the_way(
    nodes: list[Node], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection was lost with the answer to COMMIT: the same is written again."""
    uncertain = [True]
    store = Parts._store  # pyright: ignore[reportPrivateUsage]

    def losing(self: Parts, taken: list[Any]) -> None:
        store(self, taken)
        if uncertain:
            uncertain.clear()
            raise StorageUncertain

    monkeypatch.setattr(Parts, "_store", losing)
    monkeypatch.setattr(parts, "_PAUSE", 0.01)
    here, there = (one.of(ANN) for one in nodes)
    here.publish(making("a"), "part 0")
    await until(lambda: not uncertain)
    here.publish(making("a"), "part 1")
    async with asyncio.timeout(SOON):
        while len((shown := (await looked(there))[0]).parts) < 2:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    assert [one.text for one in shown.parts] == ["part 0", "part 1"]


async def test_closing_leaves_nothing_of_what_has_ended(database_url: str) -> None:
    async with node(database_url) as one, node(database_url) as other:
        relay = one.of(ANN)
        relay.publish(making("a"), "a word")
        assert await looked(other.of(ANN))
        relay.end(making("a"))
        await asyncio.to_thread(one.relay.close)
        assert not rows(database_url)


async def test_what_a_dead_node_left_is_swept_by_whoever_comes(
    nodes: list[Node], database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes[0].of(ANN).publish(making("a"), "a word")
    await until(lambda: rows(database_url) == ["a word"])
    with psycopg.connect(looking(database_url), autocommit=True) as connection:
        connection.execute("UPDATE palaver.replies SET touched = touched - interval '1 hour'")
    monkeypatch.setattr(Parts, "_store", nothing)
    with nodes[1].of(BEN).follow():  # even somebody else
        await until(lambda: not rows(database_url))


def test_what_a_node_wanted_lapses() -> None:
    now = [0.0]
    wants = Wants(lambda: now[0])
    wants.hear("node-1", ANN)
    wants.hear("node-2", ANN)
    assert wants.is_wanted(ANN)
    assert not wants.is_wanted(BEN)
    wants.leave("node-1", ANN)
    wants.leave("node-3", BEN)
    assert wants.is_wanted(ANN)
    now[0] = LAPSES - 1
    wants.hear("node-1", ANN)
    now[0] = LAPSES + 1
    assert wants.is_wanted(ANN)  # node-2 has lapsed, and node-1 has not
    now[0] = 2 * LAPSES
    assert not wants.is_wanted(ANN)
    wants.hear("node-1", BEN)
    wants.leave("node-1", BEN)
    assert not wants._theirs  # pyright: ignore[reportPrivateUsage]


def test_the_first_to_follow_is_told_and_the_last() -> None:
    wants = Wants()
    assert [wants.take(ANN), wants.take(ANN), wants.take(BEN)] == [True, False, True]
    assert wants.ours() == [ANN, BEN]
    assert [wants.give(ANN), wants.give(ANN), wants.give(BEN)] == [False, True, True]
    assert not wants.ours()


async def test_a_node_that_comes_later_learns_what_is_wanted(database_url: str) -> None:
    async with node(database_url) as early:
        with early.of(ANN).follow() as heard:
            assert (await asyncio.wait_for(heard.next(), SOON)).missed  # it is connected
            async with node(database_url) as late:
                await asyncio.wait_for(late.of(ANN).wanted(), SOON)


async def test_whoever_leaves_and_comes_again_at_once_is_there(nodes: list[Node]) -> None:
    """A page that is loaded again; all of it may go out together."""
    here, there = (one.of(ANN) for one in nodes)
    wanted = asyncio.ensure_future(here.wanted())
    with there.follow() as heard:
        assert (await asyncio.wait_for(heard.next(), SOON)).missed  # it is connected
        await asyncio.wait_for(wanted, SOON)
    for _ in range(20):
        with there.follow():
            pass
    with there.follow():
        nodes[1].relay._events.tell(("moved", ANN))  # pyright: ignore[reportPrivateUsage]
        with here.follow() as told:
            await asyncio.wait_for(told.next(), SOON)  # all before it is told, too
        assert nodes[0].relay._wants.is_wanted(ANN)  # pyright: ignore[reportPrivateUsage]


async def test_whoever_is_alone_shares_nothing() -> None:
    relay = AloneRelay()
    wanted = asyncio.ensure_future(relay.wanted())
    with relay.follow(), relay.ask_to_stop("conv-1") as asked:
        asked.again()
        assert asked.answer.result() is False
        assert not await relay.look({})
    assert not wanted.done()
    wanted.cancel()
    await asyncio.gather(wanted, return_exceptions=True)
