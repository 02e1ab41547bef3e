"""`palaver copy`: from a home to a database and back, and what it says and refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from palaver.errors import CopyUnfinished
from palaver.ledger.files import FileStore, Home
from palaver.ledger.files.receiving import FileReceiver
from tests.cli.commandline import CommandLine
from tests.cli.terminal import Terminal
from tests.postgres.databases import Databases

SECRET = "s3cret"


@pytest.fixture
def new(palaver: CommandLine, tmp_path: Path) -> CommandLine:
    """A command line on the home that is copied to."""
    return replace(palaver, home=tmp_path / "new")


def files(home: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in home.rglob("*.jsonl")}


def test_there_and_back(
    palaver: CommandLine, new: CommandLine, conversation: str, database_url: str
) -> None:
    palaver("conversations", "delete", palaver.library(lambda p: p.start()).id, "--yes")
    there = palaver("copy", "--to", database_url, "--json")
    size = sum(map(len, files(palaver.home).values()))
    assert there.status == 0
    assert there.json | {"from": "", "to": ""} == {
        "from": "",
        "to": "",
        "user": "local",
        "streams": 2,
        "lines": 7,
        "bytes": size,
        "verified": True,
        "resumed": False,
        "damage": 0,
        "left": [],
    }
    back = new("copy", "--from", database_url, "--to", str(new.home))
    assert (back.status, back.err) == (0, "")
    assert back.out.startswith(f"Copied and checked: 7 lines, {size} bytes.\n")
    assert files(new.home) == files(palaver.home)
    assert new("verify", "--json").json["damage"] == 0
    for form in ("jsonl", "markdown", "html"):
        exported = [line("export", "--format", form).out for line in (palaver, new)]
        assert exported[0] == exported[1] != ""
    assert "fig" in new("search", "figs").out
    again = new("copy", "--from", database_url, "--to", str(new.home), "--json")
    assert again.json["resumed"]


def test_a_home_that_is_used_is_refused(
    palaver: CommandLine, new: CommandLine, conversation: str
) -> None:
    new("chat", "hello")
    before = files(new.home)
    outcome = palaver("copy", "--to", str(new.home))
    assert outcome.status == 3
    assert outcome.err.startswith("The place to copy to holds something else already")
    assert files(new.home) == before
    assert palaver("copy", "--to", str(palaver.home), "--json").json["error"]["code"] == "not_empty"


def test_half_a_copy_is_refused_everywhere(
    palaver: CommandLine, new: CommandLine, conversation: str
) -> None:
    receiver = FileReceiver(FileStore(Home(new.home)))
    Home(new.home).create()
    with receiver.receiving():
        lines = list(FileStore(Home(palaver.home)).lines(conversation))
        receiver.take(lines[:2])
    for command in (("chat", "hello"), ("search", "figs"), ("export",), ("conversations", "list")):
        outcome = new(*command)
        assert outcome.status == 3
        assert outcome.err == f"{CopyUnfinished()}\n{CopyUnfinished.remedy}\n"
    found = new("verify", "--json")
    assert found.status == 1
    damage = [item for item in found.json["findings"] if item["damage"]]
    assert [(item["code"], item["file"]) for item in damage] == [
        ("unfinished_copy", "unfinished-copy")
    ]
    assert "Run the same `palaver copy` again" in new("doctor").out
    refused = new("copy", "--from", str(new.home), "--to", str(new.home.parent / "third"), "--json")
    assert refused.json["error"]["code"] == "copy_unfinished"
    assert palaver("copy", "--to", str(new.home), "--json").json["resumed"]
    assert files(new.home) == files(palaver.home)
    assert new("chat", "hello").status == 0


def test_progress_is_shown_to_a_person(
    palaver: CommandLine, new: CommandLine, conversation: str
) -> None:
    with Terminal(palaver.home, "copy", "--to", str(new.home)) as terminal:
        status, shown = terminal.end()
    assert status == 0
    assert shown.index("Copying") < shown.index("Copied and checked")


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://me:{SECRET}@127.0.0.1:1/none",
        f"postgresql://me:{SECRET}@{SECRET}@127.0.0.1:1/none",
        f"postgresql://me:{SECRET}/@127.0.0.1:1/none",
        f"postgresql://me:{SECRET}?@127.0.0.1:1/none",
        f"postgresql://me:{SECRET}#@127.0.0.1:1/none",
        f"postgresql://127.0.0.1:1/none?password={SECRET}",
        f"postgresql://me:{SECRET}@[::1/none",
        f"postgresql://me@127.0.0.1:{SECRET}/none",
        f"mysql://me:{SECRET}@127.0.0.1/none",
        f"http://{SECRET}",
    ],
)
@pytest.mark.parametrize("option", ["--from", "--to"])
def test_a_password_is_never_shown(
    palaver: CommandLine, new: CommandLine, conversation: str, address: str, option: str
) -> None:
    other = "--from" if option == "--to" else "--to"
    place = palaver.home if other == "--from" else new.home
    for form in ((), ("--json",)):
        outcome = palaver("copy", option, address, other, str(place), *form)
        assert outcome.status in (2, 3)
        assert SECRET not in outcome.out + outcome.err
        assert "database" in outcome.out + outcome.err


def test_an_address_is_told_without_its_password(
    palaver: CommandLine, conversation: str, database_url: str
) -> None:
    """The server of the tests lets everybody in, whatever they say."""
    told = database_url.replace("postgres@", f"postgres:{SECRET}@")
    for form in ((), ("--json",)):
        outcome = palaver("copy", "--to", told, *form)
        assert outcome.status == 0
        assert SECRET not in outcome.out + outcome.err
        assert "postgresql://palaver_tests@" in outcome.out


def test_a_database_without_anything_is_not_set_up_as_a_source(
    palaver: CommandLine, tmp_path: Path, postgres: Databases
) -> None:
    url = postgres.create(empty=True)
    for _ in range(2):
        outcome = palaver("copy", "--from", url, "--to", str(tmp_path / "new"))
        assert outcome.err.startswith("Nothing of Palaver is in that database.")
    postgres.drop(url)


def test_a_source_has_to_be_there(nowhere: CommandLine, tmp_path: Path) -> None:
    outcome = nowhere("copy", "--to", str(tmp_path / "new"))
    assert outcome.err.startswith("There is no home at")
    assert not (tmp_path / "new").exists()


def test_the_database_that_is_set_is_what_is_copied(
    palaver: CommandLine, new: CommandLine, conversation: str, database_url: str
) -> None:
    assert palaver("copy", "--to", database_url).status == 0
    copied = palaver("copy", "--to", str(new.home), "--database-url", database_url, "--json")
    assert copied.json["from"].startswith("postgresql://")


@pytest.mark.parametrize("typo", ["postgresql:/ann:secret@host/db", "postgres:ann:secret@host/db"])
def test_what_looks_like_an_address_makes_no_folder(
    palaver: CommandLine, conversation: str, typo: str
) -> None:
    outcome = palaver("copy", "--to", typo)
    assert outcome.status == 2
    assert "secret" not in outcome.err
