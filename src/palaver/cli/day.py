"""`palaver day`: a day of the continuous conversation, as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from palaver.cli.common import Common, Opened, takes_common
from palaver.cli.output import say, say_json, write_bytes
from palaver.cli.waiting import wait_for_index
from palaver.errors import BadValue, NotFound

if TYPE_CHECKING:
    from palaver.conversation.day_records import DayView
    from palaver.index.port import Day

_TODAY = "today"


@takes_common
def day(
    common: Common,
    date: Annotated[
        str, typer.Argument(metavar="DATE", help="2026-02-14, today or yesterday.")
    ] = _TODAY,
    regenerate: Annotated[
        bool, typer.Option("--regenerate", help="Make its summary again first.")
    ] = False,
) -> None:
    """Print a day of the continuous conversation: its summary, and what was said."""
    with common.opened(stays=regenerate) as home:
        wait_for_index(home)
        shown = home.run(_found(home, date))
        if regenerate and shown.day_segment_id:
            shown = home.run(_made_again(home, shown.day))
        if common.json:
            say_json(shown.to_json())
        elif shown.conversation_id and shown.day_segment_id:
            home.run(_write(home, shown.conversation_id, shown.day))
        else:
            _say_nothing_yet(shown)


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
