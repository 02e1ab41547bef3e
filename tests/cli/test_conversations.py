"""`palaver conversations`: what is listed, shown, changed, deleted and taken out."""

from __future__ import annotations

from pathlib import Path

import pytest

from palaver.app import Palaver
from palaver.ledger.lines import event
from tests.cli.commandline import CommandLine
from tests.cli.terminal import Terminal

NOBODY = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
ERASED = (
    "Erased for good: the conversation, its title and its 4 messages; "
    "its entries in the search index, by word and by meaning."
)
HOSTILE = "\x1b[2J\x1b]0;owned\x07 \u202etxt.exe \x9b31m [red]markup[/red]"


def test_an_empty_home_says_so(palaver: CommandLine) -> None:
    assert palaver("conversations", "list").out == "There is no conversation.\n"
    assert (
        palaver("conversations", "list", "--archived").out == "There is no archived conversation.\n"
    )
    assert palaver("conversations", "list", "--json").json == {
        "conversations": [],
        "nextCursor": None,
    }


def test_list(palaver: CommandLine, conversation: str) -> None:
    (line,) = palaver("conversations", "list").out.splitlines()
    assert line.startswith(f"{conversation}  2026-02-14 09:00  web    2 turns  ")
    assert line.endswith("Figs and [bold]trees[/bold]")
    (listed,) = palaver("conversations", "list", "--json").json["conversations"]
    assert (listed["id"], listed["turnCount"]) == (conversation, 2)
    assert palaver("conversations", "list", "--channel", "email").out.startswith("There is no")


def test_a_long_list_goes_on_at_its_cursor(palaver: CommandLine) -> None:
    async def three(library: Palaver) -> None:
        for number in range(3):
            await library.start(title=f"Number {number}")

    palaver.library(three)
    first = palaver("conversations", "list", "--limit", "2").out.splitlines()
    assert len(first) == 3
    cursor = first[-1].removeprefix("There are more: --cursor ")
    (last,) = palaver("conversations", "list", "--cursor", cursor).out.splitlines()
    assert last.endswith("Number 0")
    assert palaver("conversations", "list", "--cursor", "nonsense").status == 2


def test_show(palaver: CommandLine, conversation: str) -> None:
    shown = palaver("conversations", "show", conversation).out
    assert shown.startswith("Figs and [bold]trees[/bold]\n")
    assert "\nYou  2026-02-14 09:00  msg-" in shown
    assert "\nWhen do figs ripen?\n" in shown
    assert "\nAssistant  2026-02-14" in shown
    document = palaver("conversations", "show", conversation, "--json").json
    assert [message["content"] for message in document["messages"]][:2] == [
        "When do figs ripen?",
        "In late summer.",
    ]
    assert (document["conversation"]["id"], document["hasMore"]) == (conversation, False)


def test_show_tells_what_it_is_about(palaver: CommandLine, conversation: str) -> None:
    async def abbreviate(library: Palaver) -> None:
        said = (await library.messages(conversation)).messages
        sources = [{"messageId": one.id, "turn": one.turn_number, "point": 0} for one in said]
        text = "- Figs ripen in late summer.\n- No more is known."
        draft = event(
            conversation, "abbreviation", text=text, through=2, by="offline", sources=sources
        )
        await library._ledger.append([draft])  # pyright: ignore[reportPrivateUsage]

    palaver.library(abbreviate)
    shown = palaver("conversations", "show", conversation).out
    points = "- Figs ripen in late summer.  (turn 1, 2)\n- No more is known."
    assert f"\nNotes:\n{points}\n\nYou  " in shown
    digest = palaver("conversations", "show", conversation, "--json").json["digest"]
    assert len(digest["abbreviation"]["points"]) == 2


def test_show_a_part(palaver: CommandLine, conversation: str) -> None:
    last = palaver("conversations", "show", conversation, "--limit", "1").out
    assert "Gladly." in last
    assert "Thanks" not in last
    assert "There are earlier messages: --before msg-" in last
    message = last.partition("--before ")[2].split()[0]
    earlier = palaver("conversations", "show", conversation, "--before", message).out
    assert "Thanks" in earlier
    assert "Gladly." not in earlier


@pytest.mark.parametrize("command", ["show", "rename", "archive", "unarchive", "delete", "export"])
def test_what_is_not_there(palaver: CommandLine, command: str) -> None:
    more = ["Title"] if command == "rename" else ["--yes"] if command == "delete" else []
    absent = palaver("conversations", command, NOBODY, *more)
    assert (absent.status, absent.out) == (3, "")
    assert absent.err.startswith("There is no conversation")
    malformed = palaver("conversations", command, "../x", *more)
    assert (malformed.status, malformed.out) == (2, "")
    assert malformed.err.startswith("'../x' is not the id of a conversation.")


