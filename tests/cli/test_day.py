"""`palaver day`, and writing to the continuous conversation."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from palaver.app import Palaver
from palaver.times import spoken_day
from tests.cli.commandline import CommandLine
from tests.library import Clock, library


@pytest.fixture
def lived(palaver: CommandLine) -> CommandLine:
    """A home in which something was said on 12 and on 14 February 2026."""

    async def live(opened: Palaver) -> None:
        conversation = (await opened.continuous.ensure()).id
        await opened.append(conversation, "user", "Tea on the 14th?")
        await opened.append(conversation, "assistant", "Tea it is.")

    async def begin() -> None:
        clock = Clock()
        clock.advance(days=-2)
        async with library(palaver.home, clock) as opened:
            conversation = (await opened.continuous.ensure()).id
            await opened.append(conversation, "user", "Bread on the 12th.")

    palaver.library(lambda _: begin())
    palaver.library(live)
    return palaver


def test_a_day_is_printed(lived: CommandLine) -> None:
    done = lived("day", "2026-02-14")
    assert done.status == 0
    assert done.out.startswith("# Saturday, 14 February 2026\n\n- Day: 2026-02-14\n")
    assert "- Time zone: UTC\n- Messages: 2\n" in done.out
    assert "**You**, 2026-02-14 09:00\n\n> Tea on the 14th?\n" in done.out
    assert "> Tea it is.\n" in done.out
    assert "Bread" not in done.out
    assert "Bread" in lived("day", "2026-02-12").out


def test_a_day_on_which_nothing_was_said(lived: CommandLine) -> None:
    done = lived("day", "2026-02-13")
    assert (done.status, done.out) == (3, "")
    assert done.err == (
        "Nothing was said on Friday, 13 February 2026.\n"
        "Something was said on 2026-02-12 and 2026-02-14.\n"
    )
    assert lived("day", "2026-02-13", "--json").json["error"]["code"] == "not_found"
    assert "2026-02-14" in lived("day", "yesterday").err


def test_days_are_listed_newest_first(lived: CommandLine) -> None:
    written = "## Summary\n- The day of the *bread*.\n\n## Decisions\n- Rye."

    async def write(opened: Palaver) -> None:
        await opened.continuous.edit("2026-02-12", written)

    lived.library(write)
    done = lived("day", "--list")
    assert (done.status, done.out) == (
        0,
        "2026-02-14    2 messages\n2026-02-12     1 message  The day of the *bread*.\n",
    )
    first = lived("day", "--list", "--limit", "1")
    shown, more = first.out.splitlines()
    assert shown.startswith("2026-02-14")
    assert more.startswith("There are more: --cursor ")
    rest = lived("day", "--list", "--cursor", more.rpartition(" ")[2], "--json").json
    assert [one["dayLabel"] for one in rest["days"]] == ["2026-02-12"]
    for given in (("2026-02-12",), ("--regenerate",)):
        assert lived("day", "--list", *given).status == 2


def test_before_anything_was_said_there_is_no_day_to_list(palaver: CommandLine) -> None:
    assert palaver("day", "--list").out == "Nothing was said on any day yet.\n"


def test_what_is_no_day(lived: CommandLine) -> None:
    for text in ("14.2.", "2026-02-30", "tomorrow", ""):
        done = lived("day", text)
        assert done.status == 2
        assert "Write a day as 2026-02-14, today or yesterday." in done.err


@pytest.mark.parametrize("given", [(), ("today",), ("TODAY",)])
def test_today_before_anything_was_said(palaver: CommandLine, given: tuple[str, ...]) -> None:
    done = palaver("day", *given)
    assert done.status == 0
    assert done.out == f"# {spoken_day(today())}\n\nNo messages yet today.\n"
    assert palaver("day", "yesterday").err.endswith("\nNothing was said on any day yet.\n")


def today(back: int = 0) -> str:
    return (datetime.now(UTC).date() - timedelta(days=back)).isoformat()


@pytest.mark.parametrize("option", ["--today", "--continuous"])
def test_what_is_written_to_it_is_there(palaver: CommandLine, option: str) -> None:
    first = palaver("chat", option, "--json", "Tea", "is", "green.").json
    second = palaver("chat", option, "--json", "Milk is white.").json
    assert first["conversationId"] == second["conversationId"]
    shown = palaver("day").out
    assert "> Tea is green.\n" in shown
    assert "> Milk is white.\n" in shown
    latest = palaver("chat", "--json", "Elsewhere").json
    assert latest["conversationId"] != first["conversationId"]


def test_it_goes_with_no_other_conversation(palaver: CommandLine) -> None:
    done = palaver("chat", "--today", "--new", "Hello")
    assert done.status == 2
    assert done.err.startswith("--new and --today do not go together.")


def test_it_is_exported_by_day(lived: CommandLine, tmp_path: Path) -> None:
    def named(folder: Path) -> set[str]:
        return {str(path.relative_to(folder)) for path in folder.rglob("*.md")}

    everything, one = tmp_path / "everything", tmp_path / "one"
    assert lived("export", "--format", "markdown", "--output", str(everything)).status == 0
    conversation = lived.library(_continuous)
    arguments = ("--format", "markdown", "--output", str(one))
    assert lived("conversations", "export", conversation, *arguments).status == 0
    days = {"continuous/2026-02-12.md", "continuous/2026-02-14.md", "index.md"}
    assert named(everything) == named(one) == days
    alone = lived("conversations", "export", conversation, "--format", "markdown").out
    assert alone == lived("export", "--format", "markdown").out
    assert alone.count("## Thursday, 12 February 2026") == 1


async def _continuous(opened: Palaver) -> str:
    return (await opened.continuous.ensure()).id


def test_a_day_as_json_is_what_the_api_gives(lived: CommandLine) -> None:
    found = lived("day", "2026-02-14", "--json").json
    assert (found["day"], found["timezone"], found["messageCount"]) == ("2026-02-14", "UTC", 2)
    assert [one["content"] for one in found["messages"]] == ["Tea on the 14th?", "Tea it is."]
    assert (found["previousDay"], found["summaryMarkdown"]) == ("2026-02-12", "")
    assert lived("day", "--json").json["messages"] == []


def test_its_summary_is_made_again(lived: CommandLine) -> None:
    done = lived("day", "2026-02-14", "--regenerate")
    assert done.status == 0
    assert "## Summary\n" in done.out
    assert done.out.index("## Summary\n") < done.out.index("## Messages\n")
    assert lived("day", "2026-02-14", "--json").json["summaryBy"] == "offline"
    assert lived("day", "2026-02-13", "--regenerate").status == 3
    assert lived("day", "--regenerate").status == 0
