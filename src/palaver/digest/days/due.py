"""When the newest day is told again: after so many messages, or when they fill the window."""

from __future__ import annotations

from typing import Literal

from palaver.digest.condensing import Count
from palaver.digest.fullness import TurnReader, cost
from palaver.index.port import Index
from palaver.index.records import StoredSummary

Reason = Literal["messages", "tokens", "night", "asked"]
"""Why a summary is made: many messages, many tokens, the day is over, or somebody asks for it."""
_FULL = 0.8
"""When what no summary tells of fills so much of the window, there is another one."""


class DayDue:
    """Looks at the newest day of one user's continuous conversation."""

    def __init__(self, index: Index, user: str, *, count: Count, every: int, window: int) -> None:
        """`window` is how many tokens of a day a model is shown word for word."""
        self._index = index
        self._user = user
        self._count = count
        self._every = every
        self._full = _FULL * window
        self._turns = TurnReader(index, user)

    async def of(self, conversation_id: str) -> tuple[str, Reason] | None:
        """The label of the day that is to be told now, and why. Raises NotFound,
        IndexUnavailable."""
        owed = await self._index.standing(self._user, conversation_id)
        if owed.day is None or not owed.untold:
            return None
        if owed.untold >= self._every:
            return owed.day, "messages"
        full = await self._is_full(conversation_id, owed.day, owed.conversation.turn_count)
        return (owed.day, "tokens") if full else None

    async def _is_full(self, conversation_id: str, label: str, last: int) -> bool:
        day = await self._index.day(self._user, conversation_id, label)
        if day is None:
            return False
        first, told = _since(day.summary, day.first_turn)
        tokens = 0
        async for part in self._turns.parts(conversation_id, first, last):
            tokens += sum(cost(one, self._count) for one in part if one.seq > told)
        return tokens > self._full


def _since(summary: StoredSummary | None, first_turn: int) -> tuple[int, int]:
    """The turn from which on a day is to be read, and the last line that its summary tells of."""
    return (summary.through, summary.covers) if summary else (first_turn, -1)
