"""Loops of a day: what is left open at its end, since when, and what was closed on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from palaver.digest.condensing import Count
from palaver.digest.days.port import CLOSED, CLOSING, OPEN, DayPoint, DayStory, Section, same
from palaver.digest.notes import flat
from palaver.digest.offline.lines import clipped
from palaver.digest.state import Item
from palaver.digest.state.cues import Patterns, patterns
from palaver.digest.state.heard import hear
from palaver.index.records import Message, SummarySource
from palaver.text import whole_character

_ROOM = 200
"""When all of them have more tokens, those of earlier days are told by how they begin."""
_MOST = 450
"""They never have more: then the oldest are left to the days on which they were said."""
_BRIEF = 80
"""Characters of one that is told by how it begins."""
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_COMING = ("promise", "reminder")
"""What is to come, whatever its words are."""


def loop_points(story: DayStory, count: Count) -> list[DayPoint]:
    """A line for everything that is open, and for what is closed of earlier days: as many as have
    room, those of this day first. In the order in which they were left open."""
    lines = _lines(story)
    cost = sum(count(point.line) for point in lines.values())
    if cost > _ROOM:
        lines = _lines(story, brief=True)
    room, kept = _MOST, dict[int, DayPoint]()
    for number in sorted(lines, key=lambda one: _place(story, one), reverse=True):
        cost = count(lines[number].line)
        if cost <= room:
            room -= cost
            kept[number] = lines[number]
    once = {same(kept[number].text): kept[number] for number in sorted(kept)}
    return list(once.values())


def done_points(story: DayStory) -> list[DayPoint]:
    """What was both left open and closed on this day, the last first."""
    return [closed_point(item, story) for item in reversed(story.closed) if not story.since(item)]


def open_point(item: Item, story: DayStory, *, brief: bool = False) -> DayPoint:
    """What is open, in its own words; with the day from which it was carried over."""
    quote = _quote(item, brief=brief and story.since(item) is not None)
    text = _told(item, quote) + _notes(story.since(item), story.label)
    return DayPoint(section=_section(item, story), text=text, sources=[_source(item, quote, OPEN)])


def closed_point(item: Item, story: DayStory, *, brief: bool = False) -> DayPoint:
    """What was closed, in its own words, and how; it stands on both messages."""
    quote = _quote(item, brief=brief)
    sources = [_source(item, quote, CLOSED), *_closing(item)]
    how = item.closed.how if item.closed else ""
    text = f"Closed: {_told(item, quote)}{_notes(story.since(item), story.label, how)}"
    return DayPoint(section="Open loops", text=text, sources=sources)


def tells(point: DayPoint, loop: DayPoint) -> bool:
    """Whether a line, in whatever words, tells of what is open or closed in `loop`."""
    wanted = loop.sources[0]
    return any(
        one.kind == wanted.kind
        and one.message_id == wanted.message_id
        and _begins(one.quote or "", wanted.quote or "")
        for one in point.sources
    )


def spoken_date(label: str, seen_from: str) -> str:
    """3 February, with its year when it is another one."""
    day = date.fromisoformat(label)
    year = "" if label[:4] == seen_from[:4] else f" {day.year}"
    return f"{day.day} {_MONTHS[day.month - 1]}{year}"


def _lines(story: DayStory, *, brief: bool = False) -> dict[int, DayPoint]:
    """The lines of all that is open and then of what was carried over and closed, numbered."""
    opened = [open_point(item, story, brief=brief) for item in story.open]
    closed = [closed_point(item, story, brief=brief) for item in _carried_and_closed(story)]
    return dict(enumerate([*opened, *closed]))


def _carried_and_closed(story: DayStory) -> Iterator[Item]:
    return (item for item in story.closed if story.since(item))


def _place(story: DayStory, number: int) -> tuple[bool, int]:
    """What is of this day, or closed on it, goes before what is only carried over; then by when it
    was said."""
    items = [*story.open, *_carried_and_closed(story)]
    item = items[number]
    return number >= len(story.open) or story.since(item) is None, item.seq


def _section(item: Item, story: DayStory) -> Section:
    """What somebody is to do next, or what is merely open. What was to be done on an earlier day
    and is still not done is open."""
    if story.since(item):
        return "Open loops"
    coming = item.kind == "task" and bool(_cues(item).deadline.search(_low(item)))
    return "Next steps" if coming or item.kind in _COMING else "Open loops"


def _cues(item: Item) -> Patterns:
    return hear(_as_message(item), "en").cues if item.text else patterns()


def _low(item: Item) -> str:
    return " ".join(one.low for one in hear(_as_message(item), "en").sentences)


def _as_message(item: Item) -> Message:
    return Message(
        id=item.message_id,
        conversation_id="",
        seq=item.seq,
        role="user",
        content=item.text,
        timestamp="",
        turn_number=item.turn,
    )


def _told(item: Item, quote: str) -> str:
    return f"{'' if item.said_by == 'user' else 'Assistant: '}{flat(quote)}"


def _notes(since: str | None, label: str, how: str = "") -> str:
    """What is said after the words, in brackets."""
    notes = [how] if how else []
    if since:
        notes.append(f"since {spoken_date(since, label)}")
    return f" ({', '.join(notes)})" if notes else ""


def _quote(item: Item, *, brief: bool) -> str:
    if not brief or len(item.text) <= _BRIEF:
        return item.text
    head = clipped(item.text, _BRIEF)
    return head[: whole_character(head, _BRIEF)]


def _source(item: Item, quote: str, kind: str) -> SummarySource:
    return SummarySource(
        message_id=item.message_id, quote=quote, turn=item.turn, kind=kind, by=item.said_by
    )


def _closing(item: Item) -> Iterable[SummarySource]:
    if item.closed is not None:
        at = item.closed
        yield SummarySource(message_id=at.message_id, turn=at.turn, kind=CLOSING)


def _begins(one: str, other: str) -> bool:
    """Whether one quotation is how the other begins."""
    first, second = flat(one), flat(other)
    return bool(first) and (first.startswith(second) or second.startswith(first))
