"""Excerpts: a part of the continuous conversation, word for word, around a message or of a day.

Messages stand in the order of their turns, each reply behind its question, so that pages meet
without a gap and without anything twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from palaver.context.tokens import TokenCounter
from palaver.conversation.books import Books
from palaver.conversation.excerpt_pages import Bounds, Pages, key_of, middle
from palaver.conversation.excerpt_room import Key, Offer, Room
from palaver.errors import BadValue, NotFound
from palaver.index.port import Day
from palaver.index.records import ConversationMeta, Message
from palaver.ledger.lines import check_day_id, check_message_id
from palaver.recall.continuous_results import ContinuousExcerpt

MOST = 30
"""So many messages, at most, are in one excerpt."""
_EARLIER, _LATER = 0, 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which part of the conversation."""

    message_id: str | None = None
    """Around this message."""
    day_segment_id: str | None = None
    """Of this day: its summary, and its first messages."""
    from_message_id: str | None = None
    to_message_id: str | None = None
    """Of that day, from one message to another."""
    before_message_id: str | None = None
    after_message_id: str | None = None
    """What comes before a message, or after it."""

    @property
    def is_whole_day(self) -> bool:
        others = (self.from_message_id, self.before_message_id, self.after_message_id)
        return self.day_segment_id is not None and not any(others)


class Excerpts:
    """Reads the continuous conversation of one user."""

    def __init__(self, books: Books, counter: TokenCounter) -> None:
        self._books = books
        self._counter = counter

    async def read(
        self, conversation: ConversationMeta | None, wanted: Wanted, *, limit: int
    ) -> ContinuousExcerpt:
        """Raises BadId, BadValue, NotFound, IndexUnavailable."""
        check_wanted(wanted, limit)
        if conversation is None:
            raise _nothing(wanted)
        day, bounds = await self._bounds(conversation, wanted)
        pages, room = Pages(self._books, conversation, bounds), Room(self._counter)
        summary = room.summary(day) if day is not None and wanted.is_whole_day else None
        chosen = await self._chosen(conversation, pages, wanted, limit)
        offers = [Offer(side, key_of(one), await pages.quoted(one)) for side, one in chosen]
        shown = room.take(offers)
        keys = {offer.message.message_id: offer.key for offer in offers}
        first, last = (shown[0].message_id, shown[-1].message_id) if shown else ("", "")
        return ContinuousExcerpt(
            messages=shown,
            summary=summary,
            truncated=room.cut,
            next_before_message_id=first if shown and await pages.before(keys[first], 1) else None,
            next_after_message_id=last if shown and await pages.after(keys[last], 1) else None,
        )

    async def _chosen(
        self, conversation: ConversationMeta, pages: Pages, wanted: Wanted, limit: int
    ) -> list[tuple[int, Message]]:
        """The messages that are wanted, those that matter most first, each with its side."""
        if wanted.before_message_id is not None:
            end = await self._key(conversation.id, wanted.before_message_id)
            return [(_EARLIER, one) for one in await pages.before(end, limit)]
        if wanted.after_message_id is not None:
            start = await self._key(conversation.id, wanted.after_message_id)
            return [(_LATER, one) for one in await pages.after(start, limit)]
        if wanted.message_id is None:
            return [(_LATER, one) for one in await pages.after(pages.start, limit)]
        turn, seq = await self._key(conversation.id, wanted.message_id)
        later = await pages.after((turn, seq - 1), limit)
        earlier, later = middle(await pages.before((turn, seq), limit), later, limit)
        return [
            one
            for pair in zip_longest(_sided(later, _LATER), _sided(earlier, _EARLIER))
            for one in pair
            if one is not None
        ]

    async def _bounds(
        self, conversation: ConversationMeta, wanted: Wanted
    ) -> tuple[Day | None, Bounds]:
        """Within what is read: the whole conversation, a day, or a part of one."""
        if wanted.day_segment_id is None:
            return None, Bounds.of_turns(0, conversation.turn_count)
        index, user = self._books.index, self._books.user
        day = await index.day_of_id(user, conversation.id, wanted.day_segment_id)
        if day is None:
            raise _nothing(wanted)
        whole = Bounds.of_turns(
            day.first_turn, conversation.turn_count if day.last_turn is None else day.last_turn
        )
        if wanted.from_message_id is None or wanted.to_message_id is None:
            return day, whole
        return day, Bounds(
            await self._within(conversation.id, wanted.from_message_id, whole),
            await self._within(conversation.id, wanted.to_message_id, whole),
        ).checked()

    async def _key(self, conversation_id: str, message_id: str) -> Key:
        """Where a message stands. Raises NotFound, also when it is in another conversation."""
        index, user = self._books.index, self._books.user
        return key_of(await index.message(user, conversation_id, message_id))

    async def _within(self, conversation_id: str, message_id: str, bounds: Bounds) -> Key:
        key = await self._key(conversation_id, message_id)
        if not bounds.first <= key <= bounds.last:
            raise no_message(message_id)
        return key


def check_wanted(wanted: Wanted, limit: int) -> None:
    """Raises BadId, BadValue."""
    if type(limit) is not int or not 1 <= limit <= MOST:
        raise BadValue(f"limit is 1 to {MOST}, not {str(limit)[:20]}.")
    for one in _named(wanted):
        check_message_id(one)
    if wanted.day_segment_id is not None:
        check_day_id(wanted.day_segment_id)
    if wanted.message_id is not None and wanted.day_segment_id is not None:
        raise BadValue("Give either messageId or daySegmentId.", remedy="Leave one of them out.")
    if wanted.before_message_id is not None and wanted.after_message_id is not None:
        raise BadValue(
            "Give either beforeMessageId or afterMessageId.", remedy="Leave one of them out."
        )
    if (wanted.from_message_id is None) != (wanted.to_message_id is None) or (
        wanted.from_message_id is not None and wanted.day_segment_id is None
    ):
        raise BadValue("fromMessageId and toMessageId go together, with daySegmentId.")
    if not _named(wanted) and wanted.day_segment_id is None:
        raise BadValue(
            "Nothing is named that could be read.", remedy="Give messageId or daySegmentId."
        )


def no_message(message_id: str) -> NotFound:
    return NotFound(f"There is no message {message_id}.")


def _nothing(wanted: Wanted) -> NotFound:
    """What is told of an id of another conversation, of somebody else, and of none at all."""
    if wanted.day_segment_id is not None:
        return NotFound(f"There is no day {wanted.day_segment_id}.")
    return no_message(_named(wanted)[0])


def _named(wanted: Wanted) -> list[str]:
    """The messages that are named, the one first that is looked for first."""
    every = (
        wanted.before_message_id,
        wanted.after_message_id,
        wanted.message_id,
        wanted.from_message_id,
        wanted.to_message_id,
    )
    return [one for one in every if one is not None]


def _sided(messages: Sequence[Message], side: int) -> list[tuple[int, Message]]:
    return [(side, message) for message in messages]
