"""`palaver search`: where something was said."""

from __future__ import annotations

import asyncio
import re
from zoneinfo import ZoneInfo

import pytest

from palaver.app import Palaver
from palaver.cli import search
from palaver.cli.showing import spoken_window
from palaver.embedding import weights
from palaver.recall.window import TimeWindow
from tests.cli.commandline import CommandLine
from tests.cli.terminal import Terminal
from tests.server.exchange import exchanged


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


@pytest.mark.parametrize("kind", ["conversation", "message"])
def test_scores_are_explained(palaver: CommandLine, conversation: str, kind: str) -> None:
    query = ("search", "figs", "summer", "--kind", kind, "--explain")
    explained = palaver(*query).out.splitlines()[2]
    assert re.fullmatch(r"    [\d.]+ = words [\d.]+ \+ own words [\d.]+ .*", explained)
    (result,) = palaver(*query, "--json").json["results"]
    assert (result["kind"], result["conversationId"]) == (kind, conversation)
    assert sum(result["explanation"].values()) == pytest.approx(result["score"])
    assert f"{result['score']:.4f} =" in explained


def test_what_outsiders_wrote_is_found_when_it_is_asked_for(palaver: CommandLine) -> None:
    made = palaver.library(lambda home: exchanged(home, "\x1b[1m a quokka to rent"))
    assert palaver("search", "quokka").out == "Nothing was found.\n"
    shown = palaver("search", "quokka", "--kind", "external").out
    assert "words of \\x1b[1m a quokka to rent (not trusted)" in shown
    assert "the assistant's words" in shown
    assert shown.count(made.id) == 2
    (first, second) = palaver("search", "quokka", "--kind", "external", "--json").json["results"]
    assert {first["external"]["by"], second["external"]["by"]} == {"outsider", "assistant"}


def test_the_time_in_a_query_is_told(palaver: CommandLine, conversation: str) -> None:
    outcome = palaver("search", "figs", "in", "February", "2026")
    assert conversation in outcome.out
    assert outcome.err == (
        "Searched in February 2026: use --ignore-time-phrases to search all time.\n"
    )
    for options in (["--ignore-time-phrases"], ["--from", "2026-02-01"], ["--json"]):
        outcome = palaver("search", "figs", "in", "February", "2026", *options)
        assert (conversation in outcome.out, outcome.err) == (True, "")


@pytest.mark.parametrize(
    ("from_", "to", "spoken"),
    [
        ("2026-02-28T23:00", "2026-03-31T22:00", "in March 2026"),
        ("2025-12-31T23:00", "2026-12-31T23:00", "in 2026"),
        ("2026-02-13T23:00", "2026-02-14T23:00", "on 2026-02-14"),
        ("2026-02-13T23:00", "2026-02-16T23:00", "from 2026-02-14 to 2026-02-16"),
        ("2026-02-14T13:00", "2026-02-14T15:00", "from 2026-02-14 14:00 to 2026-02-14 16:00"),
        ("2026-02-14T13:00", None, "since 2026-02-14 14:00"),
        (None, "2026-02-14T13:00", "before 2026-02-14 14:00"),
    ],
)
def test_a_window_as_people_say_it(from_: str | None, to: str | None, spoken: str) -> None:
    window = TimeWindow(from_=from_ and f"{from_}:00.000Z", to=to and f"{to}:00.000Z")
    assert spoken_window(window, ZoneInfo("Europe/Berlin")) == spoken


def test_without_a_model_words_are_found_and_that_is_said(
    palaver: CommandLine, conversation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights, "PACKAGE", "no-such-package")
    outcome = palaver("search", "figs")
    assert (conversation in outcome.out, outcome.status) == (True, 0)
    assert outcome.err.startswith("Only words are found, not meaning. ")
    assert "palaver model install" in outcome.err
    assert palaver("search", "figs", "--json").json["totalMatches"] == 1


def test_a_search_does_not_wait_for_long(
    palaver: CommandLine, conversation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(_: Palaver) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(Palaver, "settle", never)
    monkeypatch.setattr(search, "_UNNOTICED", 0.0)
    monkeypatch.setattr(search, "_PATIENCE", 0.0)
    outcome = palaver("search", "figs")
    assert (conversation in outcome.out, outcome.status) == (True, 0)
    assert outcome.err.startswith("The meaning of some of it is not read yet")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["*"], "There is no word in that search."),
        ([""], "There is no word in that search."),
        (["figs", "--from", "2026-02-02", "--to", "2026-02-01"], "ends before it begins"),
        (["figs", "--day", "yesterdayish"], "is not a day"),
        (["figs", "--limit", "0"], "--limit"),
        (["figs", "--limit", "10000"], "--limit"),
        (["figs", "--recency-days", "-1"], "--recency-days"),
        (["figs", "--recency-days", "1000000"], "1000000 days back cannot be searched."),
        (["figs", "--kind", "thread"], "--kind"),
        (["figs", "--channel", "../x"], "is not a channel"),
    ],
)
def test_bad_searches_are_refused_before_a_home_is_opened(
    nowhere: CommandLine, arguments: list[str], says: str
) -> None:
    outcome = nowhere("search", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert says in outcome.err


@pytest.mark.parametrize("query", ["NEAR(figs", "col:figs", '"figs', "figs*", "fig " * 20_000])
def test_a_query_is_words_and_nothing_else(
    palaver: CommandLine, conversation: str, query: str
) -> None:
    assert conversation in palaver("search", query).out
