"""Versions of the index: their tables are there as long as a node uses them, and no longer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing

import psycopg
import pytest

from palaver.index.postgres.statements import VERSION, Dialect
from palaver.index.postgres.versions import Versions
from palaver.postgres import Pool
from tests.index.worlds import A, node

OLD, OTHERS = "0_9_9", "palaver_notes"
HOLDERS = """
    SELECT count(*) FROM pg_locks
    WHERE locktype = 'advisory' AND mode = 'ShareLock'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
KILL_HOLDERS = HOLDERS.replace("count(*)", "pg_terminate_backend(pid, 5000)")


class Time:
    def __init__(self) -> None:
        self.now = 0.0
        self.asked = 0

    def __call__(self) -> float:
        self.asked += 1
        return self.now


@pytest.fixture
def pool(database_url: str) -> Iterator[Pool]:
    with closing(Pool(database_url)) as pool:
        yield pool


@pytest.fixture
def clock() -> Time:
    return Time()


@pytest.fixture
def new(pool: Pool, clock: Time) -> Iterator[Versions]:
    """A node of the present version that looks all the time."""
    with closing(Versions(pool, Dialect(), look=0.01, now=clock)) as versions:
        versions.open()
        yield versions


def sql(url: str, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def schemas(url: str) -> set[object]:
    rows = sql(url, r"SELECT nspname FROM pg_namespace WHERE nspname LIKE 'palaver\_%'")
    return {name for (name,) in rows}


def wait_until(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def unused(versions: Versions) -> bool:
    """Whether it has seen that nobody uses the old version."""
    return f"palaver_{OLD}" in versions._unused  # pyright: ignore[reportPrivateUsage]


async def test_tables_that_nobody_uses_go_after_a_while(
    new: Versions, clock: Time, database_url: str
) -> None:
    async with node(database_url, version=OLD) as old:
        await old.begin(A, "tea")
        for _ in range(2):
            clock.now += 1000
            before = clock.asked
            wait_until(lambda: clock.asked > before + 3)  # noqa: B023 - it is called at once
        assert await old.contents() == ["tea"]
    wait_until(lambda: unused(new))
    assert schemas(database_url) == {f"palaver_{OLD}", f"palaver_{VERSION}"}
    clock.now += 60
    wait_until(lambda: schemas(database_url) == {f"palaver_{VERSION}"})
    async with node(database_url, version=OLD) as old:  # whoever comes back makes them again
        assert await old.contents() == ["tea"]


def test_a_node_that_was_cut_off_keeps_its_tables(
    new: Versions, clock: Time, pool: Pool, database_url: str
) -> None:
    with closing(Versions(pool, Dialect(OLD), look=0.01)) as old:
        old.open()
        for _ in range(3):
            sql(database_url, KILL_HOLDERS)
            wait_until(lambda: sql(database_url, HOLDERS) == [(2,)])
            wait_until(lambda: not unused(new))
            clock.now += 50
    assert f"palaver_{OLD}" in schemas(database_url)


async def test_tables_that_went_nevertheless_are_made_again(
    new: Versions, database_url: str
) -> None:
    async with node(database_url) as world:
        await world.begin(A, "tea")
        sql(database_url, f"DROP SCHEMA palaver_{VERSION} CASCADE")
        sql(database_url, KILL_HOLDERS)
        wait_until(lambda: f"palaver_{VERSION}" in schemas(database_url))
        await world.say(A, "user", "more tea")
        assert await world.contents() == ["tea", "more tea"]
        await world.index.settle()
        assert await world.found("tea") == ["tea", "more tea"]
        assert await world.index.verify() == []


async def test_what_is_not_ours_stays(new: Versions, clock: Time, database_url: str) -> None:
    sql(database_url, f"CREATE SCHEMA {OTHERS}; CREATE SCHEMA palaver_7_7_7")
    async with node(database_url, version=OLD):
        pass
    wait_until(lambda: unused(new))
    clock.now += 60
    wait_until(lambda: f"palaver_{OLD}" not in schemas(database_url))
    assert schemas(database_url) == {OTHERS, "palaver_7_7_7", f"palaver_{VERSION}"}
