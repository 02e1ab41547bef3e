"""`palaver users`: those who share a server, in files and in a database."""

from __future__ import annotations

from pathlib import Path

import pytest

from palaver.accounts import Accounts
from palaver.engines import open_accounts
from palaver.settings import Settings
from tests.cli.commandline import CommandLine
from tests.cli.terminal import Terminal

PASSWORD = "correct horse"


@pytest.fixture(params=["file", "database"])
def anywhere(
    request: pytest.FixtureRequest, palaver: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> CommandLine:
    """A command line whose users are in the home, or in a database."""
    if request.param == "database":
        monkeypatch.setenv("PALAVER_DATABASE_URL", request.getfixturevalue("database_url"))
    return palaver


def accounts_of(line: CommandLine) -> Accounts:
    return open_accounts(Settings.load(line.home))


def signs_in(line: CommandLine, name: str, password: str) -> bool:
    accounts = accounts_of(line)
    secret = accounts.sign_in_by_password(name, password)
    accounts.close()
    return secret is not None


def test_somebody_is_added_listed_and_removed(anywhere: CommandLine) -> None:
    added = anywhere(
        "users", "add", "Ann", "--password-stdin", "--json", stdin=f"{PASSWORD}\n"
    ).json
    assert (added["name"], added["hasPassword"]) == ("Ann", True)
    assert signs_in(anywhere, "ann", PASSWORD)
    listed = anywhere("users", "list", "--json").json["users"]
    assert listed[1:] == [added]
    assert (listed[0]["id"], listed[0]["hasPassword"]) == ("local", False)
    assert f"{added['id']}  Ann  has a password, added 20" in anywhere("users", "list").out
    removed = anywhere("users", "remove", "ann")
    assert removed.status == 0
    assert "is kept in" in removed.out
    assert added["id"] in removed.out
    assert not signs_in(anywhere, "ann", PASSWORD)
    assert [user["id"] for user in anywhere("users", "list", "--json").json["users"]] == ["local"]


def test_a_name_is_as_good_as_an_id(anywhere: CommandLine) -> None:
    ann = anywhere("users", "add", "ann", "--json").json["id"]
    assert anywhere("tokens", "create", "--user", "Ann", "--json").json["user"] == ann
    assert len(anywhere("tokens", "list", "--user", ann, "--json").json["tokens"]) == 1
    assert anywhere("conversations", "list", "--user", "ann", "--json").json["conversations"] == []
    assert anywhere("chat", "--user", "ann", "The figs are ripe.").status == 0
    (said,) = anywhere("conversations", "list", "--user", ann, "--json").json["conversations"]
    assert said["turnCount"] == 1
    anywhere("users", "remove", "ann")
    assert anywhere("conversations", "list", "--user", "ann").status == 3
    kept = anywhere("conversations", "list", "--user", ann, "--json").json["conversations"]
    assert kept == [said]


def test_without_a_terminal_and_without_a_password_there_are_tokens_only(
    anywhere: CommandLine,
) -> None:
    added = anywhere("users", "add", "ann")
    assert added.status == 0
    assert "There is no password" in added.out
    assert "palaver tokens create --user usr-" in added.out


def test_another_password_is_set(anywhere: CommandLine) -> None:
    anywhere("users", "add", "ann", "--password-stdin", stdin=PASSWORD)
    again = anywhere(
        "users",
        "add",
        "ANN",
        "--password-stdin",
        stdin="another one",
    )
    assert again.status == 3
    assert "There is a user 'ANN' already." in again.err
    assert "`palaver users password ANN`" in again.err
    changed = anywhere("users", "password", "ann", "--password-stdin", stdin="another one\r\n")
    assert "signed out everywhere" in changed.out
    assert signs_in(anywhere, "ann", "another one")
    assert not signs_in(anywhere, "ann", PASSWORD)
    assert anywhere("users", "password", "local", "--password-stdin", stdin=PASSWORD).status == 0
    assert signs_in(anywhere, "local", PASSWORD)


@pytest.mark.parametrize(
    ("arguments", "given", "status", "sentence"),
    [
        (["add", "ann", "--password-stdin"], b"short", 2, "at least 8 characters"),
        (["add", "ann", "--password-stdin"], b"x" * 1001, 2, "at most 1,000 characters"),
        (["add", "ann", "--password-stdin"], b"\xff" * 9, 2, "not UTF-8"),
        (["add", "usr-ann"], b"", 2, "does not begin with usr-"),
        (["add", ""], b"", 2, "1 to 64 characters"),
        (["add", "local"], b"", 3, "There is a user 'local' already."),
        (["password", "nobody", "--password-stdin"], b"correct horse", 3, "There is no user"),
        (["password", "local"], b"", 2, "Nobody is there to type a password"),
        (["remove", "nobody"], b"", 3, "There is no user 'nobody'."),
        (["remove", "local"], b"", 2, "cannot be removed"),
    ],
)
def test_what_cannot_be_done_changes_nothing(
    palaver: CommandLine, arguments: list[str], given: bytes, status: int, sentence: str
) -> None:
    refused = palaver("users", *arguments, stdin=given)
    assert (refused.status, refused.out) == (status, "")
    assert sentence in refused.err
    assert len(palaver("users", "add", "zed", "--json").json) == 4
    assert len(palaver("users", "list", "--json").json["users"]) == 2


def test_without_a_home_there_is_nobody_to_list(nowhere: CommandLine) -> None:
    assert nowhere("users", "list").status == 3
    assert nowhere("tokens", "create", "--user", "ann").status == 3
    assert not nowhere.home.exists()
    assert nowhere("users", "add", "ann").status == 0


def test_at_a_terminal_the_password_is_asked_for_twice_and_not_shown(home: Path) -> None:
    with Terminal(home, "users", "add", "ann") as person:
        person.until("Password: ")
        person.type(f"{PASSWORD}\n")
        person.until("Again: ")
        person.type(f"{PASSWORD}\n")
        status, shown = person.end()
    assert status == 0
    assert "ann is added, as usr-" in shown
    assert PASSWORD not in shown


def test_two_different_passwords_add_nobody(home: Path) -> None:
    with Terminal(home, "users", "add", "ann") as person:
        person.until("Password: ")
        person.type(f"{PASSWORD}\n")
        person.until("Again: ")
        person.type("another one\n")
        status, shown = person.end()
    assert status == 2
    assert "two different passwords" in shown


@pytest.mark.parametrize("typed", ["", f"{PASSWORD}\n"])
def test_whoever_types_no_password_adds_nobody(home: Path, typed: str) -> None:
    with Terminal(home, "users", "add", "ann") as person:
        person.until("Password: ")
        if typed:
            person.type(typed)
            person.until("Again: ")
        person.type("\x04")  # Ctrl-D
        status, shown = person.end()
    assert status == 2
    assert "No password was typed" in shown
