"""`palaver tokens`: credentials for programs."""

from __future__ import annotations

import re

import pytest

from palaver.accounts import DEFAULT_SCOPES, Accounts
from tests.cli.commandline import CommandLine


def test_a_token_opens_what_it_says(palaver: CommandLine) -> None:
    made = palaver("tokens", "create", "--scope", "read", "--scope", "chat", "--json").json
    assert made["scopes"] == ["read", "chat"]
    accounts = Accounts.in_file(palaver.home / "accounts.db")
    holder = accounts.token_holder(made["token"])
    accounts.close()
    assert holder is not None
    assert (holder.user, holder.scopes) == ("local", {"read", "chat"})


def test_a_token_has_every_scope_but_admin(palaver: CommandLine) -> None:
    assert palaver("tokens", "create", "--json").json["scopes"] == list(DEFAULT_SCOPES)


def test_list_and_revoke(palaver: CommandLine) -> None:
    assert palaver("tokens", "list").out == "There is no token.\n"
    secret = palaver("tokens", "create", "--name", "my script").out.strip()
    (listed,) = palaver("tokens", "list", "--json").json["tokens"]
    assert (listed["name"], listed["lastUsed"], "token" in listed) == ("my script", None, False)
    first, times, scopes = palaver("tokens", "list").out.splitlines()
    assert first == f"{listed['id']}  valid    my script"
    assert re.fullmatch(r"    created [\d-]+ [\d:]+, never used, never ends", times)
    assert scopes.startswith("    may: ")
    assert palaver("tokens", "revoke", listed["id"]).out == "It is revoked.\n"
    assert "  revoked  " in palaver("tokens", "list").out
    assert ", revoked 20" in palaver("tokens", "list").out
    accounts = Accounts.in_file(palaver.home / "accounts.db")
    assert accounts.token_holder(secret) is None
    accounts.close()


def test_a_list_says_when_it_was_used_and_when_it_ends(palaver: CommandLine) -> None:
    secret = palaver("tokens", "create", "--expires", "2999-01-02").out.strip()
    accounts = Accounts.in_file(palaver.home / "accounts.db")
    accounts.token_holder(secret)
    accounts.close()
    shown = palaver("tokens", "list").out
    assert "(no name)" in shown
    assert ", last used 20" in shown
    assert ", ends 2999-01-02 00:00\n" in shown


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["create", "--scope", "everything"], 2, "'everything' is not a scope."),
        (["create", "--expires", "2020-01-01"], 2, "The token would have ended already."),
        (["create", "--expires", "soon"], 2, "'soon' is not a point in time."),
        (["create", "--user", "nobody"], 3, "There is no user 'nobody'."),
        (["revoke", "tok-1"], 3, "There is no token with that id."),
    ],
)
def test_refusals(palaver: CommandLine, arguments: list[str], status: int, sentence: str) -> None:
    outcome = palaver("tokens", *arguments)
    assert (outcome.status, outcome.out) == (status, "")
    assert outcome.err.startswith(sentence)
