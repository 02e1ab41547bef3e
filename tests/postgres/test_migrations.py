"""The primary tables: made once, from every earlier state, by whoever comes first."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from palaver.errors import DatabaseTooNew, DatabaseUnusable
from palaver.postgres import Pool, migrate, migrations
from tests.postgres.databases import Databases, ours

SHAPE = """
    SELECT table_name, column_name, data_type, is_nullable, column_default
    FROM information_schema.columns WHERE table_schema = 'palaver' ORDER BY 1, 2
"""
RULES = """
    SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'palaver'::regnamespace ORDER BY 1, 2
"""


@pytest.fixture
def empty_url(postgres: Databases) -> Iterator[str]:
    url = postgres.create(empty=True)
    yield url
    postgres.drop(url)


def rows(url: str, statement: Any) -> list[tuple[Any, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def set_up(url: str) -> None:
    pool = Pool(url)
    try:
        migrate(pool)
    finally:
        pool.close()


def test_they_are_numbered_without_gaps() -> None:
    found = migrations.known()
    assert [item.number for item in found] == list(range(1, len(found) + 1))


@pytest.mark.parametrize("state", range(len(migrations.known()) + 1))
def test_every_earlier_state_becomes_the_present_one(
    empty_url: str, database_url: str, monkeypatch: pytest.MonkeyPatch, state: int
) -> None:
    known = migrations.known()
    if state:
        monkeypatch.setattr(migrations, "known", lambda: known[:state])
        set_up(empty_url)
        monkeypatch.undo()
    set_up(empty_url)
    for statement in (SHAPE, RULES, "SELECT number, name FROM palaver.migrations"):
        assert rows(empty_url, statement) == rows(database_url, statement) != []


def test_several_nodes_may_start_at_once(empty_url: str) -> None:
    with ThreadPoolExecutor(6) as nodes:
        list(nodes.map(set_up, [empty_url] * 6))
    numbers = [number for (number,) in rows(empty_url, "SELECT number FROM palaver.migrations")]
    assert numbers == [item.number for item in migrations.known()]


def test_a_migration_that_fails_leaves_no_trace(
    empty_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = migrations.Migration(99, "bad", "CREATE TABLE palaver.half (); SELECT 1 / 0;")
    monkeypatch.setattr(migrations, "known", lambda: [bad])
    with pytest.raises(Exception, match="SQLSTATE 22012"):
        set_up(empty_url)
    assert rows(empty_url, SHAPE) == []
    monkeypatch.undo()
    set_up(empty_url)


def test_a_newer_database_is_left_alone(database_url: str) -> None:
    rows(database_url, "INSERT INTO palaver.migrations (number, name) VALUES (9999, 'later')")
    with pytest.raises(DatabaseTooNew):
        set_up(database_url)


def test_nothing_is_locked_when_there_is_nothing_to_do(database_url: str) -> None:
    with psycopg.connect(database_url) as other:
        other.execute("LOCK TABLE palaver.users, palaver.lines")
        set_up(database_url)


def test_whoever_may_not_is_told(postgres: Databases, empty_url: str) -> None:
    ours(postgres)  # another server would ask for a password
    rows(empty_url, "DROP ROLE IF EXISTS palaver_guest")
    rows(empty_url, "CREATE ROLE palaver_guest LOGIN")
    with pytest.raises(DatabaseUnusable):
        set_up(empty_url.replace("postgres@", "palaver_guest@"))
    rows(empty_url, "DROP ROLE palaver_guest")


# -- pgvector ------------------------------------------------------------------------------------


def test_a_server_without_pgvector_is_told(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known = migrations.known()
    missing = [
        item._replace(sql=item.sql.replace("EXISTS vector", "EXISTS gone")) for item in known
    ]
    monkeypatch.setattr(migrations, "known", lambda: missing)
    with pytest.raises(DatabaseUnusable, match="has no pgvector") as caught:
        set_up(empty_url)
    assert "Install pgvector" in caught.value.remedy


def test_an_old_pgvector_is_told(empty_url: str) -> None:
    rows(empty_url, "CREATE EXTENSION vector")
    rows(empty_url, "UPDATE pg_extension SET extversion = '0.7.4' WHERE extname = 'vector'")
    with pytest.raises(DatabaseUnusable, match=r"older than 0\.8") as caught:
        set_up(empty_url)
    assert "ALTER EXTENSION" in caught.value.remedy
    rows(empty_url, "UPDATE pg_extension SET extversion = '0.10' WHERE extname = 'vector'")
    set_up(empty_url)


def test_whoever_may_not_create_it_is_told_and_may_use_it(
    postgres: Databases, empty_url: str
) -> None:
    ours(postgres)  # another server would ask for a password
    rows(empty_url, "DROP ROLE IF EXISTS palaver_tenant")
    rows(empty_url, "CREATE ROLE palaver_tenant LOGIN")
    name = empty_url.partition("?")[0].rpartition("/")[2]
    rows(empty_url, f"GRANT CREATE ON DATABASE {name} TO palaver_tenant")
    tenant = empty_url.replace("postgres@", "palaver_tenant@")
    with pytest.raises(DatabaseUnusable, match="may not create the extension") as caught:
        set_up(tenant)
    assert "CREATE EXTENSION vector" in caught.value.remedy
    rows(empty_url, "CREATE EXTENSION vector")
    set_up(tenant)
    rows(empty_url, "DROP OWNED BY palaver_tenant")
    rows(empty_url, "DROP ROLE palaver_tenant")
