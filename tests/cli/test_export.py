"""`palaver export`: everything, to one place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from palaver.app import Change, Palaver
from tests.cli.commandline import CommandLine


@pytest.fixture
def conversations(palaver: CommandLine) -> list[str]:
    """Three conversations in the order in which they began; the second one is archived."""

    async def say(library: Palaver) -> list[str]:
        started = [await library.start(title=f"Number {number}") for number in range(3)]
        for one in reversed(started):
            await library.append(one.id, "user", f"This is {one.title}")
        await library.update(started[1].id, Change(archived=True))
        return [one.id for one in started]

    return palaver.library(say)


def test_lines_of_all_conversations_exactly_as_stored(
    palaver: CommandLine, conversations: list[str]
) -> None:
    folder = palaver.home / "conversations"
    stored = "".join((folder / f"{one}.jsonl").read_text() for one in conversations)
    assert palaver("export").out == stored


@pytest.mark.parametrize(
    ("form", "ending"), [("jsonl", ".jsonl"), ("markdown", ".md"), ("html", ".html")]
)
def test_a_folder_with_one_file_each_and_an_index(
    palaver: CommandLine, conversations: list[str], tmp_path: Path, form: str, ending: str
) -> None:
    target = tmp_path / "export"
    done = palaver("export", "--format", form, "--output", str(target))
    assert done.out == f"3 conversations written to {target}\n"
    names = {f"{one}{ending}" for one in conversations} | {f"index{ending}"}
    assert {path.name for path in target.iterdir()} == names
    index = (target / f"index{ending}").read_text()
    assert [index.index(one) for one in conversations] == sorted(map(index.index, conversations))
    assert target.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in target.iterdir()} == {0o600}


def test_the_index_of_lines_is_made_of_lines(
    palaver: CommandLine, conversations: list[str], tmp_path: Path
) -> None:
    palaver("export", "--output", str(tmp_path / "export"))
    rows = (tmp_path / "export" / "index.jsonl").read_text().splitlines()
    entries = [json.loads(row) for row in rows]
    assert [entry["id"] for entry in entries] == conversations
    assert [entry["archived"] for entry in entries] == [False, True, False]


def test_one_file(palaver: CommandLine, conversations: list[str], tmp_path: Path) -> None:
    target = tmp_path / "all.md"
    palaver("export", "--format", "markdown", "--output", str(target))
    assert target.read_text() == palaver("export", "--format", "markdown").out
    assert target.read_text().count("\n# Number") == 2


@pytest.mark.parametrize(
    ("name", "begins"), [("all.md", "# Number 0"), ("all.HTML", "<!doctype"), ("all.jsonl", "{")]
)
def test_the_ending_names_the_format(
    palaver: CommandLine, conversations: list[str], tmp_path: Path, name: str, begins: str
) -> None:
    palaver("export", "--output", str(tmp_path / name))
    assert (tmp_path / name).read_text().startswith(begins)
    palaver("conversations", "export", conversations[0], "--output", str(tmp_path / f"1{name}"))
    assert (tmp_path / f"1{name}").read_text().startswith(begins)


def test_an_ending_of_another_format_is_refused(palaver: CommandLine, tmp_path: Path) -> None:
    outcome = palaver("export", "--format", "jsonl", "--output", str(tmp_path / "all.md"))
    assert outcome.status == 2
    assert outcome.err.startswith(".md is the ending of markdown, not of jsonl.\n")
    assert not (tmp_path / "all.md").exists()


def test_an_index_says_how_conversations_begin(
    palaver: CommandLine, conversations: list[str], tmp_path: Path
) -> None:
    palaver("chat", "--new", "Where is the lunch?")
    for form, ending in (("markdown", "md"), ("html", "html"), ("jsonl", "jsonl")):
        target = tmp_path / form
        palaver("export", "--format", form, "--output", str(target))
        assert "Where is the lunch?" in (target / f"index.{ending}").read_text()


def test_nothing_is_written_over(
    palaver: CommandLine, conversations: list[str], tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "index.md").write_text("precious")
    (tmp_path / "all.md").write_text("precious")
    for target in ("mine", "all.md"):
        outcome = palaver("export", "--output", str(tmp_path / target))
        assert outcome.status == 3
        assert outcome.err.startswith(f"{tmp_path / target} is there already.\n")
    (tmp_path / "empty").mkdir()
    assert palaver("export", "--output", str(tmp_path / "empty")).status == 0


def test_a_place_that_is_not_there(
    palaver: CommandLine, conversations: list[str], tmp_path: Path
) -> None:
    target = tmp_path / "nowhere" / "export"
    outcome = palaver("export", "--output", str(target))
    assert (outcome.status, outcome.out) == (3, "")
    assert outcome.err.startswith(f"{target} cannot be written: no such file or directory.\n")


def test_a_failed_export_leaves_nothing(
    palaver: CommandLine, conversations: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> object:
        raise OSError(28, "No space left on device")

    (tmp_path / "place").mkdir()
    monkeypatch.setattr("palaver.portability.folder.open_private", full)
    target = tmp_path / "place" / "export"
    outcome = palaver("export", "--output", str(target))
    assert outcome.status == 3
    assert outcome.err.startswith(f"The disk is full, so {target} was not written.\n")
    assert list((tmp_path / "place").iterdir()) == []


def test_an_export_is_not_one_json_document(palaver: CommandLine) -> None:
    outcome = palaver("export", "--json")
    assert (outcome.status, outcome.json["error"]["code"]) == (2, "bad_input")
