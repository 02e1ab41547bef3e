"""Whoever tells days in tests: plainly, by a script, or not at all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from palaver.digest.days.port import DayMade, DayPoint, DayStory, DaySummary
from palaver.index.records import Message, SummarySource

Step = Callable[[DayStory], Awaitable[object]]


def quoting(message: Message, text: str | None = None) -> DayPoint:
    """A line that stands on a message; it quotes how that begins, if no other text is given."""
    said = message.content[:100].strip()
    source = SummarySource(
        message_id=message.id,
        quote=said if text is None else None,
        turn=message.turn_number,
        kind="said",
        by=message.role,
    )
    return DayPoint(section="Summary", text=text or said, sources=[source])


@dataclass
class PlainDays:
    """Tells what the user said last, word for word."""

    by: str = "offline"
    stories: list[DayStory] = field(default_factory=list[DayStory])
    before: Step | None = None
    """Is awaited before anything is made."""
    error: Exception | None = None
    points: Callable[[DayStory], Sequence[DayPoint]] | None = None

    async def make(self, story: DayStory) -> DayMade:
        self.stories.append(story)
        if self.before is not None:
            await self.before(story)
        if self.error is not None:
            raise self.error
        return DayMade(self.by, DaySummary((self.points or _last)(story)))


def _last(story: DayStory) -> list[DayPoint]:
    kept = () if story.stays else story.before[:5]
    said = [one for one in story.messages if one.role == "user"]
    return [*kept, *(quoting(one) for one in said[-10:])]