def test_rename(palaver: CommandLine, conversation: str) -> None:
    renamed = palaver("conversations", "rename", conversation, "Summer", "fruit")
    assert (renamed.status, renamed.out) == (0, "It is now called Summer fruit.\n")
    document = palaver("conversations", "rename", conversation, "Figs", "--json").json
    assert (document["title"], document["manuallyNamed"]) == ("Figs", True)


def test_archive_and_back(palaver: CommandLine, conversation: str) -> None:
    assert palaver("conversations", "archive", conversation).out == "It is archived.\n"
    assert palaver("conversations", "list").out == "There is no conversation.\n"
    assert conversation in palaver("conversations", "list", "--archived").out
    assert palaver("conversations", "unarchive", conversation).status == 0
    assert conversation in palaver("conversations", "list").out


def test_delete_needs_a_yes_from_scripts(palaver: CommandLine, conversation: str) -> None:
    refused = palaver("conversations", "delete", conversation)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith(
        "Nobody is there to confirm this, so nothing was done.\nAdd --yes"
    )
    preview = palaver("conversations", "delete", conversation, "--preview", "--json").json
    assert (preview["preview"], preview["messages"]) == (True, 4)
    assert palaver("conversations", "show", conversation).status == 0


def test_delete_says_what_went(palaver: CommandLine, conversation: str) -> None:
    deleted = palaver("conversations", "delete", conversation, "--yes", "--json").json
    assert (deleted["preview"], deleted["messages"]) == (False, 4)
    assert palaver("conversations", "show", conversation).status == 3
    words = [path for path in palaver.home.rglob("*") if path.is_file()]
    assert all(b"ripen" not in path.read_bytes() for path in words)


def test_a_person_is_asked_before_a_deletion(palaver: CommandLine, conversation: str) -> None:
    with Terminal(palaver.home, "conversations", "delete", conversation) as terminal:
        asked = terminal.until("Delete it for good? [y/N] ")
        assert "“Figs and [bold]trees[/bold]” would go for good:" in asked
        assert "4 messages" in asked
        terminal.type("\n")
        status, shown = terminal.end()
    assert (status, shown.split()) == (3, ["Nothing", "was", "deleted."])
    with Terminal(palaver.home, "conversations", "delete", conversation) as terminal:
        terminal.until("[y/N] ")
        terminal.type("y\n")
        status, shown = terminal.end()
    assert (status, shown.splitlines()[1:]) == (0, ["Deleted.", ERASED])
    assert palaver("conversations", "show", conversation).status == 3


def test_a_preview_names_the_conversation(palaver: CommandLine, conversation: str) -> None:
    unnamed = palaver("chat", "Where is the lunch?", "--new", "--json").json["conversationId"]
    shown = palaver("conversations", "delete", unnamed, "--preview").out
    assert shown.startswith(
        "New conversation, which begins “Where is the lunch?”, would go for good:\nThe conversation"
    )
    assert palaver("conversations", "delete", conversation, "--yes").out == f"Deleted.\n{ERASED}\n"


def test_text_cannot_drive_the_terminal(palaver: CommandLine) -> None:
    async def say(library: Palaver) -> str:
        started = await library.start(title=HOSTILE)
        await library.append(started.id, "user", HOSTILE)
        return started.id

    identity = palaver.library(say)
    safe = "\\x1b[2J\\x1b]0;owned\\x07 \\u202etxt.exe \\x9b31m [red]markup[/red]"
    for arguments in (["list"], ["show", identity]):
        assert safe in palaver("conversations", *arguments).out
        with Terminal(palaver.home, "conversations", *arguments) as terminal:
            assert safe in terminal.end()[1]
    document = palaver("conversations", "show", identity, "--json")
    assert "\u202e" not in document.out
    assert document.json["messages"][0]["content"] == HOSTILE


def test_export_gives_the_exact_lines(palaver: CommandLine, conversation: str) -> None:
    stored = (palaver.home / "conversations" / f"{conversation}.jsonl").read_text()
    assert palaver("conversations", "export", conversation).out == stored


@pytest.mark.parametrize(
    ("form", "mark"), [("markdown", "# Figs and"), ("html", "<!doctype html>")]
)
def test_export_to_a_file(
    palaver: CommandLine, conversation: str, tmp_path: Path, form: str, mark: str
) -> None:
    target = tmp_path / "out"
    wanted = ["conversations", "export", conversation, "--format", form]
    done = palaver(*wanted, "--output", str(target), "--json")
    assert done.json == {"output": str(target), "conversations": 1}
    assert target.read_text().startswith(mark)
    assert target.stat().st_mode & 0o777 == 0o600
    again = palaver(*wanted, "--output", str(target))
    assert (again.status, again.err.splitlines()[0]) == (3, f"{target} is there already.")
    assert palaver(*wanted).out == target.read_text()
