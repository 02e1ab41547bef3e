"""Connections: what they promise, what becomes of them, and what their faults are called."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier
from typing import Any

import psycopg
import pytest

from palaver.errors import (
    DatabaseUnusable,
    PalaverError,
    StorageBusy,
    StorageFailed,
    StorageFull,
    StorageUnreachable,
)
from palaver.postgres import Connection, Pool, Row
from tests.postgres.databases import Databases, address, looking, ours

OPEN = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'palaver'
"""

# -- statements and transactions ---------------------------------------------------------------


@pytest.fixture
def table(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        connection.execute("CREATE TABLE number (n bigint)")


def numbers(connection: Connection) -> list[int]:
    return [n for (n,) in connection.all("SELECT n FROM number ORDER BY n")]


def insert_and_break(connection: Connection, number: int) -> None:
    connection.run("INSERT INTO number VALUES (%s)", (number,))
    raise KeyError


def insert_and_look_away(connection: Connection) -> None:
    connection.run("INSERT INTO number VALUES (1)")
    with pytest.raises(StorageFailed):
        connection.run("SELECT 1 / 0")


@pytest.mark.usefixtures("table")
def test_statements(pool: Pool) -> None:
    with pool.connection() as connection, connection.writing():
        assert connection.run("INSERT INTO number VALUES (%s), (%s)", (1, 2)) == 2
        assert connection.many("INSERT INTO number VALUES (%s)", [(n,) for n in range(3, 9)]) == 6
        assert connection.one("SELECT n FROM number WHERE n = %(n)s", {"n": 5}) == (5,)
        assert connection.one("SELECT n FROM number WHERE n = 99") is None
        each = connection.each("SELECT n FROM number ORDER BY n")
        assert [next(each), next(each)] == [(1,), (2,)]
        assert [n for (n,) in each] == [3, 4, 5, 6, 7, 8]
        asked = connection.together(
            ("DELETE FROM number WHERE n > %s", (2,)), ("SELECT count(*) FROM number", ())
        )
        assert [(answer.rows, answer.touched) for answer in asked] == [([], 6), ([(2,)], 1)]


@pytest.mark.usefixtures("table")
def test_writing_is_all_or_nothing(pool: Pool) -> None:
    with pool.connection() as connection:
        with pytest.raises(KeyError), connection.writing():
            insert_and_break(connection, 1)
        with connection.writing():
            connection.run("INSERT INTO number VALUES (2)")
    with pool.connection() as connection, connection.reading():
        assert numbers(connection) == [2]


@pytest.mark.usefixtures("table")
def test_a_failure_nobody_looked_at_is_no_commit(pool: Pool) -> None:
    with pool.connection() as connection, pytest.raises(StorageFailed), connection.writing():
        insert_and_look_away(connection)
    with pool.connection() as connection, connection.reading():
        assert numbers(connection) == []


@pytest.mark.usefixtures("table")
def test_what_is_done_aside_is_taken_back_alone(pool: Pool) -> None:
    with pool.connection() as connection:
        with connection.writing():
            connection.run("INSERT INTO number VALUES (1)")
            with pytest.raises(KeyError), connection.aside():
                insert_and_break(connection, 2)
            with pytest.raises(StorageFailed), connection.aside():
                connection.run("SELECT 1 / 0")
            with connection.aside():
                connection.run("INSERT INTO number VALUES (3)")
        with connection.reading():
            assert numbers(connection) == [1, 3]


def test_rows_left_in_the_middle_disturb_nobody_later(pool: Pool) -> None:
    """Whoever raised holds on to them, and lets go of them in the transaction of somebody else."""
    left: list[Generator[Row]] = []

    def leave(connection: Connection) -> None:
        left.append(connection.each("SELECT generate_series(1, 2000)"))
        assert next(left[-1]) == (1,)
        raise StorageFailed

    with pool.connection() as connection:
        with pytest.raises(StorageFailed), connection.writing():
            leave(connection)
        with connection.writing():
            with pytest.raises(StorageFailed), connection.aside():
                leave(connection)
            for rows in left:
                rows.close()
            assert connection.one("SELECT 1") == (1,)
        with connection.reading():
            assert len(list(connection.each("SELECT generate_series(1, 2000)"))) == 2000
        assert connection.usable


def test_what_was_not_begun_is_not_ended(pool: Pool) -> None:
    with pool.connection() as connection:
        with connection.writing():
            pass
        with connection.writing(), pytest.raises(KeyError), connection.aside():
            raise KeyError
        with connection.writing():
            with connection.aside():
                pass
            assert connection.one("SELECT 1") == (1,)
        assert connection.usable


def test_a_glance_is_a_transaction_of_its_own(pool: Pool) -> None:
    with pool.connection(7) as connection:
        (answer,) = connection.glance(("SELECT palaver.me(), %s::bigint", (5,)))
        assert answer.rows == [(7, 5)]
        assert connection.usable
        with pytest.raises(StorageFailed):
            connection.glance(("CREATE TABLE other (n bigint)", ()))
        assert connection.usable


@pytest.mark.usefixtures("table")
def test_reading_sees_one_state_and_changes_nothing(pool: Pool) -> None:
    with pool.connection() as reader, pool.connection() as writer:
        with reader.reading():
            assert numbers(reader) == []
            with writer.writing():
                writer.run("INSERT INTO number VALUES (1)")
            assert numbers(reader) == []
        with pytest.raises(StorageUnreachable), reader.reading():
            reader.run("INSERT INTO number VALUES (2)")


def test_an_owner_lasts_as_long_as_the_transaction(pool: Pool) -> None:
    with pool.connection(7) as connection:
        with connection.reading():
            assert connection.one("SELECT palaver.me()") == (7,)
        with connection.writing():
            connection.act_for(8)
            assert connection.one("SELECT palaver.me()") == (8,)
        with connection.reading():
            assert connection.one("SELECT palaver.me()") == (7,)
    with pool.connection() as connection:
        with pytest.raises(StorageFailed), connection.reading():
            connection.one("SELECT palaver.me()")
        with pytest.raises(StorageFailed):
            connection.one("SELECT palaver.me()")


# -- the pool ----------------------------------------------------------------------------------


def test_connections_are_kept(pool: Pool) -> None:
    with pool.connection() as first:
        process = first.process
        with pool.connection() as second:
            assert second.process != process
    with pool.connection() as again:
        assert again.process == process


def test_a_dead_connection_is_replaced(pool: Pool, database_url: str) -> None:
    with pool.connection() as first, pool.connection() as second:
        dead = [first.process, second.process]
    with psycopg.connect(database_url) as other:
        for process in dead:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", (process,))
    with pool.connection() as connection, connection.reading():
        assert connection.process not in dead
    for _ in range(9):  # the room of the dead ones is free again
        with pool.connection(), pool.connection(), pool.connection(), pool.connection():
            pass


def test_a_restarted_server_is_found_again(pool: Pool, postgres: Databases) -> None:
    server = ours(postgres)
    with pool.connection():
        pass
    server.stop()
    for _ in range(9):
        with pytest.raises(StorageUnreachable), pool.connection():
            pass
    server.start()
    with pool.connection() as connection, connection.reading():
        assert connection.one("SELECT 1") == (1,)


def test_more_is_not_opened_than_was_said(pool: Pool, database_url: str) -> None:
    with ExitStack() as held, ThreadPoolExecutor(4) as holders:
        for _ in range(4):
            item = pool.connection()
            held.callback(item.__exit__, None, None, None)
            holders.submit(item.__enter__).result()
        with pytest.raises(StorageBusy) as caught, pool.connection():
            pass
        assert caught.value.retriable
    with pool.connection() as connection, connection.reading():
        assert connection.one("SELECT 1") == (1,)


def test_whoever_has_one_does_not_wait_for_another(pool: Pool, database_url: str) -> None:
    """They would wait for each other: each of them has what another needs."""
    ready = Barrier(4, timeout=30)

    def work(number: int) -> int:
        with pool.connection() as first:
            ready.wait()
            with pool.connection() as second, pool.connection() as third:
                ready.wait()
                return len({first.process, second.process, third.process})

    with ThreadPoolExecutor(4) as together:
        assert list(together.map(work, range(4))) == [3] * 4
    with psycopg.connect(database_url) as other:
        (left,) = other.execute(OPEN)
    assert left[0] <= 4


def test_many_threads_share_it(pool: Pool) -> None:
    def ask(number: int) -> Any:
        with pool.connection() as connection, connection.reading():
            return connection.one("SELECT %s::bigint", (number,))

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(ask, range(200))) == [(n,) for n in range(200)]


