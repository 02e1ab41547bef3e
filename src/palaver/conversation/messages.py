"""Messages: how they come in, and how they are read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from palaver.conversation.books import Books
from palaver.conversation.calendar import Calendar
from palaver.conversation.delivered import with_deliveries
from palaver.conversation.records import NewMessage
from palaver.conversation.sources import Sources
from palaver.conversation.stored import draft_of, message_of, with_given_key
from palaver.conversation.streams import Streams, check_conversation_id
from palaver.errors import BadValue, Conflict
from palaver.index.port import View, Where
from palaver.index.records import Message, MessagePage
from palaver.ledger.lines import check_message_id
from palaver.recall.search import check_limit

FETCHED_TURNS = 10
"""How many turns are fetched unless others are asked for, and how wide `around` reaches."""


class Messages:
    """The messages of one user's conversations."""

    def __init__(
        self, books: Books, streams: Streams, sources: Sources, calendar: Calendar
    ) -> None:
        self._calendar = calendar
        self._books = books
        self._streams = streams
        self._sources = sources

    async def append(self, conversation_id: str, new: Sequence[NewMessage]) -> list[Message]:
        """Writes the messages in one commit. Raises what the ledger raises, ReadOnly, and Conflict
        for messages of the past in the continuous conversation."""
        channel = await self._streams.writable(conversation_id)
        if any(one.timestamp is not None for one in new):
            await self._check_dated(conversation_id)
        await self._sources.check(source for one in new for source in one.sources or ())
        drafts = [draft_of(one, conversation_id, channel, self._books.user) for one in new]
        appended = await self._calendar.append(conversation_id, drafts)
        await self._sources.check_kept(one.line for one in appended if not one.replayed)
        return [message_of(one.line) for one in appended]

    async def _check_dated(self, conversation_id: str) -> None:
        """Raises Conflict where each message belongs to the day on which it is said."""
        if await self._streams.is_continuous(conversation_id):
            raise Conflict(
                "What is said in the continuous conversation is said now: it takes no time.",
                remedy="Leave the timestamp out, or bring history in as a conversation of its own.",
            )

    async def page(self, conversation_id: str, where: Where, *, limit: int) -> MessagePage:
        """Raises BadId, BadValue, NotFound, IndexUnavailable."""
        check_conversation_id(conversation_id)
        check_limit(limit)
        given = [one for one in (where.before, where.after, where.around) if one is not None]
        if len(given) > 1:
            raise BadValue("Give one of before, after and around.", remedy="Leave the others out.")
        for message_id in given:
            check_message_id(message_id)
        page = await self._books.index.messages(
            self._books.user, conversation_id, where, limit=limit
        )
        return await self._as_given(page)

    async def view(self, conversation_id: str, *, limit: int) -> View:
        """A conversation with its last messages. Raises BadId, NotFound, IndexUnavailable."""
        check_conversation_id(conversation_id)
        check_limit(limit)
        view = await self._books.index.view(self._books.user, conversation_id, limit=limit)
        return replace(view, page=await self._as_given(view.page))

    async def message(self, conversation_id: str, message_id: str) -> Message:
        """Raises BadId, NotFound, IndexUnavailable."""
        check_conversation_id(conversation_id)
        check_message_id(message_id)
        found = await self._books.index.message(self._books.user, conversation_id, message_id)
        (told,) = await with_deliveries(self._books, [found])
        return with_given_key(told)

    async def turns(
        self,
        conversation_id: str,
        *,
        around: int | None = None,
        first: int | None = None,
        last: int | None = None,
    ) -> list[Message]:
        """The messages of some turns: those near one, from one to another, or the last ones."""
        check_conversation_id(conversation_id)
        meta = await self._books.index.conversation(self._books.user, conversation_id)
        wanted = turn_bounds(meta.turn_count, around=around, first=first, last=last)
        found = await self._books.index.turns(self._books.user, conversation_id, *wanted)
        return [with_given_key(message) for message in found]

    async def _as_given(self, page: MessagePage) -> MessagePage:
        """The page with the keys of its messages as callers gave them, and how far they came."""
        told = await with_deliveries(self._books, page.messages)
        return page.model_copy(update={"messages": [with_given_key(one) for one in told]})


def turn_bounds(
    count: int, *, around: int | None, first: int | None, last: int | None
) -> tuple[int, int]:
    """The first and last turn to fetch of `count`. Raises BadValue."""
    if around is not None:
        if first is not None or last is not None:
            raise BadValue("Give either a turn to look around, or the first and the last.")
        return max(around - FETCHED_TURNS // 2, 0), around + FETCHED_TURNS // 2
    if first is None and last is None:
        # Turn 0 is what stands before the first turn, such as a system message.
        return count - FETCHED_TURNS + 1 if count > FETCHED_TURNS else 0, count
    begin, end = first if first is not None else 0, last if last is not None else count
    if begin > end:
        raise BadValue(f"Turn {begin} comes after turn {end}.", remedy="Swap first and last.")
    return begin, end
