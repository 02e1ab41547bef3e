"""Days: which day of the continuous conversation a message belongs to, and what tells of it.

A packet shows what was said on that day, the newest summary of it, and the newest summary of the
day before it, whenever that was.
"""

from __future__ import annotations

from dataclasses import dataclass

from palaver.context.kept import day_summary
from palaver.context.ports import Summary
from palaver.index.port import Day, Index
from palaver.index.records import Message
from palaver.times import Clock, Zone


@dataclass(frozen=True, slots=True)
class ShownDay:
    """The day that a packet shows."""

    label: str
    day: Day | None
    """None when it is to begin with the message."""
    before: Day | None

    @property
    def first_turn(self) -> int | None:
        """Its first turn; None when it has none yet."""
        return self.day.first_turn if self.day else None

    @property
    def messages(self) -> int:
        return self.day.messages if self.day else 0

    @property
    def summaries(self) -> list[Summary]:
        told = (day.summary for day in (self.before, self.day) if day)
        return [day_summary(summary, self.label) for summary in told if summary]


@dataclass(frozen=True, slots=True)
class DayReader:
    """Reads the days of one user's continuous conversation."""

    index: Index
    user: str
    zone: Zone
    clock: Clock

    async def shown(self, conversation_id: str, message: Message | str | None) -> ShownDay:
        """The day to which a message belongs: one that is stored, one that somebody might send
        now, or else the last one. Raises NotFound, IndexUnavailable."""
        day = await self._day(conversation_id, message)
        today = self.clock().astimezone(self.zone()).date().isoformat()
        if day is None or (isinstance(message, str) and day.label < today):
            return ShownDay(today, None, day)
        before = await self.index.days(self.user, conversation_id, before=day.label, limit=1)
        return ShownDay(day.label, day, before[0] if before else None)

    async def _day(self, conversation_id: str, message: Message | str | None) -> Day | None:
        if isinstance(message, Message):
            return await self.index.day_of_turn(self.user, conversation_id, message.turn_number)
        newest = await self.index.days(self.user, conversation_id, limit=1)
        return newest[0] if newest else None
