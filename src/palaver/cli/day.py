"""`palaver day`: a day of the continuous conversation as Markdown, or a list of its days."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from palaver.cli.common import Common, Opened, takes_common
from palaver.cli.output import one_line, say, say_json, write_bytes
from palaver.cli.showing import counted
from palaver.cli.waiting import wait_for_index
from palaver.errors import BadValue, NotFound

if TYPE_CHECKING:
    from palaver.conversation.day_records import DayEntry, DayView
    from palaver.index.port import Day

_TODAY = "today"
_GIST = 80


@takes_common
def day(
    common: Common,
    date: Annotated[
        str | None,
        typer.Argument(metavar="DATE", help="2026-02-14, today (the default) or yesterday."),
    ] = None,
    *,
    regenerate: Annotated[
        bool,
        typer.Option(
            "--regenerate", help="Make its summary again first; lines that you wrote stay."
        ),
    ] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the days, newest first.")] = False,
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, max=200, help="List at most N days.")
    ] = 50,
    cursor: Annotated[
        str | None, typer.Option(metavar="CURSOR", help="Go on where the list before ended.")
    ] = None,
) -> None:
    """Print a day of the continuous conversation: its summary, and what was said."""
    if listed and (date is not None or regenerate):
        raise BadValue(
            "--list lists every day.", remedy="Leave out DATE and --regenerate, or --list."
        )
    with common.opened(stays=regenerate) as home:
        wait_for_index(home)
        if listed:
            _list(common, home, limit, cursor)
            return
        shown = home.run(_found(home, _TODAY if date is None else date))
        if regenerate and shown.day_segment_id:
            shown = home.run(_made_again(home, shown.day))
        if common.json:
            say_json(shown.to_json())
        elif shown.conversation_id and shown.day_segment_id:
            home.run(_write(home, shown.conversation_id, shown.day))
        else:
            _say_nothing_yet(shown)


def _list(common: Common, home: Opened, limit: int, cursor: str | None) -> None:
    page = home.run(home.palaver.continuous.days(limit=limit, cursor=cursor))
    if common.json:
        say_json(page.to_json())
        return
    for one in page.days:
        told = f"  {counted(one.message_count, 'message'):>12}  {_gist(one)}"
        say((one.day_label, "bold"), told.rstrip())
    if not page.days:
        say("Nothing was said on any day yet.")
    if page.next_cursor:
        say((f"There are more: --cursor {page.next_cursor}", "dim"))


def _gist(entry: DayEntry) -> str:
    """How its summary begins."""
    told = (line.strip().removeprefix("- ") for line in entry.summary_markdown.split("\n"))
    first = next((line for line in told if line and not line.startswith("#")), "")
    return one_line(first if len(first) <= _GIST else first[: _GIST - 1] + "…")


async def _found(home: Opened, date: str) -> DayView:
    """The day that is meant. Raises BadValue, NotFound."""
    today = await home.palaver.continuous.today()
    label = _label(date, today.day)
    if label == today.day:
        return today
    try:
        return await home.palaver.continuous.day(label)
    except NotFound:
        raise await _no_such_day(home, label) from None


def _label(date: str, today: str) -> str:
    from datetime import timedelta

    from palaver.times import parse_day

    match date.strip().lower():
        case "today":
            return today
        case "yesterday":
            return (parse_day(today) - timedelta(days=1)).isoformat()
        case text:
            try:
                return parse_day(text).isoformat()
            except BadValue as error:
                raise BadValue(
                    error.message, remedy="Write a day as 2026-02-14, today or yesterday."
                ) from None


async def _made_again(home: Opened, label: str) -> DayView:
    palaver = home.palaver
    await palaver.continuous.regenerate(label)
    await palaver.finish_summaries()
    return await palaver.continuous.day(label)


async def _write(home: Opened, conversation_id: str, label: str) -> None:
    from palaver.portability import export_day

    palaver = home.palaver
    conversation = await palaver.conversation(conversation_id)
    for day in await palaver.every_day(conversation_id):
        if day.label == label:
            async for piece in export_day(palaver, conversation, day, "markdown", home.zone):
                write_bytes(piece)


def _say_nothing_yet(shown: DayView) -> None:
    from palaver.times import spoken_day

    say((f"# {spoken_day(shown.day)}", "bold"))
    say()
    say("No messages yet today.")


async def _no_such_day(home: Opened, label: str) -> NotFound:
    """Names the days around it, so that nobody has to guess."""
    from palaver.times import spoken_day

    conversation = await home.palaver.continuous.find()
    days: list[Day] = await home.palaver.every_day(conversation.id) if conversation else []
    before = [one.label for one in days if one.label < label][-1:]
    after = [one.label for one in days if one.label > label][:1]
    near = " and ".join([*before, *after])
    remedy = f"Something was said on {near}." if near else "Nothing was said on any day yet."
    return NotFound(f"Nothing was said on {spoken_day(label)}.", remedy=remedy)
