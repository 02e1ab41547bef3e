"""The statements of the index in PostgreSQL: each says whose rows it is about, and is used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files

import psycopg
import pytest

from palaver.index.postgres.schema import make_tables
from palaver.index.postgres.statements import Dialect
from palaver.index.sqlite.statements import QUERIES
from palaver.postgres import Pool

DIALECT = Dialect()
STATEMENTS = DIALECT.live
OF_NO_ROWS = {
    *("act_in", "lock", "unlock", "schema_exists", "schema_lock"),
    *("use_version", "other_versions", "take_version", "drop_version"),
}
OF_ALL_OWNERS = {"to_keep", "to_make", "to_check", "to_digest"}
OF_A_COMMIT = {
    *("known_streams", "add_messages_of_commit", "wait_of_commit", "put_conversations_of_commit"),
    "set_streams_of_commit",
}
OF_BOOKS = {
    *("streams", "conversations", "messages", "sources"),
    *("summaries", "days", "preferences", "memories", "uses", "oblivion"),
    *("deliveries", "externals", "external_messages", "external_words"),
    *("states", "waiting", "segments", "postings"),
}
SHARED = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE)\s+(palaver\w*)\.(\w+)")


@pytest.mark.parametrize("name", sorted(STATEMENTS.keys() - OF_NO_ROWS - OF_ALL_OWNERS))
def test_each_statement_says_whose_rows_it_is_about(name: str) -> None:
    sql = STATEMENTS[name]
    tables = set(SHARED.findall(sql))
    assert tables
    of_books = {(DIALECT.schema, table) for table in OF_BOOKS}
    if tables & of_books and name not in OF_A_COMMIT:
        assert f"{DIALECT.schema}.book()" in sql
    if tables - of_books:
        assert "palaver.me()" in sql or "palaver.us()" in sql


@pytest.mark.parametrize("name", sorted(STATEMENTS.keys() - OF_NO_ROWS - OF_ALL_OWNERS))
def test_each_table_is_bound_to_a_book(name: str) -> None:
    """Every use of a table is, not only one of several."""
    sql = STATEMENTS[name]
    uses = [one for one in SHARED.findall(sql) if one[0] == DIALECT.schema and one[1] in OF_BOOKS]
    bound = re.findall(r"\bbook = |(?:SELECT|VALUES \()\s*(?:\S+book\(\)|b\.live)", sql)
    assert len(bound) >= len(uses), sql


@pytest.mark.parametrize("name", sorted(OF_A_COMMIT))
def test_what_a_commit_says_of_many_is_held_to_the_books_of_its_users(name: str) -> None:
    sql = STATEMENTS[name]
    assert f"JOIN {DIALECT.schema}.books AS b ON b.owner = n.owner" in sql
    assert "b.live" in sql
    assert "b.owner = ANY (palaver.us())" in sql


def test_what_is_about_all_owners_tells_no_words() -> None:
    for name in OF_ALL_OWNERS - {"to_digest"}:
        tables = {table for _, table in SHARED.findall(STATEMENTS[name])}
        assert tables <= {"books", "users", "kept"}
    assert STATEMENTS["to_digest"].startswith("SELECT u.no, u.name, c.id\nFROM ")


def test_the_books_of_a_user_have_the_same_statements() -> None:
    assert STATEMENTS.keys() == DIALECT.new.keys() == DIALECT.old.keys()
    assert f"{DIALECT.schema}.new_book()" in DIALECT.new["stop_waiting"]
    assert f"{DIALECT.schema}.old_book()" in DIALECT.old["empty_postings"]
    for statements in (STATEMENTS, DIALECT.new, DIALECT.old):
        assert not any("palaver_n" in sql for sql in statements.values())


def test_each_statement_is_used() -> None:
    packages = [files(f"palaver.index.{name}") for name in ("postgres", "stored", "fulltext")]
    sources = [file for package in packages for file in package.iterdir()]
    code = "".join(file.read_text() for file in sources if file.name.endswith(".py"))
    assert {name for name in STATEMENTS if f'"{name}"' not in code} == set()


def test_what_is_shared_has_the_same_names_on_both_engines() -> None:
    packages = [files(f"palaver.index.{name}") for name in ("stored", "fulltext", "meaning")]
    sources = [file for package in packages for file in package.iterdir()]
    code = "".join(file.read_text() for file in sources if file.name.endswith(".py"))
    keys = {"remember_key", "forget_key", "carry_keys"}  # the ledger in PostgreSQL has these
    shared = {name for name in QUERIES if f'sql["{name}"]' in code} - keys
    assert shared <= STATEMENTS.keys()
    assert len(shared) > 30


@pytest.fixture
def connection(database_url: str) -> Iterator[psycopg.Connection]:
    pool = Pool(database_url)
    make_tables(pool, DIALECT)
    pool.close()
    with psycopg.connect(database_url) as opened:
        yield opened


def test_without_saying_whose_rows_a_statement_fails(connection: psycopg.Connection) -> None:
    alone = [name for name in STATEMENTS.keys() - OF_NO_ROWS if "%" not in STATEMENTS[name]]
    assert len(alone) > 15
    for name in alone:
        with pytest.raises(psycopg.errors.Error) as caught, connection.transaction():
            connection.execute(STATEMENTS[name].encode())
        assert caught.value.sqlstate in {"42704", "22P02"}, name
