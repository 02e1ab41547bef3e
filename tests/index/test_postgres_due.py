"""What is due in the books of all users."""

from __future__ import annotations

from collections.abc import AsyncIterator

import psycopg
import pytest

from palaver.index.port import After, OwedFilter
from palaver.index.postgres.due import Owing
from palaver.index.postgres.statements import VERSION, Dialect
from palaver.ledger.lines import meta, turn
from palaver.ledger.postgres import PostgresSource
from palaver.postgres import Pool
from tests.index.worlds import USER, A, B, PostgresWorld, node
from tests.postgres.databases import looking

WANTED = OwedFilter("9999", turns=5, lag=60, stand_ins=True)
SCHEMA = Dialect().schema


@pytest.fixture
async def world(database_url: str) -> AsyncIterator[PostgresWorld]:
    async with node(database_url) as world:
        yield world


@pytest.fixture
async def other(world: PostgresWorld) -> AsyncIterator[PostgresWorld]:
    """Another user, with a conversation of the same id."""
    other = await world.user("other")
    await other.write(meta(A, user="other"), turn(A, "user", "coffee"))
    yield other
    await other.index.close()


def undigested(world: PostgresWorld, limit: int = 9, after: After | None = None) -> list[str]:
    owing = Owing(world.pool, world.shared.dialect)
    found = owing.undigested(WANTED, after=after, limit=limit)
    assert [one.owner for one in found] == [
        PostgresSource(world.pool, one.user).owner for one in found
    ]
    return [f"{one.user} {one.owed.conversation.id}" for one in found]


async def test_what_is_owed_to_all_comes_in_order(
    world: PostgresWorld, other: PostgresWorld
) -> None:
    await world.begin(A, "tea")
    await other.write(meta(B, user="other"), turn(B, "user", "more coffee"))
    every = ["other conv-A", "local conv-A", "other conv-B"]
    assert undigested(world) == every
    assert undigested(world, limit=2) == every[:2]
    first = (await other.index.owed("other", WANTED, limit=1))[0]
    assert undigested(world, after=After(first.heard, first.conversation.id)) == every[1:]
    (ours,) = await world.index.owed(USER, WANTED, limit=9)
    found = Owing(world.pool, world.shared.dialect).undigested(WANTED, limit=9)
    assert [one.owed for one in found if one.user == USER] == [ours]


async def test_nothing_is_told_of_a_book_that_is_not_complete(
    world: PostgresWorld, other: PostgresWorld, database_url: str
) -> None:
    await world.begin(A, "tea")
    owner = PostgresSource(world.pool, USER).owner
    with psycopg.connect(looking(database_url)) as connection:
        sql = f"UPDATE {SCHEMA}.books SET complete = 0 WHERE owner = {owner}"
        connection.execute(sql.encode())
    assert undigested(world) == ["other conv-A"]


async def test_a_damaged_row_stops_nobody_else(
    world: PostgresWorld, other: PostgresWorld, database_url: str
) -> None:
    await world.begin(B, "tea")
    with psycopg.connect(looking(database_url)) as connection:
        sql = f"UPDATE {SCHEMA}.conversations SET channel = 'x' WHERE id = '{B}'"
        connection.execute(sql.encode())
    assert undigested(world) == ["other conv-A"]


async def test_nothing_is_told_of_a_book_that_was_replaced(
    world: PostgresWorld, database_url: str
) -> None:
    await world.begin(A, "tea")
    await world.index.rebuild()
    assert undigested(world) == ["local conv-A"]
    with psycopg.connect(looking(database_url)) as connection:
        connection.execute(f"UPDATE {SCHEMA}.books SET live = live + 1000".encode())
    assert undigested(world) == []


async def test_nothing_is_due_before_the_tables_are_made(database_url: str) -> None:
    pool = Pool(database_url)
    assert Owing(pool, Dialect(f"{VERSION}9")).undigested(WANTED, limit=9) == []
    pool.close()
