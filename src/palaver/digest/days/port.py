"""The port of the makers of day summaries: what happened on one day, under five headings.

Two makers are behind it, as behind `palaver.digest.port`: one without a model, which never fails,
and one that asks a model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal, Protocol, get_args

from palaver.digest.notes import flat
from palaver.digest.port import BULLET, Point
from palaver.digest.state import Item
from palaver.index.records import Message, SummarySource

Section = Literal["Summary", "Goals", "Decisions", "Open loops", "Next steps"]
SECTIONS: tuple[Section, ...] = get_args(Section)
HEADING = "## "
ROOM = 400
"""A summary has about so many tokens."""
MOST_TOKENS = 700
"""It is never longer, but for what its owner wrote: it fits what a packet shows of yesterday."""
SAID, DECISION, GOAL, NEXT, OPEN, CLOSED, CLOSING = (
    "said",
    "decision",
    "goal",
    "next",
    "open",
    "closed",
    "closing",
)
"""What a source is quoted for. `closing` names the message that closed what `closed` quotes."""


class DayPoint(Point):
    """One line of a day summary, and the heading it stands under."""

    section: Section

    @property
    def line(self) -> str:
        """As it stands in the Markdown. The lines under the first heading are read as one text."""
        return self.text if self.section == "Summary" else f"{BULLET}{self.text}"


@dataclass(frozen=True, slots=True)
class DayStory:
    """What is to be told of a day."""

    label: str
    messages: Sequence[Message]
    """What was said, oldest first: only what is to be told."""
    before: Sequence[DayPoint] = ()
    """What the summary before tells of what came before these messages."""
    stays: bool = False
    """Whether these lines stay as they are, because their owner wrote some of them: then only what
    is new is told."""
    open: Sequence[Item] = ()
    """What is left open at the end."""
    closed: Sequence[Item] = ()
    """What was closed on this day, each with what closed it."""
    carried: Mapping[str, str] = field(default_factory=dict[str, str])
    """The days on which things were left open that are older than this one, by message."""

    def since(self, item: Item) -> str | None:
        """The day from which something was carried over; None when it is of this day."""
        return self.carried.get(item.message_id)


@dataclass(frozen=True, slots=True)
class DayText:
    """A day summary as an event holds it."""

    text: str
    """Markdown."""
    sources: Sequence[SummarySource]
    """Each says which line it belongs to, counted from 0."""


@dataclass(frozen=True)
class DaySummary:
    """A day in a few lines."""

    points: Sequence[DayPoint]

    def of(self, section: Section) -> list[DayPoint]:
        return [point for point in self.points if point.section == section]

    @property
    def text(self) -> str:
        """The Markdown; a heading with nothing under it is left out."""
        return self.written.text

    @property
    def written(self) -> DayText:
        return written([(line, point.sources if point else ()) for line, point in self._lines()])

    def _lines(self) -> Iterator[tuple[str, DayPoint | None]]:
        told: list[Section] = [section for section in SECTIONS if self.of(section)]
        for section in told:
            if section != told[0]:
                yield "", None
            yield f"{HEADING}{section}", None
            yield from ((point.line, point) for point in self.of(section))


def written(lines: Sequence[tuple[str, Sequence[SummarySource]]]) -> DayText:
    """Lines with what they stand on, as one text."""
    numbered = (
        (source.model_copy(update={"point": number}) for source in sources)
        for number, (_, sources) in enumerate(lines)
    )
    return DayText("\n".join(line for line, _ in lines), list(chain.from_iterable(numbered)))


def same(text: str) -> str:
    """A line without case and white space: what is equal then is not told twice."""
    return flat(text).casefold()


@dataclass(frozen=True, slots=True)
class DayMade:
    """What a maker made of a day."""

    by: str
    """`offline`, or the name of a model."""
    summary: DaySummary
    spent: dict[str, float] = field(default_factory=dict[str, float])
    """Tokens and US dollars, if it cost any: `input`, `output`, `cost`."""


class DayMaker(Protocol):
    """Whoever tells of a day."""

    async def make(self, story: DayStory) -> DayMade:
        """Its summary. Raises ModelError when a model fails, or makes something that does not hold:
        then nothing of it is used."""
        ...
