"""Saying something: how a message of the user comes in, and where it goes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from palaver.accounts import DEFAULT_SCOPES, SCOPES
from palaver.agent.language import ModelInfo, Models
from palaver.context.wire import CONTEXT
from palaver.conversation.books import Books
from palaver.conversation.calendar import Calendar
from palaver.conversation.conversations import Conversations, checked_object
from palaver.conversation.records import MAX_NAME
from palaver.conversation.stored import author_of
from palaver.conversation.streams import Streams
from palaver.errors import BadValue
from palaver.index.records import Message
from palaver.ledger import lines
from palaver.ledger.lines import Draft
from palaver.ledger.port import Appended

EVERYTHING = frozenset(SCOPES)
MAX_CONTEXT = 4 * 1024
"""How much a program may tell about a message, in bytes."""


def limited(scopes: Collection[str] | None) -> frozenset[str] | None:
    """What a sender may do, if that is less than usual."""
    return None if scopes is None or set(DEFAULT_SCOPES) <= set(scopes) else frozenset(scopes)


def may(scopes: frozenset[str] | None) -> frozenset[str]:
    return EVERYTHING if scopes is None else scopes


def check_model(info: Callable[[str], ModelInfo], name: str) -> None:
    """Raises BadValue, ModelUnknown unless there is a model of that name: `info` tells of it."""
    if not 0 < len(name) <= MAX_NAME:
        raise BadValue(f"The name of a model has 1 to {MAX_NAME} characters.")
    info(name)


@dataclass(frozen=True, slots=True)
class Saying:
    """A message of the user on its way in."""

    text: str
    key: str | None = None
    model: str | None = None
    scopes: frozenset[str] | None = None
    """What whoever sends it may do, when that is not everything."""
    instead_of: Message | None = None
    """The message that it takes the place of."""
    id: str | None = None
    """Its id, if that must be known before it is stored."""
    context: Mapping[str, Any] | None = None
    """What the program in which it is written tells about it."""

    def drafts(self, conversation_id: str, channel: str, user: str) -> list[Draft]:
        """The choice of a model, if there is one, and then the message. Raises InputError."""
        old = self.instead_of
        question = lines.turn(
            conversation_id,
            "user",
            self.text,
            id=self.id,
            channel=channel,
            author=author_of("user", user),
            key=self.key,
            awaitsReply=True,
            chosenModel=self.model,
            scopes=None if self.scopes is None else sorted(self.scopes),
            supersedes=old.id if old else None,
            turnNumber=old.turn_number if old else None,
            customPayload={CONTEXT: dict(self.context)} if self.context else None,
        )
        return [*self._choice(conversation_id), question]

    def _choice(self, conversation_id: str) -> Iterator[Draft]:
        """Repeated with the message: it has the message's key, in a namespace of its own."""
        if self.model is None:
            return
        key = f"model:{self.key}" if self.key else None
        yield lines.event(conversation_id, "model_changed", model=self.model, key=key)


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is said: in the conversation named, or in a new one, or in the latest."""

    channel: str
    conversation_id: str | None = None
    new: bool = False


class Door:
    """Takes what is said, and stores it where it belongs."""

    def __init__(
        self,
        books: Books,
        conversations: Conversations,
        streams: Streams,
        models: Models,
        calendar: Calendar,
    ) -> None:
        self._books = books
        self._models = models
        self._calendar = calendar
        self._conversations = conversations
        self._streams = streams

    async def take(self, said: Saying, place: Place) -> Appended:
        """Stores a message. Raises InputError, ModelUnknown, NotFound, KeyReused, Erased,
        ReadOnly, StorageFailed, IndexUnavailable."""
        if said.model is not None:
            check_model(self._models.info, said.model)
        if said.context is not None:
            checked_object(CONTEXT, said.context, MAX_CONTEXT)
        if place.conversation_id is None:
            return await (self._begin if place.new else self._continue)(said, place.channel)
        if place.new:
            raise BadValue("A new conversation gets an id of its own.", remedy="Give one of them.")
        return await self._say(place.conversation_id, said, here=True)

    async def _say(self, conversation_id: str, said: Saying, *, here: bool) -> Appended:
        channel = await self._streams.writable(conversation_id)
        drafts = said.drafts(conversation_id, channel, self._books.user)
        here_only = [replace(draft, here=here) for draft in drafts]
        return (await self._calendar.append(conversation_id, here_only))[-1]

    async def _begin(self, said: Saying, channel: str) -> Appended:
        """A conversation comes to exist with its first message: both in one commit."""
        first = self._conversations.beginning(channel)
        drafts = said.drafts(first.stream, channel, self._books.user)
        return (await self._books.ledger.append([first, *drafts]))[-1]

    async def _continue(self, said: Saying, channel: str) -> Appended:
        latest = await self._conversations.latest(channel)
        if latest is None:
            # Two first messages at once belong into one conversation.
            async with self._conversations.opening:
                latest = await self._conversations.latest(channel)
                if latest is None:
                    return await self._begin(said, channel)
        return await self._say(latest.id, said, here=False)