def test_a_closed_pool_opens_nothing(pool: Pool) -> None:
    with pool.connection() as held:
        pool.close()
        held.one("SELECT 1")
    assert not held.usable
    with pytest.raises(StorageFailed), pool.connection():
        pass


# -- faults ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "kind", "retriable"),
    [
        ("53100", StorageFull, True),
        ("53300", StorageBusy, True),
        ("40001", StorageBusy, True),
        ("40P01", StorageBusy, True),
        ("55P03", StorageBusy, True),
        ("57P01", StorageUnreachable, True),
        ("57P03", StorageUnreachable, True),
        ("08006", StorageUnreachable, True),
        ("25006", StorageUnreachable, True),
        ("23505", StorageFailed, True),
        ("42501", DatabaseUnusable, False),
        ("28P01", DatabaseUnusable, False),
    ],
)
def test_each_fault_is_one_of_our_errors(
    pool: Pool, state: str, kind: type[PalaverError], retriable: bool
) -> None:
    raising = f"DO $$ BEGIN RAISE EXCEPTION 'secret' USING ERRCODE = '{state}'; END $$"
    with pool.connection() as connection:
        with pytest.raises(PalaverError) as caught, connection.writing():
            connection.run(raising)
        assert type(caught.value) is kind
        assert caught.value.retriable is retriable
        assert "secret" not in caught.value.message + caught.value.remedy
        assert connection.usable


