"""How conversations and messages look on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from palaver.cli.output import one_line, say, say_prose

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from palaver.digest.reading import ConversationDigest
    from palaver.index.records import ConversationMeta, Message
    from palaver.recall.window import TimeWindow


def say_conversation(conversation: ConversationMeta, zone: tzinfo) -> None:
    """One line of a list."""
    from palaver.portability.text import local_time, title_of

    say(
        (conversation.id, "dim"),
        f"  {local_time(conversation.updated, zone)}",
        f"  {one_line(conversation.channel)}",
        f"  {counted(conversation.turn_count, 'turn'):>9}  ",
        (one_line(title_of(conversation)), "bold"),
    )


def say_heading(conversation: ConversationMeta, zone: tzinfo) -> None:
    """What stands above the messages of a conversation."""
    from palaver.portability.text import facts_about, title_of

    say((one_line(title_of(conversation)), "bold"))
    for name, value in facts_about(conversation, zone):
        say((f"{name}: {one_line(value)}", "dim"))


def say_notes(digest: ConversationDigest) -> None:
    """What it is about, point by point, with the turns in which that was said."""
    if digest.abbreviation is None:
        return
    say(("Notes:", "dim"))
    for point in digest.abbreviation.points:
        turns = sorted({source.turn for source in point.sources})
        where = f"  (turn {', '.join(map(str, turns))})" if turns else ""
        say(f"- {one_line(point.text)}", (where, "dim"))


def say_message(message: Message, zone: tzinfo) -> None:
    """Who said it, when, and the words."""
    from palaver.portability.text import local_time, speaker, words
    from palaver.recall.plain import plain_lines

    say()
    say(
        (one_line(speaker(message)), "bold"),
        (f"  {local_time(message.timestamp, zone)}  {message.id}", "dim"),
    )
    say_prose(plain_lines(words(message)) if message.role == "assistant" else words(message))


def counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def spoken_window(window: TimeWindow, zone: tzinfo) -> str:
    """A time window as people say it: "in March 2026", "on 2026-02-14"."""
    from palaver.portability.text import local_time
    from palaver.times import parse

    match window.from_, window.to:
        case None, None:
            return "all time"
        case None, str(to):
            return f"before {local_time(to, zone)}"
        case str(from_), None:
            return f"since {local_time(from_, zone)}"
        case str(from_), str(to):
            first, end = parse(from_).astimezone(zone), parse(to).astimezone(zone)
            if _is_midnight(first) and _is_midnight(end):
                return _spoken_days(first, end)
            return f"from {local_time(from_, zone)} to {local_time(to, zone)}"


def _spoken_days(first: datetime, end: datetime) -> str:
    """The whole days from the first to the last, which is the day before the end."""
    from datetime import timedelta

    last = end - timedelta(days=1)
    months = 12 * (end.year - first.year) + end.month - first.month
    if first.date() == last.date():
        return f"on {first:%Y-%m-%d}"
    if first.day == end.day == 1 and months == 1:
        return f"in {first:%B %Y}"
    if first.day == end.day == first.month == 1 and months == 12:
        return f"in {first.year}"
    return f"from {first:%Y-%m-%d} to {last:%Y-%m-%d}"


def _is_midnight(moment: datetime) -> bool:
    return not (moment.hour or moment.minute or moment.second or moment.microsecond)
