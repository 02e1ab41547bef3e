"""The pages of an excerpt: messages of some turns, a few at a time, in either direction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from palaver.conversation.books import Books
from palaver.conversation.excerpt_room import Key
from palaver.errors import BadValue
from palaver.index.port import Day
from palaver.index.records import ConversationMeta, Message
from palaver.index.rows import SEARCHABLE_ROLES, UNSAID
from palaver.recall.continuous_results import ExcerptMessage

_AT_ONCE = 32
"""So many turns are read at a time."""
_LAST = 1 << 62


class Bounds(NamedTuple):
    """From where to where is read, both included."""

    first: Key
    last: Key

    @classmethod
    def of_turns(cls, first: int, last: int) -> Bounds:
        return cls((first, -1), (last, _LAST))

    def checked(self) -> Bounds:
        """Raises BadValue."""
        if self.first > self.last:
            raise BadValue("fromMessageId comes after toMessageId.", remedy="Swap them.")
        return self


class Pages:
    """Messages of one conversation, within bounds."""

    def __init__(self, books: Books, conversation: ConversationMeta, bounds: Bounds) -> None:
        self._books = books
        self._conversation = conversation
        self.bounds = bounds
        self._days: list[Day] = []

    @property
    def start(self) -> Key:
        """Just before the first of them."""
        turn, seq = self.bounds.first
        return turn, seq - 1

    async def after(self, start: Key, count: int) -> list[Message]:
        """Those that follow on a place, the next one first."""
        first = max(start, self.bounds.first)
        last = min(self.bounds.last[0], self._conversation.turn_count)
        found: list[Message] = []
        for turn in range(first[0], last + 1, _AT_ONCE):
            if len(found) >= count:
                break
            said = await self._said(turn, min(turn + _AT_ONCE - 1, last))
            found += [one for one in said if key_of(one) > start]
        return found[:count]

    async def before(self, end: Key, count: int) -> list[Message]:
        """Those that stand before a place, the nearest first."""
        last = min(end[0], self.bounds.last[0], self._conversation.turn_count)
        found: list[Message] = []
        for turn in range(last, self.bounds.first[0] - 1, -_AT_ONCE):
            if len(found) >= count:
                break
            said = await self._said(max(turn - _AT_ONCE + 1, self.bounds.first[0]), turn)
            found += [one for one in reversed(said) if key_of(one) < end]
        return found[:count]

    async def _said(self, first: int, last: int) -> list[Message]:
        index, user = self._books.index, self._books.user
        found = await index.turns(user, self._conversation.id, first, last)
        shown = [one for one in found if one.role in SEARCHABLE_ROLES and one.status not in UNSAID]
        within = [one for one in shown if self.bounds.first <= key_of(one) <= self.bounds.last]
        return sorted(within, key=key_of)

    async def quoted(self, message: Message) -> ExcerptMessage:
        return ExcerptMessage(
            message_id=message.id,
            role="tool" if message.role == "system" else message.role,
            content=message.content,
            created_at=message.timestamp,
            turn_number=message.turn_number,
            day_label=await self._label(message.turn_number),
        )

    async def _label(self, turn: int) -> str | None:
        for day in self._days:
            if day.first_turn <= turn and (day.last_turn is None or turn <= day.last_turn):
                return day.label
        index, user = self._books.index, self._books.user
        found = await index.day_of_turn(user, self._conversation.id, turn)
        self._days += [found] if found else []
        return found.label if found else None


def key_of(message: Message) -> Key:
    return message.turn_number, message.seq


def middle(
    earlier: Sequence[Message], later: Sequence[Message], count: int
) -> tuple[Sequence[Message], Sequence[Message]]:
    """About half of what is shown on each side; more of one, where the other has less."""
    behind = max(count - count // 2, count - len(earlier))
    ahead = count - min(behind, len(later))
    return earlier[:ahead], later[:behind]
