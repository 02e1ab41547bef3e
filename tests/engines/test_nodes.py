"""Nodes: one for each process and database, as long as somebody uses it."""

from __future__ import annotations

import time
from pathlib import Path
from threading import enumerate as all_threads

import psycopg
import pytest

from palaver.app import Palaver
from palaver.engines.databases import remove_user
from palaver.errors import NotFound, StorageFailed
from palaver.ledger.postgres import PostgresSource
from tests.library import Clock, library
from tests.postgres.databases import looking, row_counts


def writers() -> int:
    return sum(thread.name == "palaver-writer" for thread in all_threads())


def connections(url: str) -> int:
    with psycopg.connect(url) as connection:
        (row,) = connection.execute(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'palaver'
            """
        )
        return row[0]


def all_closed(url: str) -> bool:
    """The server takes a moment to notice."""
    deadline = time.monotonic() + 5
    while connections(url):
        if time.monotonic() > deadline:
            return False
    return True


async def test_libraries_of_one_database_share_a_node(tmp_path: Path, database_url: str) -> None:
    clock = Clock()
    async with library(tmp_path, clock, database_url=database_url) as one:
        async with Palaver.open(settings=one.settings, user="usr-ann", clock=clock) as other:
            assert writers() == 1
            await other.send("Hello")
        assert writers() == 1
        await one.send("Hello")
        assert connections(database_url) > 0
    assert writers() == 0
    assert all_closed(database_url)


async def test_another_clock_or_another_model_is_another_node(
    tmp_path: Path, database_url: str
) -> None:
    clock = Clock()
    async with (
        library(tmp_path, clock, database_url=database_url) as one,
        library(tmp_path, Clock(), database_url=database_url),
        Palaver.open(settings=one.settings, clock=clock, index_vectors=False),
    ):
        assert writers() == 3
    assert writers() == 0


async def test_a_library_that_cannot_be_opened_leaves_nothing_behind(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise StorageFailed

    monkeypatch.setattr(PostgresSource, "__init__", refuse)
    with pytest.raises(StorageFailed):
        async with library(tmp_path, Clock(), database_url=database_url):
            pass
    assert writers() == 0
    assert all_closed(database_url)


def graphs(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT indexname FROM pg_indexes WHERE indexname LIKE 'vectors_near_%'"
        )
        return [name for (name,) in rows]


async def test_a_user_is_removed_with_the_jobs_that_wait(tmp_path: Path, database_url: str) -> None:
    async with Palaver.open(tmp_path, user="usr-ann", database_url=database_url) as palaver:
        await palaver.start()
        await palaver.settle()
    with psycopg.connect(looking(database_url), autocommit=True) as connection:
        ((jobs,),) = connection.execute(
            "SELECT oid::regclass::text FROM pg_class WHERE relname = 'procrastinate_jobs'"
        ).fetchall()
        schema = jobs.partition(".")[0]
        connection.execute(f"SET search_path = {schema}".encode())
        for user in ("usr-ann", "usr-bob"):
            connection.execute(
                "INSERT INTO procrastinate_jobs (queue_name, task_name, lock)"
                f" VALUES ('digest', 'test', 'test:{user}:1')".encode()
            )
        remove_user(database_url, "usr-ann")
        left = connection.execute(
            "SELECT lock FROM procrastinate_jobs WHERE task_name = 'test'"
        ).fetchall()
    assert left == [("test:usr-bob:1",)]


async def test_a_user_is_removed_with_everything(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palaver.index.postgres.vectors.graph.MANY", 4)
    clock = Clock()
    async with library(tmp_path, clock, database_url=database_url) as palaver:
        sent = await palaver.send("Stays")
        await palaver.settle()
    before = row_counts(database_url)
    ann = Palaver.open(tmp_path, user="usr-ann", database_url=database_url, clock=clock)
    async with (
        ann as palaver
    ):  # by the same clock: by another, what stays would be due for a digest
        stays = await palaver.start()
        for thing in ("tea", "coffee", "milk", "water"):
            await palaver.append(stays.id, "user", f"There is {thing}.")
        gone = await palaver.send("The xylophone goes", new=True, key="k")
        await palaver.settle()
        await palaver.delete(gone.conversation_id)
        await palaver.rebuild()
    assert row_counts(database_url) != before
    assert len(graphs(database_url)) == 1
    for _ in range(2):
        remove_user(database_url, "usr-ann")
    assert row_counts(database_url) == before
    assert graphs(database_url) == []
    async with library(tmp_path, Clock(), database_url=database_url) as palaver:
        assert await palaver.lines(sent.conversation_id)
        assert [one for one in await palaver.verify() if one.damage] == []


async def test_whoever_listens_for_a_removed_user_is_told(
    tmp_path: Path, database_url: str
) -> None:
    async with Palaver.open(tmp_path, user="usr-ann", database_url=database_url) as palaver:
        await palaver.start()
        remove_user(database_url, "usr-ann")
        with pytest.raises(NotFound, match="no user usr-ann any more"):
            await palaver.changes(0)
