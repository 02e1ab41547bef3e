"""Stories: what was said in a conversation, as a maker is given it, a part at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from math import ceil

from palaver.digest.fullness import TurnReader
from palaver.digest.notes import is_told
from palaver.digest.points import points_of
from palaver.digest.port import Point, Story
from palaver.digest.state import Item, State
from palaver.digest.states import States
from palaver.index.port import Index, Owed
from palaver.index.records import Message, StoredSummary
from palaver.text import words

ABBREVIATION = "abbreviation"
_PART = 400
"""So many turns are told at a time. Of a longer conversation, what the digest before tells is
carried on, and only what came since is read."""
_LOOKED_AT = 50
"""Among so many turns before it was named, its topics are looked for."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A conversation that is to be told, and how far the digest before has told it."""

    owed: Owed
    state: State
    before: StoredSummary | None
    points: Sequence[Point]
    """Those of the digest before."""
    first: int
    """The turn from which on it is read."""

    @property
    def conversation_id(self) -> str:
        return self.owed.conversation.id

    @property
    def carries_on(self) -> bool:
        """Whether it is told from the digest before on, and not from its beginning."""
        return self.first > 0

    @property
    def told(self) -> float:
        """How much of the conversation the digest before has told, from 0 to 1."""
        whole = max(self.owed.conversation.turn_count, 1)
        return min(1.0, self.before.through / whole) if self.before else 0.0

    @property
    def open(self) -> tuple[Item, ...]:
        return self.state.open_items


class Stories:
    """Reads one user's conversations for whoever tells them."""

    def __init__(self, index: Index, user: str, states: States) -> None:
        self._index = index
        self._user = user
        self._states = states
        self._turns = TurnReader(index, user)

    async def telling(self, owed: Owed) -> Telling:
        """Raises NotFound, IndexUnavailable."""
        conversation = owed.conversation
        known = await self._states.look(conversation)
        before = await self._index.summary(self._user, conversation.id, ABBREVIATION)
        points = points_of(before) if before else []
        founded = bool(points) and all(point.sources for point in points)
        long = founded and conversation.turn_count > _PART
        first = before.through if before and long else 0
        return Telling(owed, known.state, before, points, first)

    async def parts(self, telling: Telling) -> AsyncIterator[Story]:
        """The conversation, in one part or in several of about the same length. What is left open
        is told with the last. Raises NotFound, IndexUnavailable."""
        conversation, last = telling.owed.conversation, telling.owed.conversation.turn_count
        whole = last - telling.first + 1
        size = ceil(whole / ceil(whole / _PART))
        for start in range(telling.first, last + 1, size):
            end = min(start + size - 1, last)
            messages = await self._read(telling, start, end)
            yield Story(conversation, messages, open=telling.open if end == last else ())

    async def has_other_topics(self, telling: Telling) -> bool:
        """Whether half of what the conversation is about by now was not spoken of when it was
        named. Raises NotFound, IndexUnavailable."""
        active, named = telling.state.active_topics, telling.owed.named_turn
        first = max(0, named - _LOOKED_AT + 1)
        messages = await self._read(telling, first, named) if named else []
        said = {word for message in messages for word in words(message.content.casefold())}
        new = [topic for topic in active if not said.issuperset(topic.split("-"))]
        return bool(active) and 2 * len(new) >= len(active)

    async def _read(self, telling: Telling, first: int, last: int) -> list[Message]:
        """What was said up to the line that is told, without what nobody is shown."""
        parts = self._turns.parts(telling.conversation_id, first, last)
        messages = [message async for part in parts for message in part]
        heard = telling.owed.heard_seq
        return [one for one in messages if one.seq <= heard and is_told(one)]
