from __future__ import annotations

from datetime import timedelta

import pytest

from palaver.accounts import DEFAULT_SCOPES, SCOPES, Accounts, Principal
from palaver.errors import BadValue, Forbidden, NotFound
from tests.accounts.clock import Clock


def test_a_token_opens_what_its_scopes_say(accounts: Accounts):
    made = accounts.create_token("local", name="laptop", scopes=["read", "chat", "read"])
    assert made.secret.startswith("pal_")
    assert len(made.secret) == len("pal_") + 43
    holder = Principal("local", frozenset({"read", "chat"}), made.token.id)
    assert accounts.token_holder(made.secret) == holder


def test_a_token_gets_every_scope_but_admin_by_default(accounts: Accounts):
    made = accounts.create_token("local")
    assert set(made.token.scopes) == set(SCOPES) - {"admin"} == set(DEFAULT_SCOPES)


def test_the_list_shows_no_secret_and_is_newest_first(accounts: Accounts, clock: Clock):
    first = accounts.create_token("local", name="first")
    clock.move(seconds=1)
    second = accounts.create_token("local", name="second")
    accounts.create_token("somebody")
    assert accounts.tokens("local") == [second.token, first.token]
    assert first.secret not in repr(accounts.tokens("local"))


@pytest.mark.parametrize("secret", ["", "pal_", "pal_" + "A" * 43, "\ud800", "x" * 100_000])
def test_a_wrong_secret_opens_nothing(accounts: Accounts, secret: str):
    accounts.create_token("local")
    assert accounts.token_holder(secret) is None


def test_a_revoked_token_opens_nothing_and_keeps_its_first_time(accounts: Accounts, clock: Clock):
    made = accounts.create_token("local")
    revoked = accounts.revoke_token("local", made.token.id)
    clock.move(days=1)
    assert accounts.token_holder(made.secret) is None
    assert accounts.revoke_token("local", made.token.id) == revoked
    assert revoked.revoked == "2026-02-14T09:00:00.000Z"


def test_a_revoked_token_is_refused_everywhere_at_once(accounts: Accounts, other: Accounts):
    made = accounts.create_token("usr-ann")
    assert other.token_holder(made.secret) == accounts.token_holder(made.secret) is not None
    accounts.revoke_token("usr-ann", made.token.id)
    assert other.token_holder(made.secret) is None


def test_a_token_of_somebody_else_is_not_found(accounts: Accounts):
    made = accounts.create_token("somebody")
    with pytest.raises(NotFound):
        accounts.revoke_token("local", made.token.id)
    assert accounts.token_holder(made.secret) is not None


def test_a_token_ends_at_its_time(accounts: Accounts, clock: Clock):
    made = accounts.create_token("local", expires=clock.now + timedelta(hours=1))
    clock.move(minutes=59)
    assert accounts.token_holder(made.secret) is not None
    clock.move(minutes=1)
    assert accounts.token_holder(made.secret) is None


def test_the_last_use_is_remembered_to_the_minute(accounts: Accounts, clock: Clock):
    made = accounts.create_token("local")
    accounts.token_holder(made.secret)
    clock.move(seconds=59)
    accounts.token_holder(made.secret)
    assert accounts.tokens("local")[0].last_used == "2026-02-14T09:00:00.000Z"
    clock.move(seconds=1)
    accounts.token_holder(made.secret)
    assert accounts.tokens("local")[0].last_used == "2026-02-14T09:01:00.000Z"


def test_a_bad_token_is_not_made(accounts: Accounts, clock: Clock):
    with pytest.raises(BadValue, match="'root' is not a scope"):
        accounts.create_token("local", scopes=["read", "root"])
    with pytest.raises(BadValue, match="at least one scope"):
        accounts.create_token("local", scopes=[])
    with pytest.raises(BadValue, match="ended already"):
        accounts.create_token("local", expires=clock.now)
    with pytest.raises(BadValue, match="longer than 255"):
        accounts.create_token("local", name="x" * 256)
    assert accounts.tokens("local") == []


def test_a_missing_scope_is_named():
    with pytest.raises(Forbidden, match="scope write") as refused:
        Principal("local", frozenset({"read"})).require("write")
    assert "--scope write" in refused.value.remedy
