"""The command line on a database: the same commands, chosen by one variable."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from palaver.app import Palaver
from tests.cli.commandline import CommandLine
from tests.postgres.databases import Databases, looking, ours


@pytest.fixture
def on_database(
    palaver: CommandLine, database_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> CommandLine:
    """A command line whose home is not there, and never comes to be there."""
    monkeypatch.setenv("PALAVER_DATABASE_URL", database_url)
    return replace(palaver, home=tmp_path / "nowhere")


def run(url: str, statement: str) -> None:
    with psycopg.connect(looking(url), autocommit=True) as connection:
        connection.execute(statement.encode())


def test_what_is_said_is_found_shown_exported_and_verified(
    on_database: CommandLine, tmp_path: Path
) -> None:
    said = on_database("chat", "The xylophone is blue.", "--json").json
    identity = said["conversationId"]
    (listed,) = on_database("conversations", "list", "--json").json["conversations"]
    assert listed["id"] == identity
    (found,) = on_database("search", "xylophone", "--json").json["results"]
    assert found["conversationId"] == identity
    assert "The xylophone is blue." in on_database("conversations", "show", identity).out
    assert on_database("rebuild").status == 0
    exported = on_database("export", "--output", str(tmp_path / "all.jsonl"))
    assert exported.status == 0
    assert (tmp_path / "all.jsonl").read_text().count("\n") == 3
    assert on_database("verify", "--json").json["damage"] == 0
    assert on_database("conversations", "delete", identity, "--yes").status == 0
    assert on_database("search", "xylophone", "--json").json["results"] == []
    assert not on_database.home.exists()


def test_deleting_says_what_the_database_keeps(on_database: CommandLine) -> None:
    on_database("chat", "The xylophone is blue.")
    (conversation,) = on_database("conversations", "list", "--json").json["conversations"]
    for option in ("--preview", "--yes"):
        out = on_database("conversations", "delete", conversation["id"], option).out
        assert "until it vacuums them" in out
        assert "in its write-ahead log and in its backups" in out


def test_damage_is_found(on_database: CommandLine, database_url: str) -> None:
    on_database("chat", "The xylophone is blue.")
    run(database_url, "UPDATE palaver.lines SET line = replace(line, 'blue', 'red') WHERE seq = 1")
    outcome = on_database("verify", "--json")
    assert outcome.status == 1
    assert outcome.json["damage"] > 0


def test_an_option_names_the_database_too(
    palaver: CommandLine, database_url: str, on_database: CommandLine
) -> None:
    on_database("chat", "The xylophone is blue.")
    palaver.monkeypatch.delenv("PALAVER_DATABASE_URL")
    (found,) = palaver("search", "xylophone", "--json", "--database-url", database_url).json[
        "results"
    ]
    assert "xylophone" in found["snippet"]
    assert palaver("search", "xylophone", "--json").json["results"] == []


def test_users_come_with_their_first_token(on_database: CommandLine) -> None:
    refused = on_database("search", "x", "--user", "usr-ann")
    assert (refused.status, refused.out) == (3, "")
    assert refused.err.startswith("The database has no user usr-ann.\n")
    assert "palaver users add NAME" in refused.err
    assert on_database("tokens", "list", "--user", "usr-ann").status == 3
    made = on_database("tokens", "create", "--user", "usr-ann", "--json").json
    assert made["user"] == "usr-ann"
    assert on_database("search", "x", "--user", "usr-ann").status == 0
    (listed,) = on_database("tokens", "list", "--user", "usr-ann", "--json").json["tokens"]
    assert on_database("tokens", "revoke", listed["id"], "--user", "usr-ann").status == 0
    assert "  revoked  " in on_database("tokens", "list", "--user", "usr-ann").out
    assert on_database("tokens", "create", "--user", "ann").status == 3
    assert not on_database.home.exists()


def test_nobody_sees_what_another_user_said(on_database: CommandLine) -> None:
    on_database("chat", "The xylophone is blue.")
    on_database("tokens", "create", "--user", "usr-ann")
    for command in (["search", "xylophone"], ["conversations", "list"], ["export"]):
        assert "xylophone" not in on_database(*command, "--user", "usr-ann").out


@pytest.mark.parametrize(
    "command",
    [["search", "x"], ["chat", "x"], ["verify"], ["tokens", "create"], ["serve", "--port", "0"]],
    ids=lambda command: command[0],
)
@pytest.mark.parametrize("host", ["127.0.0.1:1", "%2Fnowhere"])
def test_a_database_that_is_not_there(
    palaver: CommandLine, monkeypatch: pytest.MonkeyPatch, command: list[str], host: str
) -> None:
    monkeypatch.setenv("PALAVER_DATABASE_URL", f"postgresql://me:hidden@{host}/db")
    outcome = palaver(*command)
    assert (outcome.status, outcome.out) == (3, "")
    assert outcome.err.startswith("The database cannot be used: ")
    assert "Check PALAVER_DATABASE_URL" in outcome.err
    assert "hidden" not in outcome.err
    assert "hidden" not in palaver("search", "x", "--json").out


def test_somebody_whom_the_server_does_not_let_in(
    postgres: Databases, palaver: CommandLine, database_url: str
) -> None:
    ours(postgres)  # another server would say something else
    parts = urlsplit(database_url)
    stranger = parts._replace(netloc="stranger:hidden@").geturl()
    outcome = palaver("search", "x", "--database-url", stranger)
    assert outcome.status == 3
    assert 'role "stranger" does not exist' in outcome.err
    assert "hidden" not in outcome.err


def test_an_older_server_is_refused(
    on_database: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palaver.postgres.pool._OLDEST_SERVER", 10_000_000)
    outcome = on_database("search", "x")
    assert outcome.status == 3
    assert outcome.err.startswith("The database is older than PostgreSQL 15.\n")


def test_a_newer_database_is_left_alone(on_database: CommandLine, database_url: str) -> None:
    run(database_url, "INSERT INTO palaver.migrations (number, name) VALUES (9999, 'later')")
    outcome = on_database("chat", "x")
    assert outcome.status == 3
    assert outcome.err.startswith("The database was set up by a newer Palaver.\nUpgrade Palaver")
    found = {check["name"]: check for check in on_database("doctor", "--json").json["checks"]}
    assert found["tables"]["status"] == "fail"


def test_doctor_looks_and_changes_nothing(
    postgres: Databases, on_database: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.create(empty=True)
    monkeypatch.setenv("PALAVER_DATABASE_URL", url)
    for _ in range(2):
        found = {check["name"]: check for check in on_database("doctor", "--json").json["checks"]}
        assert list(found) == [
            *("Python", "model", "agent", "digests", "database", "role", "pgvector", "tables")
        ]
        assert found["database"]["message"].startswith("PostgreSQL ")
        assert found["role"]["status"] == "warn"  # it is a superuser
        assert found["tables"]["message"] == "There are none yet."
    on_database("chat", "x")
    assert "ok    tables: They are up to date. Users: 1.\n" in on_database("doctor").out
    run(url, "DELETE FROM palaver.migrations WHERE number > 1")
    assert "warn  tables: They are those of an earlier" in on_database("doctor").out
    postgres.drop(url)


def test_doctor_says_that_the_wall_stands(postgres: Databases, on_database: CommandLine) -> None:
    ours(postgres)  # of another server we do not know the role
    found = {check["name"]: check for check in on_database("doctor", "--json").json["checks"]}
    assert found["role"]["status"] == "ok"


def test_vectors_are_counted(
    on_database: CommandLine, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert on_database("model", "status", "--json").json["vectors"] == 0
    on_database.library(said)
    told = on_database("model", "status", "--json").json
    assert (told["vectors"], told["waiting"]) == (1, 0)
    run(database_url, "DELETE FROM palaver.vectors")
    told = on_database("model", "status", "--json").json
    assert (told["vectors"], told["waiting"]) == (0, 1)
    assert on_database("model", "status", "--user", "usr-ann", "--json").json["vectors"] == 0
    monkeypatch.setenv("PALAVER_DATABASE_URL", "postgresql://127.0.0.1:1/db")
    assert on_database("model", "status", "--json").json["vectors"] is None


async def said(palaver: Palaver) -> None:
    await palaver.send("The xylophone is blue.")
    await palaver.settle()


def test_doctor_says_why_a_database_cannot_be_used(palaver: CommandLine) -> None:
    outcome = palaver("doctor", "--database-url", "postgresql://me:hidden@127.0.0.1:1/db")
    assert outcome.status == 1
    assert "fail  database: The database cannot be used: " in outcome.out
    assert "hidden" not in outcome.out
