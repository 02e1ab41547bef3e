"""Recovery: messages that wanted an answer when a process died get it, once."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any, cast

from palaver.conversation.books import Books
from palaver.conversation.making import Wanted
from palaver.conversation.saying import may
from palaver.conversation.turn import Turns
from palaver.errors import NotFound
from palaver.index.records import Message
from palaver.ledger.lines import Line
from palaver.times import Clock, iso

YOUNG = timedelta(days=1)
"""What is older is not answered unasked."""
TRIES = 3
"""So often a process tries to answer a message: what it cannot do may cost something each time."""


class Recovery:
    """Finds messages without an answer, and has them answered."""

    def __init__(self, books: Books, turns: Turns, clock: Clock) -> None:
        self._books = books
        self._turns = turns
        self._clock = clock
        self._tried: Counter[str] = Counter()

    async def answer(self) -> int:
        """Has every young message answered that still waits; gives how many these are.

        One that another process is answering now is left to it. Raises IndexUnavailable.
        """
        since = iso(self._clock() - YOUNG)
        found = await self._books.index.unanswered(self._books.user, since)
        # Messages that share a turn have one reply: it answers the last of them.
        last = {(message.conversation_id, message.turn_number): message for message in found}
        begun = [await self._begin(message) for message in last.values()]
        return sum(begun)

    async def _begin(self, message: Message) -> bool:
        try:
            line = await self._line(message)
        except NotFound:
            return False
        if line is None or line.data.get("awaitsReply") is not True:
            return False
        if self._tried[message.id] == TRIES:
            return False
        wanted = Wanted(message, may(_scopes(line.data)), again=True)
        begun = self._turns.begin(wanted).own
        self._tried[message.id] += begun
        return begun

    async def _line(self, message: Message) -> Line | None:
        lines = await self._books.ledger.read(
            message.conversation_id, after=message.seq - 1, limit=1
        )
        return next((line for line in lines if line.id == message.id), None)


def _scopes(data: dict[str, Any]) -> frozenset[str] | None:
    given: object = data.get("scopes")
    return frozenset(map(str, cast("list[object]", given))) if isinstance(given, list) else None