def test_a_lock_and_a_statement_are_waited_for_in_time_only(pool: Pool, database_url: str) -> None:
    with psycopg.connect(database_url) as other, pool.connection() as connection:
        other.execute("LOCK TABLE palaver.users")
        with pytest.raises(StorageBusy), connection.writing():
            connection.run("LOCK TABLE palaver.users")
        with pytest.raises(StorageBusy), connection.writing():
            connection.run("SELECT pg_sleep(10)")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("palaver_tests@", "nobody-there@"), 'role "nobody-there" does not exist'),
        (("palaver_test", "no_such"), "does not exist"),
        (("?host=", "?host=/nowhere"), "No such file or directory"),
        (("@/", "@[/"), "cannot be read"),
    ],
)
def test_a_database_that_cannot_be_used_says_why(
    postgres: Databases, database_url: str, change: tuple[str, str], said: str
) -> None:
    ours(postgres)  # of another server we do not know the names
    with pytest.raises(DatabaseUnusable, match=said) as caught:
        Pool(database_url.replace(*change)).open()
    assert caught.value.message.count(".") == 1


def test_a_database_must_keep_unicode(postgres: Databases, database_url: str) -> None:
    Pool(database_url).open()
    with psycopg.connect(looking(database_url), autocommit=True) as connection:
        connection.execute(
            "CREATE DATABASE palaver_latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'"
            " TEMPLATE template0"
        )
    latin = address(looking(database_url), "palaver_latin")
    with pytest.raises(DatabaseUnusable, match="LATIN1"):
        Pool(latin).open()
    postgres.drop(latin)
