"""`palaver verify` and `palaver rebuild`: each kind of damage is named by its place."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from palaver.cli import verifying
from palaver.ledger.port import Finding
from tests.cli.commandline import CommandLine
from tests.cli.terminal import Terminal


@pytest.fixture
def file(palaver: CommandLine, conversation: str) -> Path:
    """The file of the conversation."""
    return palaver.home / "conversations" / f"{conversation}.jsonl"


def place(file: Path, line: int) -> str:
    """How a line of the file is named."""
    offset = sum(len(part) + 1 for part in file.read_bytes().split(b"\n")[: line - 1])
    return f"conversations/{file.name}:{line} (byte {offset}): "


def test_a_good_home_is_good(palaver: CommandLine, conversation: str) -> None:
    outcome = palaver("verify")
    assert (outcome.status, outcome.out) == (0, "Everything is as it was written.\n")
    assert palaver("verify", "--json").json == {"damage": 0, "findings": []}


def test_an_altered_line_is_named(palaver: CommandLine, file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b"late summer", b"late winter"))
    outcome = palaver("verify")
    assert outcome.status == 1
    assert outcome.out.splitlines()[0].startswith(place(file, 3))
    assert outcome.out.endswith("1 problem found. What can still be read was left as it is.\n")


def test_an_unreadable_line_is_named(palaver: CommandLine, file: Path) -> None:
    lines = file.read_bytes().split(b"\n")
    lines[2] = b"\xff" + lines[2][1:]
    file.write_bytes(b"\n".join(lines))
    found = palaver("verify", "--json")
    assert found.status == 1
    (finding,) = found.json["findings"]
    assert (finding["code"], finding["line"]) == ("unreadable_line", 3)
    assert finding["offset"] == len(lines[0]) + len(lines[1]) + 2


def test_a_torn_tail_is_named_and_not_mended(palaver: CommandLine, file: Path) -> None:
    with file.open("ab") as end:
        end.write(b'{"type":"tu')
    torn = file.read_bytes()
    outcome = palaver("verify")
    assert outcome.status == 1
    assert outcome.out.startswith(place(file, 6))
    assert file.read_bytes() == torn
    assert palaver("conversations", "list").status == 0
    mended = palaver("verify")
    assert mended.status == 0
    assert f"conversations/{file.name}.torn: " in mended.out


def test_what_a_writer_was_in_the_middle_of_is_no_damage(
    palaver: CommandLine, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[:-20])

    def finishing(_path: Path, _source: object) -> list[Finding]:
        file.write_bytes(whole)
        return []

    monkeypatch.setattr(verifying, "examine", finishing)
    assert palaver("verify").status == 0


def test_a_shortened_file_is_named(palaver: CommandLine, file: Path) -> None:
    whole = file.read_bytes()
    end = whole.rindex(b"\n", 0, len(whole) - 1) + 1
    file.write_bytes(whole[:end])
    outcome = palaver("verify")
    assert outcome.status == 1
    assert outcome.out.startswith(f"conversations/{file.name} (byte {end}): ")


def test_a_vanished_file_is_named(palaver: CommandLine, file: Path) -> None:
    file.unlink()
    outcome = palaver("verify")
    assert outcome.status == 1
    assert outcome.out.startswith(f"conversations/{file.name}: The file is gone")


def test_an_empty_file_is_named(palaver: CommandLine, conversation: str) -> None:
    (palaver.home / "conversations" / "conv-empty.jsonl").touch()
    outcome = palaver("verify")
    assert outcome.status == 1
    assert outcome.out.startswith("conversations/conv-empty.jsonl (byte 0): ")


def test_a_damaged_index_is_named_and_left(palaver: CommandLine, conversation: str) -> None:
    index = palaver.home / "conversations" / "conversations.db"
    index.write_bytes(b"not a database, but long enough to be looked at" * 50)
    outcome = palaver("verify")
    assert outcome.status == 1
    assert outcome.out.startswith(
        "conversations/conversations.db: The file of the index is damaged"
    )
    assert index.read_bytes().startswith(b"not a database")


def test_a_missing_index_is_only_noted(palaver: CommandLine, conversation: str) -> None:
    for part in (palaver.home / "conversations").glob("conversations.db*"):
        part.unlink()
    outcome = palaver("verify")
    assert outcome.status == 0
    assert outcome.out.startswith("conversations/conversations.db: There is no index;")
    assert not (palaver.home / "conversations" / "conversations.db").exists()


def test_a_home_that_only_can_be_read_is_verified(palaver: CommandLine, file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b"late summer", b"late winter"))
    (palaver.home / "write.lock").unlink()
    assert palaver("verify").status == 1
    assert not (palaver.home / "write.lock").exists()


def test_no_home_no_verdict(nowhere: CommandLine) -> None:
    outcome = nowhere("verify")
    assert outcome.status == 3
    assert outcome.err.startswith(f"There is no home at {nowhere.home}.")
    assert not nowhere.home.exists()


def test_rebuild_makes_the_index_again(palaver: CommandLine, conversation: str) -> None:
    index = palaver.home / "conversations" / "conversations.db"
    index.write_bytes(os.urandom(20_000))
    assert palaver("rebuild").out == "Everything that was said can be found.\n"
    assert conversation in palaver("search", "figs").out
    assert palaver("rebuild", "--json").json["status"] == "ok"
    assert palaver("verify").status == 0


def test_rebuild_says_what_is_missing(palaver: CommandLine, file: Path) -> None:
    file.unlink()
    outcome = palaver("rebuild")
    assert outcome.status == 1
    assert f"\n  {file.stem}\n" in outcome.out
    assert "Everything" not in outcome.out
    told = palaver("rebuild", "--json")
    assert (told.status, told.json["lost"]) == (1, [file.stem])


def test_rebuild_shows_its_progress_to_a_person(palaver: CommandLine, conversation: str) -> None:
    with Terminal(palaver.home, "rebuild") as terminal:
        status, shown = terminal.end()
    assert status == 0
    assert "Building the index" in shown
    assert palaver("rebuild").err == ""


def test_a_search_waits_for_the_index(palaver: CommandLine, conversation: str) -> None:
    for part in (palaver.home / "conversations").glob("conversations.db*"):
        part.unlink()
    assert conversation in palaver("search", "figs").out


def test_a_person_sees_what_a_search_waits_for(palaver: CommandLine, conversation: str) -> None:
    for part in (palaver.home / "conversations").glob("conversations.db*"):
        part.unlink()
    with (palaver.home / "jobs.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # somebody else is at work
        with Terminal(palaver.home, "search", "figs") as terminal:
            terminal.until("Building the index")
            fcntl.flock(held, fcntl.LOCK_UN)
            status, shown = terminal.end()
    assert status == 0
    assert conversation in shown
