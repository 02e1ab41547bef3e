"""A turn: a message is stored at once, then answered, one reply at a time per conversation."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from weakref import WeakValueDictionary

from palaver.agent.port import Answer, Responder
from palaver.conversation.books import Books
from palaver.conversation.conversations import Conversations
from palaver.conversation.records import MAX_NAME, Reply
from palaver.conversation.sources import Sources
from palaver.conversation.stored import API, author_of, message_of, namespaced
from palaver.conversation.streams import Streams
from palaver.errors import BadValue, Erased, IndexUnavailable, KeyReused
from palaver.index.records import Message
from palaver.ledger import lines
from palaver.ledger.lines import Draft, Line
from palaver.ledger.port import Appended


@dataclass(frozen=True, slots=True)
class Saying:
    """A message of the user on its way in."""

    text: str
    key: str | None
    model: str | None

    def drafts(self, conversation_id: str, channel: str, user: str) -> list[Draft]:
        """The choice of a model, if there is one, and then the message. Raises InputError."""
        question = lines.turn(
            conversation_id,
            "user",
            self.text,
            channel=channel,
            author=author_of("user", user),
            key=self.key,
            awaitsReply=True,
            chosenModel=self.model,
        )
        return [*self._choice(conversation_id), question]

    def _choice(self, conversation_id: str) -> Iterator[Draft]:
        """Repeated with the message: it has the message's key, in a namespace of its own."""
        if self.model is None:
            return
        if not 0 < len(self.model) <= MAX_NAME:
            raise BadValue(f"The name of a model has 1 to {MAX_NAME} characters.")
        key = f"model:{self.key}" if self.key else None
        yield lines.event(conversation_id, "model_changed", model=self.model, key=key)


class Turns:
    """Takes messages that want an answer, and answers them."""

    def __init__(
        self,
        books: Books,
        conversations: Conversations,
        streams: Streams,
        sources: Sources,
        responder: Responder,
    ) -> None:
        self._books = books
        self._conversations = conversations
        self._streams = streams
        self._sources = sources
        self._responder = responder
        self._replying: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def send(
        self,
        text: str,
        *,
        channel: str,
        conversation_id: str | None = None,
        new: bool = False,
        key: str | None = None,
        model: str | None = None,
    ) -> Reply:
        """Stores a message of the user and answers it, in the conversation named, or in a new
        one, or in the latest. A repeated key gives the first result and its reply again.
        `model` is chosen for the conversation from this message on.

        Raises InputError, NotFound, KeyReused, Erased, ReadOnly; when it raises StorageFailed or
        IndexUnavailable the message may be stored: send it again with the same key.
        """
        said = Saying(text, namespaced(API, key), model)
        if conversation_id is None:
            taken = await (self._begin if new else self._continue)(said, channel)
        elif new:
            raise BadValue("A new conversation gets an id of its own.", remedy="Give one of them.")
        else:
            taken = await self._say(conversation_id, said, here=True)
        return await self._answer(taken)

    # -- taking a message --------------------------------------------------------------------

    async def _say(self, conversation_id: str, said: Saying, *, here: bool) -> Appended:
        channel = await self._streams.writable(conversation_id)
        drafts = said.drafts(conversation_id, channel, self._books.user)
        here_only = [replace(draft, here=here) for draft in drafts]
        return (await self._books.ledger.append(here_only))[-1]

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

    # -- answering it ------------------------------------------------------------------------

    async def _answer(self, taken: Appended) -> Reply:
        question = taken.line
        async with self._replying.setdefault(question.stream, asyncio.Lock()):
            reply = await self._stored_reply(question) if taken.replayed else None
            if reply is None:
                reply = await self._make_reply(question)
        return Reply(
            conversation_id=reply.conversation_id, turn_number=reply.turn_number, reply=reply
        )

    async def _make_reply(self, question: Line, attempt: int = 1) -> Message:
        answer = await self._ask(message_of(question))
        try:
            return await self._store_reply(question, answer, attempt)
        except KeyReused:  # another process has answered meanwhile
            stored = await self._stored_reply(question)
        except Erased:  # an erased reply stays erased; another one takes its place
            stored = None
        return stored or await self._make_reply(question, attempt + 1)

    async def _ask(self, message: Message) -> Answer:
        answer = await self._responder.reply(message)
        if await self._sources.gone(answer.sources):  # erased while it was being quoted
            answer = await self._responder.reply(message)
        await self._sources.check(answer.sources)
        return answer

    async def _store_reply(self, question: Line, answer: Answer, attempt: int) -> Message:
        draft = lines.turn(
            question.stream,
            "assistant",
            answer.content,
            channel=question.data.get("channel"),
            author=author_of("assistant", self._books.user),
            turnNumber=question.data.get("turnNumber"),
            key=f"reply:{question.id}:{attempt}",
            replyTo=question.id,
            model=answer.model,
            sources=[source.to_json() for source in answer.sources] or None,
        )
        appended = (await self._books.ledger.append([draft]))[0]
        await self._sources.check_kept([appended.line])
        return message_of(appended.line)

    async def _stored_reply(self, question: Line) -> Message | None:
        try:
            return await self._books.index.reply_to(self._books.user, question.id)
        except IndexUnavailable:
            later = await self._books.ledger.read(question.stream, after=question.seq)
        replies = [line for line in later if line.data.get("replyTo") == question.id]
        return message_of(replies[-1]) if replies else None
