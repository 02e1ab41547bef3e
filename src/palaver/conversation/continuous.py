"""The continuous conversation: one for each user, which goes on from day to day.

Its id is in the user's stream. It comes to exist with the first thing said in it, and there is one
however many begin it at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from palaver.conversation.books import Books
from palaver.conversation.conversations import Conversations
from palaver.conversation.day_editing import DayEditing
from palaver.conversation.day_records import DayPage, DayView
from palaver.conversation.days import Days, check_label, no_day
from palaver.conversation.excerpts import MOST, Excerpts, Wanted
from palaver.conversation.preferences import Preferences, preference
from palaver.conversation.stored import said_at
from palaver.conversation.streams import CONTINUOUS, WEB
from palaver.errors import KeyReused, NotFound
from palaver.index.port import ConversationFilter
from palaver.index.records import ConversationMeta
from palaver.recall.continuous import LIMIT, RECENCY_DAYS, Asking, ContinuousSearch
from palaver.recall.continuous_results import ContinuousExcerpt, ContinuousPage
from palaver.recall.scope import Moment
from palaver.typed import typed

_FIRST = "first"
Remake = Callable[[str, str], None]
"""Begins to make the summary of a day again: of a conversation, and by its label."""


@typed
class Continuous:
    """The continuous conversation of one user."""

    def __init__(
        self,
        books: Books,
        conversations: Conversations,
        preferences: Preferences,
        *,
        days: Days,
        search: ContinuousSearch,
        excerpts: Excerpts,
        remake: Remake,
    ) -> None:
        self._books = books
        self._conversations = conversations
        self._preferences = preferences
        self._days = days
        self._editing = DayEditing(books, days)
        self._search = search
        self._excerpts = excerpts
        self._remake = remake
        self._beginning = asyncio.Lock()

    async def find(self) -> ConversationMeta | None:
        """The conversation, if anything was said in it. Raises IndexUnavailable."""
        return await self._named(await self._name()) or await self._unnamed()

    async def ensure(self) -> ConversationMeta:
        """The conversation, which begins if there is none. Raises StorageFailed,
        IndexUnavailable."""
        async with self._beginning:
            name = await self._name()
            return await self._named(name) or await self._unnamed() or await self._begin(name)

    # -- its days ----------------------------------------------------------------------------

    async def today(self) -> DayView:
        """The day to which the next message belongs, also while nothing was said on it."""
        return await self._days.today(await self.find())

    async def day(self, label: str) -> DayView:
        """One day, by its date. Raises BadValue, NotFound, IndexUnavailable."""
        return await self._days.view(await self.find(), label)

    async def days(self, *, limit: int = 50, cursor: str | None = None) -> DayPage:
        """The days on which something was said, newest first. Raises BadValue, BadCursor,
        IndexUnavailable."""
        return await self._days.page(await self.find(), limit=limit, cursor=cursor)

    async def edit(self, label: str, markdown: str) -> DayView:
        """Says what a day was in the owner's own words. What tells of it later carries them on.
        Raises InputError, NotFound, Conflict, StorageFailed, IndexUnavailable."""
        await self._editing.edit(await self._holding(label), label, markdown)
        return await self.day(label)

    async def regenerate(self, label: str) -> None:
        """Begins to make the summary of a day again, and returns at once: `listen` tells when it is
        there. Raises BadValue, NotFound, Conflict, IndexUnavailable."""
        conversation_id = await self._holding(label)
        await self._days.find(await self._conversations.get(conversation_id), label)
        self._remake(conversation_id, label)

    async def _holding(self, label: str) -> str:
        """The id of the conversation, if it can have such a day. Raises BadValue, NotFound."""
        check_label(label)
        found = await self.find()
        if found is None:
            raise no_day(label)
        return found.id

    # -- what was said in it -----------------------------------------------------------------

    async def search(
        self,
        query: str,
        *,
        day: str | None = None,
        from_: Moment = None,
        to: Moment = None,
        recency_days: int = RECENCY_DAYS,
        limit: int = LIMIT,
        cursor: str | None = None,
        min_score: float | None = None,
        before: str | None = None,
    ) -> ContinuousPage:
        """Turns and summaries of days in one list, best first. `day` looks at that day of it alone;
        a time that is given, or named in the query, goes before `recency_days` (0 for all time).
        Raises InputError, IndexUnavailable."""
        await self._preferences.look()
        asking = Asking(query, day, from_, to, recency_days, min_score, said_at(before))
        found = await self.find()
        return await self._search.page(
            found.id if found else None, asking, limit=limit, cursor=cursor
        )

    async def get(
        self,
        *,
        message_id: str | None = None,
        day_segment_id: str | None = None,
        from_message_id: str | None = None,
        to_message_id: str | None = None,
        limit: int = MOST,
        before_message_id: str | None = None,
        after_message_id: str | None = None,
    ) -> ContinuousExcerpt:
        """What was said around a message, on a day with what tells of it, from one message of a day
        to another, or next to one. At most about 6,000 tokens. Raises InputError, NotFound,
        IndexUnavailable."""
        wanted = Wanted(
            message_id=message_id,
            day_segment_id=day_segment_id,
            from_message_id=from_message_id,
            to_message_id=to_message_id,
            before_message_id=before_message_id,
            after_message_id=after_message_id,
        )
        return await self._excerpts.read(await self.find(), wanted, limit=limit)

    # -- which one it is ---------------------------------------------------------------------

    async def _name(self) -> str | None:
        """Its id, as the user's stream tells it."""
        chosen = await self._books.index.preferences(self._books.user)
        return chosen[CONTINUOUS].value if CONTINUOUS in chosen else None

    async def _named(self, name: str | None) -> ConversationMeta | None:
        """None when it was deleted."""
        try:
            return await self._conversations.get(name) if name else None
        except NotFound:
            return None

    async def _unnamed(self) -> ConversationMeta | None:
        """One whose name was lost on the way into the ledger, or that was copied without it."""
        wanted = ConversationFilter(mode=CONTINUOUS)
        found = await self._books.index.conversations(self._books.user, wanted, limit=1)
        return found[0] if found else None

    async def _begin(self, before: str | None) -> ConversationMeta:
        """Begins it after the one that was there before. The key is the same for all who begin it
        at once: the first of them wins."""
        begun = self._conversations.beginning(WEB, mode=CONTINUOUS)
        key = f"{CONTINUOUS}:{before or _FIRST}"
        try:
            await self._preferences.keep([preference(CONTINUOUS, begun.stream, key), begun])
        except KeyReused:
            if found := await self.find():
                return found
            raise
        return await self._conversations.get(begun.stream)
