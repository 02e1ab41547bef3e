"""The accounts of a database: what only holds there."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

import psycopg
import pytest

from palaver.accounts import Accounts
from palaver.accounts.postgres import PostgresRows
from palaver.errors import SignInRequired
from palaver.postgres import Pool
from palaver.sql import statements
from tests.accounts.clock import Clock
from tests.postgres.databases import looking


@pytest.fixture
def accounts(database_url: str, clock: Clock) -> Iterator[Accounts]:
    accounts = Accounts(PostgresRows(Pool(database_url, lock_seconds=0.2)), clock)
    yield accounts
    accounts.close()


def test_both_engines_know_the_same_statements() -> None:
    file, database = (statements("palaver.accounts", f"{n}.sql") for n in ("queries", "postgres"))
    of_the_file = {"version", "begin_writing", "commit", "rollback"}
    assert set(file) - of_the_file == set(database) - {"add_user"}


def test_no_secret_is_in_the_database(accounts: Accounts, database_url: str) -> None:
    secrets = [accounts.create_token("local").secret, accounts.sign_in("local")]
    secrets.append(accounts.create_link("local"))
    accounts.add_user("ann", "correct horse")
    secrets.append("correct horse")
    with psycopg.connect(looking(database_url)) as connection:
        rows = connection.execute("SELECT t::text FROM palaver.tokens AS t").fetchall()
        rows += connection.execute("SELECT s::text FROM palaver.sign_ins AS s").fetchall()
        rows += connection.execute("SELECT l::text FROM palaver.links AS l").fetchall()
        rows += connection.execute("SELECT p::text FROM palaver.people AS p").fetchall()
    assert len(rows) == 4
    kept = "".join(text + text.encode().hex() for (text,) in rows)
    assert [secret for secret in secrets if secret in kept or secret.encode().hex() in kept] == []


def test_a_token_opens_while_somebody_else_writes_to_it(
    accounts: Accounts, database_url: str
) -> None:
    made = accounts.create_token("local")
    with psycopg.connect(looking(database_url)) as holder:
        holder.execute("SELECT FROM palaver.tokens FOR UPDATE")
        assert accounts.token_holder(made.secret) is not None
        assert accounts.tokens("local")[0].last_used is None
    accounts.token_holder(made.secret)
    assert accounts.tokens("local")[0].last_used is not None


def test_several_may_make_the_first_token_of_a_user_at_once(accounts: Accounts) -> None:
    with ThreadPoolExecutor(8) as together:
        made = list(together.map(accounts.create_token, ["usr-new"] * 8))
    assert len({one.token.id for one in made}) == len(accounts.tokens("usr-new")) == 8


def test_who_ends_one_thing_waits_for_nobody_who_ends_another(
    accounts: Accounts, database_url: str
) -> None:
    """Otherwise two of them, each with what the other needs next, would wait for one another."""
    made, before = accounts.create_token("local"), accounts.version()
    accounts.sign_in("local")
    with psycopg.connect(looking(database_url)) as slow:
        slow.execute("DELETE FROM palaver.sign_ins")
        accounts.revoke_token("local", made.token.id)
        assert accounts.version() == before + 1
        slow.execute("DELETE FROM palaver.tokens")
    assert accounts.version() == before + 3


def test_a_token_that_is_being_made_while_its_user_is_removed_opens_nothing(
    database_url: str, clock: Clock
) -> None:
    """Whoever removes a user waits for those who are making something for them."""
    accounts = Accounts(PostgresRows(Pool(database_url)), clock)
    ann = accounts.add_user("ann")
    values = {"id": "tok-1", "digest": b"1", "name": "", "user": ann.id, "scopes": "read"}
    with psycopg.connect(looking(database_url)) as maker, ThreadPoolExecutor(1) as another:
        add_token = statements("palaver.accounts", "postgres.sql")["add_token"].encode()
        maker.execute(add_token, {**values, "created": "now", "expires": None})
        removing = another.submit(accounts.remove_user, "ann")
        _until_somebody_waits(database_url, removing)
        maker.commit()
        removing.result(20)
    assert accounts.tokens(ann.id) == []
    accounts.close()


def test_a_user_who_is_being_removed_gets_no_token(database_url: str, clock: Clock) -> None:
    """Whoever makes one waits for those who are removing its user."""
    accounts = Accounts(PostgresRows(Pool(database_url)), clock)
    ann = accounts.add_user("ann")
    with psycopg.connect(looking(database_url)) as remover, ThreadPoolExecutor(1) as another:
        remover.execute("UPDATE palaver.users SET removed = 'now' WHERE name = %s", (ann.id,))
        making = another.submit(accounts.create_token, ann.id)
        _until_somebody_waits(database_url, making)
        remover.commit()
        with pytest.raises(SignInRequired):
            making.result(20)
    assert accounts.tokens(ann.id) == []
    accounts.close()


def _until_somebody_waits(url: str, work: Future[Any]) -> None:
    """Or until it is done, which would be wrong."""
    waits = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = %s"
    with psycopg.connect(url, autocommit=True) as watcher:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and not work.done():
            if watcher.execute(waits, (watcher.info.dbname,)).fetchall():
                return
            wait([work], 0.02)
