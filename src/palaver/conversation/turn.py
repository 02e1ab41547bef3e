"""A turn: a message is stored at once, then answered, one reply at a time per conversation."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal
from weakref import WeakValueDictionary

from palaver.agent.commands import read_command
from palaver.conversation.books import Books
from palaver.conversation.commands import Commands, Given
from palaver.conversation.making import Maker, Wanted
from palaver.conversation.own_reply import OwnReply
from palaver.conversation.records import Reply
from palaver.conversation.replies import Replies
from palaver.conversation.saying import Door, Place, Saying, limited, may
from palaver.conversation.steps import MessageAccepted, ReplyFinished, Step
from palaver.conversation.stopping import stop_elsewhere
from palaver.conversation.stored import API, message_of, namespaced
from palaver.errors import IndexUnavailable
from palaver.events import Relay
from palaver.index.records import Message
from palaver.index.rows import HIDDEN
from palaver.leases import Leases
from palaver.leases.waiting import glances
from palaver.telemetry import Outcome, Telemetry, TurnEnded, traced

_LOOKED_AT = 20
"""Among so many turns before it, messages are looked for that come first."""


@dataclass(frozen=True, slots=True)
class Posted:
    """A message that is stored, and its reply in the making."""

    message: Message
    live: OwnReply
    own: bool
    """Whether the reply is made for this sender, and for nobody before."""


class Turns:
    """Takes messages that want an answer, and has them answered."""

    def __init__(
        self,
        books: Books,
        door: Door,
        maker: Maker,
        leases: Leases,
        commands: Commands,
        *,
        relay: Relay,
        before: Callable[[Message], Awaitable[None]],
        after: Callable[[str], None],
        telemetry: Telemetry,
    ) -> None:
        """`before` is awaited with what is to be answered before each reply, and `after` is called
        with the conversation after each."""
        self._before = before
        self._after = after
        self._telemetry = telemetry
        self._books = books
        self._commands = commands
        self._door = door
        self._maker = maker
        self._leases = leases
        self._relay = relay
        self.replies = Replies(relay, maker.stored)
        self._order: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def send(
        self,
        text: str,
        place: Place,
        *,
        key: str | None = None,
        model: str | None = None,
        scopes: Collection[str] | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Stores a message of the user and answers it, or obeys a command. A repeated key gives
        the first result and its reply again. `model` is chosen for the conversation from this
        message on; `context` is told to it with the message. Whoever is cancelled stops the reply;
        what there is of it is kept.

        Raises InputError, NotFound, KeyReused, Erased, ReadOnly; when it raises StorageFailed or
        IndexUnavailable the message may be stored: send it again with the same key.
        """
        if command := read_command(text):
            done, _ = await self.obey(Given(command, text, place, key, may(limited(scopes))))
            return done
        said = Saying(text, namespaced(API, key), model, limited(scopes), context=context)
        return await self._finish(await self._post(said, place))

    async def stream(
        self,
        text: str,
        place: Place,
        *,
        key: str | None = None,
        model: str | None = None,
        scopes: Collection[str] | None = None,
        context: Mapping[str, Any] | None = None,
        detached: bool = False,
    ) -> AsyncGenerator[Step]:
        """The same, step by step. Closing it stops the reply, unless it is `detached`."""
        if command := read_command(text):
            done, live = await self.obey(Given(command, text, place, key, may(limited(scopes))))
            yield ReplyFinished(
                conversation_id=done.conversation_id,
                turn=done.reply,
                new_conversation_id=done.new_conversation_id,
            )
            async with aclosing(_steps(live)) as steps:
                async for step in steps:
                    yield step
            return
        said = Saying(text, namespaced(API, key), model, limited(scopes), context=context)
        posted = await self._post(said, place)
        yield MessageAccepted(key=key, message=posted.message)
        try:
            async with aclosing(_steps(posted.live)) as steps:
                async for step in steps:
                    yield step
        finally:
            if posted.own and not detached:
                await posted.live.end(asked=False)

    async def obey(self, given: Given) -> tuple[Reply, OwnReply | None]:
        """The answer to a command, and the reply to what was said with it. Raises NotFound,
        KeyReused, ReadOnly, StorageFailed, IndexUnavailable."""
        began = time.perf_counter()
        answered = await self._commands.answer(given)
        self._end(answered.reply.conversation_id, "command", began)
        if answered.waiting is None:
            return answered.reply, None
        wanted = Wanted(answered.waiting, frozenset(given.scopes))
        return answered.reply, self.begin(wanted).live

    async def _post(self, said: Saying, place: Place) -> Posted:
        taken = await self._door.take(said, place)
        wanted = Wanted(message_of(taken.line), may(said.scopes), again=taken.replayed)
        return self.begin(wanted)

    def begin(self, wanted: Wanted) -> Posted:
        """Has a message answered, unless that is under way already."""
        question = wanted.question
        live = self.replies.answering(question.id)
        own = live is None
        if live is None:
            live = OwnReply(question)
            self.replies.run(live, lambda live: self._answer(live, wanted))
        return Posted(question, live, own)

    async def _answer(self, live: OwnReply, wanted: Wanted) -> Message:
        """In the order in which the messages were stored, whichever process they wait in."""
        async with self._leases.hold(self._waiting(live.question.id)):
            async for _ in glances():
                async with self.alone(live.conversation_id):
                    turns, conversation = await asyncio.gather(
                        self._turns_before(live.question), self._maker.conversation(live.question)
                    )
                    if not await self._is_another_first(live.question, turns or ()):
                        known = replace(wanted, conversation=conversation)
                        return await self._answer_now(live, known, turns)
        raise AssertionError

    async def _answer_now(
        self, live: OwnReply, wanted: Wanted, turns: Sequence[Message] | None
    ) -> Message:
        question = wanted.question
        stored = await self._maker.stored(question) if turns is None else reply_in(turns, question)
        if stored and (wanted.instead_of is None or stored.id != wanted.instead_of.id):
            return stored  # another process was faster
        return await self._make(live, wanted)

    async def _turns_before(self, question: Message) -> list[Message] | None:
        """The turn of a message, and those before it; None when they cannot be read."""
        last = question.turn_number
        first, index = max(1, last - _LOOKED_AT), self._books.index
        try:
            return await index.turns(self._books.user, question.conversation_id, first, last)
        except IndexUnavailable:
            return None

    async def _is_another_first(self, question: Message, turns: Sequence[Message]) -> bool:
        """Whether a message before this one waits for its reply, and somebody means to make it."""
        answered = {one.turn_number for one in turns if one.role == "assistant"}
        for one in turns:
            waits = one.role == "user" and one.turn_number not in answered
            before = waits and one.seq < question.seq and one.status not in HIDDEN
            if before and await self._leases.is_held(self._waiting(one.id)):
                return True
        return False

    def _waiting(self, message_id: str) -> str:
        return f"{self._books.user} {message_id}"

    async def _make(self, live: OwnReply, wanted: Wanted) -> Message:
        began = time.perf_counter()
        with traced():
            await self._before(wanted.question)
            reply = await self._maker.make(live, wanted)
            self._end(reply.conversation_id, _outcome(reply), began)
        self._after(reply.conversation_id)
        return reply

    def _end(
        self, conversation_id: str, outcome: Outcome | Literal["command"], began: float
    ) -> None:
        self._telemetry.tell(TurnEnded(conversation_id, outcome, time.perf_counter() - began))

    @asynccontextmanager
    async def alone(self, conversation_id: str) -> AsyncGenerator[None]:
        """Nobody else replies in the conversation meanwhile; in this process, first come, first
        served."""
        order = self._order.setdefault(conversation_id, asyncio.Lock())
        async with order, self._leases.hold(self._replying(conversation_id)):
            yield

    def _replying(self, conversation_id: str) -> str:
        return f"{self._books.user} {conversation_id}"

    async def stop(self, conversation_id: str) -> bool:
        """Ends the reply that is being made in a conversation, on whatever node; returns when what
        there is of it is stored. Whether there was one. Raises StorageBusy."""
        if await self.replies.stop(conversation_id):
            return True
        lease = self._replying(conversation_id)
        return await stop_elsewhere(
            self._relay, conversation_id, lambda: self._leases.is_held(lease)
        )

    async def finish(self, wanted: Wanted) -> Reply:
        """Has a message answered, and waits for it."""
        return await self._finish(self.begin(wanted))

    async def _finish(self, posted: Posted) -> Reply:
        try:
            reply = await posted.live.wait()
        except asyncio.CancelledError:
            if posted.own:
                await posted.live.end(asked=False)
            raise
        return Reply(
            conversation_id=reply.conversation_id, turn_number=reply.turn_number, reply=reply
        )

    async def close(self) -> None:
        """Stops every reply; what there is of them is kept."""
        await self.replies.close()


def reply_in(turns: Sequence[Message], question: Message) -> Message | None:
    """The current reply to a message, among the messages of its turn and others: best the one that
    names it, as `Index.reply_to` gives it."""
    replies = [
        one
        for one in turns
        if one.role == "assistant"
        and one.turn_number == question.turn_number
        and one.seq > question.seq
        and one.status not in HIDDEN
        and one.reply_to in (None, question.id)
    ]
    return max(replies, key=lambda one: (one.reply_to is not None, one.seq), default=None)


def _outcome(reply: Message) -> Outcome:
    return reply.status if reply.status in ("interrupted", "failed") else "complete"


async def _steps(live: OwnReply | None) -> AsyncGenerator[Step]:
    if live is not None:
        async with aclosing(live.follow()) as steps:
            async for step in steps:
                yield step
