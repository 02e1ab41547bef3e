"""Routing: which conversation a place of a channel goes on in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

from palaver.channels.connection import Connection
from palaver.channels.marks import key_of, readable, sent_key
from palaver.channels.port import Received
from palaver.conversation.books import Books
from palaver.conversation.conversations import MAX_TITLE, Conversations
from palaver.conversation.streams import PREFIX
from palaver.errors import Erased, NotFound
from palaver.index.records import ConversationMeta, Json
from palaver.ledger.lines import Draft
from palaver.times import Clock, before

_EXCHANGED = timedelta(days=30)
"""A subject alone joins a mail to a thread in which something was said so lately."""
_THREAD = 100
"""So many of the messages that a mail names are looked for."""


class Router:
    """Finds the conversations of one user's channels."""

    def __init__(self, books: Books, conversations: Conversations, clock: Clock) -> None:
        self._books = books
        self._conversations = conversations
        self._clock = clock

    async def find(self, by: Connection, received: Received) -> ConversationMeta | None:
        """The pinned conversation that a message goes on in. Raises IndexUnavailable."""
        index, user, place = self._books.index, self._books.user, received.place
        if place.kind != "thread":
            return await index.pinned(user, by.name, place.id)
        async for named in self._named(by, received):
            if found := await index.pinned(user, by.name, named):
                return found
        return await index.pinned(user, by.name, place.id) or await self._alike(by, received)

    async def _named(self, by: Connection, received: Received) -> AsyncIterator[str]:
        """The places of the messages that a message names, the nearest first."""
        names = [received.answers, *received.thread][: _THREAD + 1]
        for name in dict.fromkeys(one for one in names if one):
            for key in (key_of(by.name, name), sent_key(by.name, name)):
                if place := await self._place(key):
                    yield place

    async def _place(self, key: str) -> str | None:
        """Where a key was used: the place of the conversation, whether that is pinned or not."""
        try:
            stream = await self._books.ledger.where(key)
            if stream is None or not stream.startswith(f"{PREFIX}-"):
                return None
            meta = await self._books.index.conversation(self._books.user, stream)
        except (Erased, NotFound):
            return None
        return place_of(meta)

    async def _alike(self, by: Connection, received: Received) -> ConversationMeta | None:
        """By the subject, if it is a reply of the same proven sender to something recent."""
        key = received.details.get("subjectKey")
        if not (key and received.details.get("replyPrefix") and received.proof == "proven"):
            return None
        since = before(self._clock(), _EXCHANGED)
        with_them = await self._books.index.pinned_with(
            self._books.user, by.name, received.sender.id
        )
        alike = (one for one in with_them if one.channel_meta.get("subjectKey") == key)
        return next((one for one in alike if one.updated >= since), None)

    def begin(self, by: Connection, received: Received, *, mixed: bool) -> Draft:
        """The first line of a conversation for the place."""
        place = received.place
        name = readable(place.name)[:MAX_TITLE] if place.name else None
        pinned_to: Json = {
            "kind": place.kind,
            "id": place.id,
            "name": name,
            "party": received.sender.id,
            "audience": "mixed" if mixed else "owner",
        }
        if subject := received.details.get("subjectKey"):
            pinned_to["subjectKey"] = subject
        others = [one.id for one in received.others if one.id not in by.owners]
        return self._conversations.beginning(
            by.name, pinned_to=pinned_to, participants=["user", *others]
        )


def place_of(meta: ConversationMeta) -> str | None:
    """The place of a channel that a conversation belongs to."""
    found = meta.channel_meta.get("id")
    return found if isinstance(found, str) else None
