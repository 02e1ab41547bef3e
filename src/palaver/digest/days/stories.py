"""Stories of days: what was said on one, as a maker is given it, and how far it was told before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from palaver.digest.days.endings import Ending, Endings, Span
from palaver.digest.days.markdown import day_points
from palaver.digest.days.owning import Owned, owned
from palaver.digest.days.port import DayPoint, DayStory
from palaver.digest.fullness import TurnReader
from palaver.digest.notes import is_told
from palaver.digest.state import Item
from palaver.index.port import Day, Index
from palaver.index.records import ConversationMeta, Message, StoredSummary

_PART = 400
"""So many turns are told at a time. Of a longer day, what the summary before tells is carried on,
and only what came since is read."""


@dataclass(frozen=True, slots=True)
class DayTelling:
    """A day that is to be told."""

    conversation: ConversationMeta
    day: Day
    last: int
    """Its last turn."""
    heard: int
    """The last line that was said on it, or was and is erased; -1 without any."""
    messages: Sequence[Message]
    """What is to be told."""
    ending: Ending
    carries_on: bool
    """Whether it is told from the summary before on, and not from its beginning."""
    owned: Owned | None = None
    """What its owner has done to the summary before, if only that stays."""

    @property
    def before(self) -> StoredSummary | None:
        return self.day.summary

    @property
    def points(self) -> list[DayPoint]:
        return day_points(self.before) if self.before else []

    @property
    def by_hand(self) -> bool:
        """Whether the words of the owner are in the summary before."""
        return self.before is not None and self.before.by_hand

    @property
    def stays(self) -> bool:
        """Whether the summary before stays as it is, and only what is new is added."""
        return self.by_hand and self.owned is None

    @property
    def covers(self) -> int:
        """The last line of which its summary will tell: never less than the one before told."""
        return max(self.heard, self.before.covers if self.before else -1)

    @property
    def is_covered(self) -> bool:
        """Whether the summary before tells of all of it."""
        return self.before is not None and self.before.covers >= self.heard

    @property
    def told(self) -> float:
        """How much of the day the summary before has told, from 0 to 1."""
        if self.before is None:
            return 0.0
        whole = max(self.last - self.day.first_turn + 1, 1)
        return max(0.0, min(1.0, (self.before.through - self.day.first_turn + 1) / whole))

    def parts(self) -> list[DayStory]:
        """The day, in one part or in several; how it ended is told with the last."""
        before = self.points if self.carries_on else ()
        groups: dict[int, list[Message]] = {}
        first = min((message.turn_number for message in self.messages), default=0)
        for message in self.messages:
            groups.setdefault((message.turn_number - first) // _PART, []).append(message)
        (*earlier, last) = [groups[number] for number in sorted(groups)] or [[]]
        whole = DayStory(self.day.label, last, before, stays=self.stays)
        return [*(replace(whole, messages=part) for part in earlier), self._ended(whole)]

    def _ended(self, story: DayStory) -> DayStory:
        """With how it ended; beside words that stay, only what is new of that."""
        left, over = self.ending.open, self.ending.closed
        if self.stays and self.before:
            left = tuple(item for item in left if item.seq > self.before.covers)
            over = tuple(item for item in over if _is_closed_by(item, self.messages))
        return replace(story, open=left, closed=over, carried=self.ending.carried)


class DayStories:
    """Reads the days of one user for whoever tells them."""

    def __init__(self, index: Index, user: str, endings: Endings) -> None:
        self._index = index
        self._user = user
        self._endings = endings
        self._turns = TurnReader(index, user)

    async def telling(
        self, conversation_id: str, label: str, *, anew: bool = False
    ) -> DayTelling | None:
        """A day; `anew` if of a summary that its owner has written on only the owner's lines are to
        stay. None when there is no such day. Raises NotFound, IndexUnavailable."""
        conversation = await self._index.conversation(self._user, conversation_id)
        day = await self._index.day(self._user, conversation_id, label)
        if day is None:
            return None
        last = conversation.turn_count if day.last_turn is None else day.last_turn
        own = await self._owned(conversation_id, day) if anew else None
        carries_on = own is None and _carries_on(day, last)
        said = await self.said(conversation_id, day, last)
        since = day.summary.covers if day.summary and carries_on else -1
        told = [one for one in said if is_told(one) and one.seq > since]
        ending = await self._endings.of(conversation, Span(day, last))
        return DayTelling(conversation, day, last, heard(said), told, ending, carries_on, own)

    async def _owned(self, conversation_id: str, day: Day) -> Owned | None:
        if day.summary is None or not day.summary.by_hand:
            return None
        kind = day.summary.kind
        return owned(await self._index.versions(self._user, conversation_id, kind))

    async def said(self, conversation_id: str, day: Day, last: int) -> list[Message]:
        """Every message of a day, also those that are erased. Raises NotFound, IndexUnavailable."""
        parts = self._turns.parts(conversation_id, day.first_turn, last)
        return [message async for part in parts for message in part]


def heard(messages: Sequence[Message]) -> int:
    """The last line that somebody has said."""
    return max((one.seq for one in messages if one.status != "streaming"), default=-1)


def _carries_on(day: Day, last: int) -> bool:
    """A day is told from its beginning, unless it is long, or its owner has written of it."""
    if day.summary is None:
        return False
    if day.summary.by_hand:
        return True
    long = last - day.first_turn >= _PART
    return long and all(point.sources for point in day_points(day.summary))


def _is_closed_by(item: Item, messages: Sequence[Message]) -> bool:
    return item.closed is not None and any(one.id == item.closed.message_id for one in messages)
