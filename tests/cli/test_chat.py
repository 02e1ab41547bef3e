"""`palaver chat`: one answer, or a conversation at the terminal."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import pytest

from palaver.app import Palaver
from tests.cli.commandline import CommandLine
from tests.cli.terminal import Terminal

SLOWLY = (sys.executable, "-m", "tests.server.slowly")


def contents(palaver: CommandLine, conversation: str) -> list[str]:
    shown = palaver("conversations", "show", conversation, "--json").json
    return [message["content"] for message in shown["messages"]]


def test_one_message_one_answer(palaver: CommandLine) -> None:
    outcome = palaver("chat", "Hello", "there")
    assert outcome.status == 0
    assert outcome.out.strip()
    (listed,) = palaver("conversations", "list", "--json").json["conversations"]
    said = contents(palaver, listed["id"])
    assert said[0] == "Hello there"
    assert said[1] == outcome.out.rstrip("\n")


def test_it_goes_on_with_the_latest_unless_told_otherwise(palaver: CommandLine) -> None:
    first = palaver("chat", "one", "--json").json
    second = palaver("chat", "two", "--json").json
    assert second["conversationId"] == first["conversationId"]
    assert (first["turnNumber"], second["turnNumber"]) == (1, 2)
    other = palaver("chat", "three", "--new", "--json").json
    assert other["conversationId"] != first["conversationId"]
    back = palaver("chat", "four", "--conversation", first["conversationId"], "--json").json
    assert (back["conversationId"], back["turnNumber"]) == (first["conversationId"], 3)


def test_one_answer_begins_no_digest(palaver: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[bool] = []
    opening = Palaver.open

    def watched(**given: Any) -> Palaver:
        begun.append(given["digests"])
        return opening(**given)

    monkeypatch.setattr(Palaver, "open", watched)
    assert palaver("chat", "Hello").status == 0
    assert begun == [False]


def test_text_may_come_from_a_pipe(palaver: CommandLine) -> None:
    reply = palaver("chat", "--json", stdin="a line\nanother line\n").json
    assert contents(palaver, reply["conversationId"])[0] == "a line\nanother line"


def test_bad_text_is_refused_and_changes_nothing(palaver: CommandLine) -> None:
    assert palaver("chat", stdin=b"\xff\xfe").err.startswith("The text is not UTF-8 at byte 0.")
    assert palaver("chat", stdin="  \n").err.startswith("The message is empty.")
    assert palaver("chat", "a\udcffb").err.startswith("The text holds a lone surrogate.")
    assert palaver("chat", stdin="a\0b").err.startswith("The text holds a NUL character.")
    assert palaver("chat", "x" * (1024 * 1024 + 1)).status == 2
    assert palaver("conversations", "list").out == "There is no conversation.\n"


def test_options_that_do_not_go_together(palaver: CommandLine) -> None:
    outcome = palaver("chat", "hello", "--new", "--conversation", "conv-1")
    assert outcome.status == 2
    assert outcome.err.startswith("--conversation and --new do not go together.")


def test_a_conversation_at_the_terminal(palaver: CommandLine) -> None:
    with Terminal(palaver.home, "chat") as terminal:
        assert "This is a new conversation." in terminal.until("You: ")
        terminal.type("My cat is called Tofu\n")
        assert "Palaver:" in terminal.until("\nYou: ")
        terminal.type("\n")
        terminal.until("You: ")
        terminal.type("What is my cat called?\n")
        assert "Tofu" in terminal.until("\nYou: ")
        terminal.type("\x04")
        assert terminal.end()[0] == 0
    (listed,) = palaver("conversations", "list", "--json").json["conversations"]
    assert listed["turnCount"] == 2
    with Terminal(palaver.home, "chat") as terminal:
        assert "You go on with “New conversation”" in terminal.until("You: ")
        terminal.type("half a")
        terminal.until("half a")  # the line editor is listening now, also for signals
        terminal.interrupt()
        terminal.nudge()
        assert terminal.end()[0] == 130


def test_ctrl_c_stops_a_reply_and_keeps_what_there_is(palaver: CommandLine) -> None:
    palaver.home.mkdir(exist_ok=True)
    notes = {"SLOWLY_NOTES": str(palaver.home), "SLOWLY_HANG": "text"}
    with Terminal(palaver.home, "chat", program=SLOWLY, variables=notes) as terminal:
        terminal.until("You: ")
        terminal.type("Count\n")
        terminal.until("Palaver:")
        noted(palaver.home / "said")
        terminal.interrupt()
        shown = terminal.until("You: ")
        assert shown.index("One,") < shown.index("Stopped.")
        (listed,) = palaver("conversations", "list", "--json").json["conversations"]
        shown = palaver("conversations", "show", listed["id"], "--json").json["messages"]
        assert [(one["content"], one["status"]) for one in shown] == [
            ("Count", "complete"),
            ("One, ", "interrupted"),
        ]
        assert palaver("chat", "Elsewhere", "--conversation", listed["id"]).status == 0
        terminal.type("\x04")
        assert terminal.end()[0] == 0


def noted(note: Path) -> None:
    deadline = time.monotonic() + 20
    while not note.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("word", ["quit", "exit", "/quit", " QUIT "])
def test_a_word_ends_the_conversation_and_is_not_stored(palaver: CommandLine, word: str) -> None:
    with Terminal(palaver.home, "chat") as terminal:
        assert "`quit` or Ctrl-D leaves." in terminal.until("You: ")
        terminal.type(f"{word}\n")
        assert terminal.end()[0] == 0
    assert palaver("conversations", "list").out == "There is no conversation.\n"
    assert palaver("chat", "quit").status == 0
    assert palaver("conversations", "list").out != "There is no conversation.\n"


def test_links_are_shown_as_their_text_and_lines_break_between_words(palaver: CommandLine) -> None:
    first = palaver("chat", "We moved the team lunch to the first Thursday of every month.").out
    assert first.startswith("Noted. No model is connected")
    conversation = palaver("conversations", "list", "--json").json["conversations"][0]["id"]
    palaver("conversations", "rename", conversation, "Team lunch")
    asked = palaver("chat", "--new", "When is the team lunch?").out
    assert ", in Team lunch:\n\n> We moved the team lunch" in asked
    with Terminal(palaver.home, "chat", "--new", "When is the team lunch?") as terminal:
        shown = terminal.end()[1]
    lines = shown.replace("\r", "").splitlines()
    assert max(map(len, lines)) <= 80
    assert set(shown.split()) <= {*asked.split()}
    assert "/c/conv-" not in shown


def test_a_shown_reply_is_plain_too(palaver: CommandLine) -> None:
    palaver("chat", "We moved the team lunch.")
    reply = palaver("chat", "When is the team lunch?", "--json").json
    assert "](/c/" in reply["reply"]["content"]
    assert "](/c/" not in palaver("conversations", "show", reply["conversationId"]).out


def test_json_at_a_terminal_needs_a_message(palaver: CommandLine) -> None:
    with Terminal(palaver.home, "chat", "--json") as terminal:
        status, shown = terminal.end()
    assert status == 2
    assert "--json needs a message." in shown
