"""`palaver search`: where something was said."""

from __future__ import annotations

import re

import pytest

from tests.cli.commandline import CommandLine
from tests.cli.terminal import Terminal


def test_search_finds_and_shows_where(palaver: CommandLine, conversation: str) -> None:
    heading, snippet = palaver("search", "figs", "ripen").out.splitlines()
    assert heading.startswith("Figs and [bold]trees[/bold]  web  2026-02-14 09:00  turn 1")
    assert heading.endswith(conversation)
    assert snippet == "    When do figs ripen?"


def test_search_as_json(palaver: CommandLine, conversation: str) -> None:
    document = palaver("search", "figs", "--json").json
    (result,) = document["results"]
    assert result["conversationId"] == conversation
    assert 0 < result["score"] <= 1
    assert document["totalMatches"] == 1


def test_search_marks_the_match_on_a_terminal(palaver: CommandLine, conversation: str) -> None:
    with Terminal(palaver.home, "search", "ripen") as terminal:
        shown = terminal.end()[1]
    assert "\x1b[1;33mripen\x1b[0m" in shown


def test_nothing_found_is_no_error(palaver: CommandLine) -> None:
    outcome = palaver("search", "xyzzy")
    assert (outcome.status, outcome.out) == (0, "Nothing was found.\n")


def test_a_query_without_words_is_refused(palaver: CommandLine) -> None:
    outcome = palaver("search", "*")
    assert (outcome.status, outcome.out) == (2, "")


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--day", "2026-02-14"], True),
        (["--day", "2026-02-15"], False),
        (["--from", "2026-02-14", "--to", "2026-02-14"], True),
        (["--from", "2026-02-15"], False),
        (["--channel", "web"], True),
        (["--channel", "email"], False),
    ],
)
def test_search_within(
    palaver: CommandLine, conversation: str, options: list[str], found: bool
) -> None:
    outcome = palaver("search", "figs", *options)
    assert (conversation in outcome.out) is found
    assert outcome.status == 0


def test_a_bad_day_is_named(palaver: CommandLine) -> None:
    outcome = palaver("search", "figs", "--day", "yesterdayish")
    assert outcome.status == 2
    assert outcome.err.startswith("'yesterdayish' is not a day.\n")


def test_scores_are_explained(palaver: CommandLine, conversation: str) -> None:
    lines = palaver("search", "figs", "summer", "--explain").out.splitlines()
    assert re.fullmatch(r"    [\d.e-]+  turn 1", lines[2])
    (result,) = palaver("search", "figs", "summer", "--explain", "--json").json["results"]
    assert [part["turnNumber"] for part in result["rounds"]] == [1]
    assert result["rounds"][0]["score"] == result["score"]
