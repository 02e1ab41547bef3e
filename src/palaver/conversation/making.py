"""Making a reply: the context, whoever answers, and the line that is stored, whatever happens."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import asdict, dataclass
from typing import Any

from pydantic.alias_generators import to_camel

from palaver.agent.answering import Answerer, ReplyDraft, Task
from palaver.agent.toolbox import Caller
from palaver.context.builder import ContextBuilder
from palaver.context.memories import MAY_READ
from palaver.context.packet import ContextPacket
from palaver.conversation.books import Books
from palaver.conversation.conversations import Conversations
from palaver.conversation.frames import LedgerFrames, earlier_frames
from palaver.conversation.own_reply import OwnReply
from palaver.conversation.sources import Sources
from palaver.conversation.stored import author_of, message_of
from palaver.conversation.streams import WEB
from palaver.errors import (
    BadText,
    BadValue,
    Erased,
    IndexUnavailable,
    KeyReused,
    ModelError,
    ModelMalformed,
    TooLarge,
)
from palaver.events.relay import Question
from palaver.index.records import ConversationMeta, Json, Message
from palaver.ledger import lines
from palaver.ledger.lines import Line

RESPOND = "respond"
"""Of a message that came by a channel: where its reply is to be sent."""
TRY_AGAIN: Json = {"type": "regenerate", "label": "Try again"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """A reply that is wanted."""

    question: Message
    scopes: frozenset[str]
    """What whoever wants it may do."""
    again: bool = False
    """Whether there may have been an earlier attempt."""
    instead_of: Message | None = None
    """The reply it takes the place of."""
    conversation: ConversationMeta | None = None
    """As it is when the reply is to be made, if that is known."""

    def keeps(self, draft: ReplyDraft) -> bool:
        """Whether the old reply stays, because it is better than what came instead."""
        old = self.instead_of
        return old is not None and old.status == "complete" and not says_something(draft)

    @property
    def attempt(self) -> int:
        """The number of the first attempt that may be free."""
        number = (self.instead_of.key or "").rpartition(":")[2] if self.instead_of else ""
        return int(number) + 1 if number.isdecimal() else 1


@dataclass(frozen=True, slots=True)
class _Ended:
    """How an attempt came to its end."""

    packet: ContextPacket | None
    """What whoever answers was given; None when it did not come to that."""
    error: ModelError | None = None
    cut_off: bool = False
    """Whether somebody stopped it, or the process is to end."""

    @property
    def is_whole(self) -> bool:
        return self.error is None and not self.cut_off


class Maker:
    """Makes replies. Only whoever has the lease of the conversation may ask for one."""

    def __init__(
        self,
        books: Books,
        conversations: Conversations,
        sources: Sources,
        context: ContextBuilder,
        answerer: Answerer,
    ) -> None:
        self._books = books
        self._conversations = conversations
        self._sources = sources
        self._context = context
        self.answerer = answerer

    async def make(self, live: OwnReply, wanted: Wanted) -> Message:
        """The reply, stored: complete, interrupted, or a notice that it failed.

        Raises CancelledError when it was cut off before anything was said, unless somebody stopped
        it; ModelError when a good reply would have to go for a notice; and what the ledger raises.
        """
        while True:
            live.begin()
            ended = await self._attempt(live, wanted)
            live.keep()
            if await self._sources.gone(live.draft.sources):
                if ended.is_whole:
                    continue  # something was erased while it was being quoted
                live.draft = ReplyDraft()
            if wanted.instead_of and wanted.keeps(live.draft):
                if ended.error:
                    raise ended.error
                return wanted.instead_of
            await self._sources.check(live.draft.sources)
            line = await self._land(live, wanted, _fields(live.draft, ended))
            try:
                await self._sources.check_kept([line])
            except Erased:
                if not ended.is_whole:
                    raise
                continue
            return message_of(line)

    # -- asking ------------------------------------------------------------------------------

    async def _task(self, wanted: Wanted) -> Task:
        question = wanted.question
        packet, model, company = await self._packet(wanted)
        return Task(
            question=question,
            packet=packet,
            model=model,
            caller=Caller(
                question.conversation_id,
                wanted.scopes,
                asked=question.timestamp,
                message_id=question.id,
                company=company,
            ),
            earlier=await earlier_frames(self._books, question) if wanted.again else (),
        )

    async def _packet(self, wanted: Wanted) -> tuple[ContextPacket, str | None, bool]:
        """What is shown, to which model, and whether others read along. Without an index a message
        is answered all the same, with nothing before it; who reads along by a channel is not known
        then."""
        question = wanted.question
        try:
            conversation = wanted.conversation or await self._conversations.get(
                question.conversation_id
            )
            packet = await self._context.build(
                conversation, question, memories=MAY_READ in wanted.scopes
            )
            return packet, conversation.model, conversation.has_company
        except IndexUnavailable as error:
            by_channel = question.channel not in (None, WEB)
            return self._context.alone(question, error.message), None, by_channel

    async def _attempt(self, live: OwnReply, wanted: Wanted) -> _Ended:
        packet = None
        try:
            task = await self._task(wanted)
            packet = task.packet
            await self._ask(live, task)
        except ModelError as error:
            return _Ended(packet, error)
        except asyncio.CancelledError:
            if not live.stopped and not says_something(live.draft):
                raise
            if asking := asyncio.current_task():
                asking.uncancel()
            return _Ended(packet, cut_off=True)
        return _Ended(packet)

    async def _ask(self, live: OwnReply, task: Task) -> None:
        frames = LedgerFrames(self._books, task.question, live.message_id)
        async with aclosing(self.answerer.answer(task, live.draft, frames)) as deltas:
            async for delta in deltas:
                live.tell(delta)
        if not says_something(live.draft):
            raise ModelMalformed("The model gave an empty reply.")

    # -- storing -----------------------------------------------------------------------------

    async def _land(self, live: OwnReply, wanted: Wanted, fields: dict[str, Any]) -> Line:
        """Stores it under the first number that is free; another process may have been faster."""
        attempt = wanted.attempt
        while True:
            try:
                return await self._store(live, wanted, fields, attempt)
            except (BadText, BadValue, TooLarge):
                error = ModelMalformed("The model gave a reply that cannot be stored.")
                notice = {**_failure(error), "packet": fields["packet"]}
                if fields == notice:
                    raise
                fields = notice
            except KeyReused:
                if stored := await self._line_of_reply(wanted.question):
                    return stored
                attempt += 1
            except Erased:  # an erased reply stays erased; this one takes its place
                attempt += 1

    async def _store(
        self, live: OwnReply, wanted: Wanted, fields: dict[str, Any], attempt: int
    ) -> Line:
        question = wanted.question
        says_it = bool(fields["content"].strip())
        draft = lines.turn(
            question.conversation_id,
            "assistant",
            **fields,
            deliver=await self._addressee(wanted) if says_it else None,
            id=live.message_id,
            channel=question.channel,
            author=author_of("assistant", self._books.user),
            turnNumber=question.turn_number,
            key=f"reply:{question.id}:{attempt}",
            replyTo=question.id,
            supersedes=wanted.instead_of.id if wanted.instead_of else None,
        )
        return (await self._books.ledger.append([draft]))[0].line

    async def _addressee(self, wanted: Wanted) -> Json | None:
        """Where the reply is to be sent, if the question came by a channel. One that is made again
        is made in the page, and stays there."""
        question = wanted.question
        if wanted.instead_of is not None or question.channel in (None, WEB):
            return None
        found = await self._books.ledger.read(
            question.conversation_id, after=question.seq - 1, limit=1
        )
        return found[0].data.get(RESPOND) if found and found[0].id == question.id else None

    async def _line_of_reply(self, question: Message | Question) -> Line | None:
        """Of all replies to a message, the last one that is not erased."""
        later = await self._books.ledger.read(question.conversation_id, after=question.seq)
        replies = [line for line in later if line.data.get("replyTo") == question.id]
        return replies[-1] if replies else None

    async def conversation(self, question: Message) -> ConversationMeta | None:
        """The conversation of a message; None when it cannot be read now. Raises NotFound."""
        try:
            return await self._conversations.get(question.conversation_id)
        except IndexUnavailable:
            return None

    async def stored(self, question: Message | Question) -> Message | None:
        """The reply that a message has."""
        try:
            return await self._books.index.reply_to(self._books.user, question.id)
        except IndexUnavailable:
            line = await self._line_of_reply(question)
            return message_of(line) if line else None


def says_something(draft: ReplyDraft) -> bool:
    return bool(draft.content.strip())


def _fields(draft: ReplyDraft, ended: _Ended) -> dict[str, Any]:
    """What is stored of a reply."""
    usage = draft.usage
    fields: dict[str, Any] = {
        "content": draft.content,
        "model": draft.model or None,
        "thinkingText": draft.thinking or None,
        "toolCalls": draft.tool_calls or None,
        "usage": usage and {to_camel(name): n for name, n in asdict(usage).items() if n},
        "cost": draft.cost,
        "sources": [source.to_json() for source in draft.sources] or None,
        "packet": ended.packet.references.to_json() if ended.packet else None,
    }
    if ended.error and not says_something(draft):
        return fields | _failure(ended.error)
    if ended.error:
        fields |= _failure(ended.error) | {"content": draft.content}
    if draft.cut or not ended.is_whole:
        fields["status"] = "interrupted"
    return fields


def _failure(error: ModelError) -> Json:
    """A notice, with all that somebody needs to try again."""
    told = {"code": error.code, "message": error.message, "remedy": error.remedy}
    return {
        "content": f"{error.message} {error.remedy}",
        "status": "failed",
        "customPayload": {"error": told},
        "suggestedActions": [TRY_AGAIN],
    }
