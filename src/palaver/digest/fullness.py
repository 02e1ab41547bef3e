"""Fullness: how much of the history's budget the turns since the last summary take."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from orjson import dumps

from palaver.digest.condensing import Count
from palaver.digest.remembered import Remembered
from palaver.index.port import Index
from palaver.index.records import ConversationMeta, Message
from palaver.index.rows import UNSEEN

_FULL = 0.8
"""When so much of the history's budget is filled, older turns are compressed."""
_PART = 50
_PER_MESSAGE = 4


@dataclass(frozen=True, slots=True)
class Limits:
    """What summaries go by."""

    budget_of: Callable[[ConversationMeta], int]
    """How many tokens a model is given of a conversation."""
    count: Count
    turns: int
    """So many of the last turns stay as they are."""


@dataclass(frozen=True, slots=True)
class TurnReader:
    """Reads turns of one user's conversations."""

    index: Index
    user: str

    async def parts(
        self, conversation_id: str, first: int, last: int
    ) -> AsyncIterator[list[Message]]:
        """The messages of some turns, a part at a time."""
        for start in range(first, last + 1, _PART):
            end = min(start + _PART - 1, last)
            yield await self.index.turns(self.user, conversation_id, start, end)


class _Counted(NamedTuple):
    """What turns cost together, from the first one after a summary up to one that is over."""

    first: int
    through: int
    tokens: int


class Fullness:
    """Tells when the turns since a summary fill the window; each turn is read once for that."""

    def __init__(self, turns: TurnReader, limits: Limits) -> None:
        self._turns = turns
        self._limits = limits
        self._counted = Remembered[_Counted]()

    async def is_full(self, conversation: ConversationMeta, first: int) -> bool:
        """Whether there is too much from turn `first` on. Raises NotFound, IndexUnavailable."""
        full, last = _FULL * self._limits.budget_of(conversation), conversation.turn_count
        known = self._known(conversation, first)
        tokens = known.tokens
        async for part in self._turns.parts(conversation.id, known.through + 1, last):
            tokens += self._cost(part)
            known = self._with(known, part, last)
            if tokens > full:
                break
        self._counted.put(conversation.id, known)
        return tokens > full

    def _known(self, conversation: ConversationMeta, first: int) -> _Counted:
        known = self._counted.get(conversation.id)
        if known is None or known.first != first or known.through > conversation.turn_count:
            return _Counted(first, first - 1, 0)
        return known

    def _with(self, known: _Counted, part: list[Message], last: int) -> _Counted:
        """With the turns that are over: the last ones may still change."""
        over = [one for one in part if one.turn_number <= last - self._limits.turns]
        if not over:
            return known
        through = max(one.turn_number for one in over)
        return _Counted(known.first, through, known.tokens + self._cost(over))

    def _cost(self, messages: Iterable[Message]) -> int:
        return sum(cost(message, self._limits.count) for message in messages)


def cost(message: Message, count: Count) -> int:
    """What a model would be given of a message, in tokens."""
    if message.status in UNSEEN:
        return 0
    calls = message.lasting_calls
    tools = dumps(calls).decode() if calls else ""
    return _PER_MESSAGE + count(message.content) + count(tools)
