"""What is a command, and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.agent.commands import USAGE, Command, help_text, read_command, unknown_text


@pytest.mark.parametrize(
    ("text", "name", "argument"),
    [
        ("/new", "new", ""),
        ("/NEW", "new", ""),
        ("/New  a trip to Rome ", "new", "a trip to Rome"),
        ("/help?", "help", ""),
        ("/help.", "help", ""),
        ("/title\tA\nB", "title", "A\nB"),
        ("/forget yes", "forget", "yes"),
        ("/hlep", "hlep", ""),
        ("/tmp is full", "tmp", "is full"),
    ],
)
def test_a_command_is_a_slash_and_a_word(text: str, name: str, argument: str):
    assert read_command(text) == Command(name, argument)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/",
        "/ new",
        "//",
        "//new",
        " /new",
        "\n/new",
        "/etc/passwd is open",
        "/home/ann",
        "/home/",
        "/usr/bin/python3",
        "/new/",
        "/a.b",
        "/1",
        "/new1",
        "/.",
        "/?",
        "/new-_",
        "/ä",
        "please /help",
        "a/b",
        "/" + "x" * 33,
    ],
)
def test_what_only_looks_like_one_is_a_message(text: str):
    assert read_command(text) is None


@given(st.text())
def test_whatever_does_not_begin_with_a_slash_is_a_message(text: str):
    assert text.startswith("/") or read_command(text) is None


@given(st.text(alphabet=st.characters(blacklist_categories=["Cs"])))
def test_a_path_is_a_message(rest: str):
    assert read_command(f"/home/{rest}") is None


def test_every_command_is_in_the_help():
    assert all(f"`/{name}" in help_text() for name in USAGE)


def test_a_typing_error_is_met_with_what_was_meant():
    assert "Did you mean `/help`?" in unknown_text("hlep")
    assert "Did you mean" not in unknown_text("xyzzy")
    assert help_text() in unknown_text("xyzzy")
