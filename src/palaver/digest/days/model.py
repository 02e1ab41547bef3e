"""The maker of day summaries that asks a model: one request, and one to mend it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from pydantic import BaseModel

from palaver.digest.condensing import Count
from palaver.digest.days.loops import closed_point, open_point, spoken_date, tells
from palaver.digest.days.port import (
    CLOSED,
    DECISION,
    GOAL,
    MOST_TOKENS,
    NEXT,
    ROOM,
    SAID,
    DayMade,
    DayPoint,
    DayStory,
    DaySummary,
    Section,
    same,
)
from palaver.digest.model import prompt
from palaver.digest.model.answer import POINTS, UNREADABLE, Fault, Told, read, shape
from palaver.digest.model.asking import Writer
from palaver.digest.model.breaker import Breaker
from palaver.digest.model.checking import lines_of
from palaver.digest.model.requests import Request, Requests, Spent
from palaver.digest.model.sheet import Entry, Sheet, portions, said_entry
from palaver.digest.port import Point
from palaver.digest.state import Item
from palaver.index.records import SummarySource

_CARRY_ON = (
    "When there are notes on what was said earlier today, carry on what still matters of them."
)
_STAYS = (
    "The notes on what was said earlier today are on the page already and stay as they are. Write"
    " only what is to be added to them."
)
_WORDS = 0.6
"""About so many words are a token."""
_SIGNS = re.compile(r"^[\s#>*_`~|=+-]+")
"""What a line may not begin with: it would mean something else in Markdown."""


class DayAnswer(BaseModel):
    """The shape of an answer."""

    summary: list[Told] = []
    goals: list[Told] = []
    decisions: list[Told] = []
    open_loops: list[Told] = []
    next_steps: list[Told] = []


_PARTS: dict[str, tuple[Section, str]] = {
    "summary": ("Summary", SAID),
    "goals": ("Goals", GOAL),
    "decisions": ("Decisions", DECISION),
    "open_loops": ("Open loops", SAID),
    "next_steps": ("Next steps", NEXT),
}
"""The parts of an answer, where they stand, and what their messages are quoted for."""
_SCHEMA = shape(**dict.fromkeys(_PARTS, POINTS))


@dataclass(frozen=True, slots=True)
class _Checked:
    points: Sequence[DayPoint] = ()
    faults: Sequence[Fault] = ()


class ModelDays:
    """Asks a model, and takes only what holds: `DayMaker` of `palaver.digest.days.port`."""

    def __init__(self, writer: Writer, breaker: Breaker, *, count: Count, room: int) -> None:
        """`room` is how many tokens of a day fit in one request."""
        self._requests = Requests(writer, breaker)
        self._count = count
        self._room = room

    async def make(self, story: DayStory) -> DayMade:
        """As the port has it. What does not fit in one request is read part by part, and the lines
        of each are carried on."""
        spent, told = Spent(), story
        (*earlier, last), cap = portions(story.messages, self._room, self._count)
        for part in earlier:
            portion = replace(told, messages=part, open=(), closed=())
            told = replace(told, before=await self._asked(portion, cap, spent), stays=False)
        points = await self._asked(replace(told, messages=last), cap, spent)
        return DayMade(self._requests.writer.name, DaySummary(points), spent.sums)

    async def _asked(self, story: DayStory, cap: int, spent: Spent) -> Sequence[DayPoint]:
        sheet = day_sheet(story, cap, self._count)
        request = Request(_rules(story), _request(sheet), _SCHEMA)

        def check(text: str) -> _Checked:
            return checked(text, sheet, story)

        return (await self._requests.answer(request, check, spent)).points


def day_sheet(story: DayStory, cap: int, count: Count) -> Sheet:
    """What a model is shown of a day."""
    notes = [Entry("note", point.section, point.text, point.sources) for point in story.before]
    said = [said_entry(message) for message in story.messages]
    still = [_loop("open", item, open_point(item, story).sources) for item in story.open]
    over = [_loop("closed", item, closed_point(item, story).sources) for item in story.closed]
    return Sheet([*notes, *said, *still, *over], cap, count)


def checked(text: str, sheet: Sheet, story: DayStory) -> _Checked:
    """What a model has written, with small things mended, and everything that is wrong with it."""
    answer = read(text, DayAnswer)
    if answer is None:
        return _Checked(faults=[UNREADABLE])
    faults: list[Fault] = []
    points: list[DayPoint] = []
    for part, (section, kind) in _PARTS.items():
        told: list[Told] = getattr(answer, part)
        lines, wrong = lines_of([_bare(one) for one in told], sheet)
        named = [Fault(f"In {part}: {fault.reason}", fault.detail) for fault in wrong]
        faults += named
        points += [_placed(line, section, kind, story) for line in lines]
    kept = list({same(point.text): point for point in reversed(points)}.values())[::-1]
    return _Checked(kept, [*faults, *_size_faults(kept, sheet, story)])


def _loop(kind: str, item: Item, sources: Sequence[SummarySource]) -> Entry:
    return Entry(kind, f"turn {item.turn}", item.text, sources)


def _rules(story: DayStory) -> str:
    before = (_STAYS if story.stays else _CARRY_ON) if story.before else ""
    day = f"{spoken_date(story.label, '')}"
    told = prompt.written("palaver.digest.days", "prompt").format(day=day, before=before)
    return prompt.ruled([told.strip()], _SCHEMA)


def _request(sheet: Sheet) -> str:
    most = int(ROOM * _WORDS)
    size = f"All lines together have at most {most} words."
    return f"{sheet.text}\n\n{prompt.END} {size}"


def _bare(told: Told) -> Told:
    return told.model_copy(update={"text": _SIGNS.sub("", told.text)})


def _placed(line: Point, section: Section, kind: str, story: DayStory) -> DayPoint:
    """A line under its heading. One about something that is open or closed says since when, as the
    other maker does, and stands among what is open."""
    loop = _loop_of(line, story)
    if loop is None:
        sources = [_as(one, kind) for one in line.sources]
        return DayPoint(section=section, text=line.text, sources=sources)
    own = {one.message_id for one in loop.sources}
    others = [_as(one, SAID) for one in line.sources if one.message_id not in own]
    text = _worded(line.text, loop)
    return DayPoint(section=loop.section, text=text, sources=[*loop.sources, *others])


def _loop_of(line: Point, story: DayStory) -> DayPoint | None:
    """What a line tells of, if that is one thing that is open or closed."""
    opened = (open_point(item, story) for item in story.open)
    closed = (closed_point(item, story) for item in story.closed)
    told = DayPoint(section="Open loops", text=line.text, sources=line.sources)
    found = [loop for loop in chain(opened, closed) if tells(told, loop)]
    return found[0] if len(found) == 1 else None


def _worded(text: str, loop: DayPoint) -> str:
    """The words of a model, with what the program adds to a loop."""
    closed = "Closed: " if loop.sources[0].kind == CLOSED else ""
    quote = " ".join((loop.sources[0].quote or "").split())
    note = loop.text.rpartition(quote)[2]
    return f"{closed}{text}{note}"


def _as(source: SummarySource, kind: str) -> SummarySource:
    """A source that says what it is quoted for; one that was carried on says it already."""
    return source.model_copy(update={"kind": kind}) if source.kind in {"", SAID} else source


def _size_faults(points: Sequence[DayPoint], sheet: Sheet, story: DayStory) -> Iterator[Fault]:
    size = sheet.count(DaySummary(points).text)
    if not (points or story.stays):
        yield Fault("It has no lines.")
    elif size > MOST_TOKENS:
        share = f"Leave out or shorten about {round(100 - 90 * MOST_TOKENS / size)} % of it."
        yield Fault(f"All lines together are too long: {size} tokens of {MOST_TOKENS}.", share)
