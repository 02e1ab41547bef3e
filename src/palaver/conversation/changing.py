"""Changing a turn: the last message said otherwise, or a reply made again. The old ones are kept,
superseded."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from palaver.context.wire import told_with
from palaver.conversation.books import Books
from palaver.conversation.learning import Learning
from palaver.conversation.making import Wanted
from palaver.conversation.messages import Messages
from palaver.conversation.records import Reply
from palaver.conversation.saying import Saying, limited, may
from palaver.conversation.seen import WANTED, as_seen
from palaver.conversation.stored import API, message_of, namespaced
from palaver.conversation.streams import Streams
from palaver.conversation.turn import Turns
from palaver.errors import Conflict, Outdated
from palaver.index.port import Where
from palaver.index.records import Message
from palaver.index.rows import HIDDEN
from palaver.ledger import lines
from palaver.ledger.port import Appended, Expected

_NEVER = -1
"""No stream is so long."""
_LOOKED_AT = 50
"""The last message of the user is among so many."""


class Changes:
    """Changes what was said last, and what was replied."""

    def __init__(
        self,
        books: Books,
        messages: Messages,
        streams: Streams,
        turns: Turns,
        learning: Learning,
    ) -> None:
        self._books = books
        self._messages = messages
        self._streams = streams
        self._turns = turns
        self._learning = learning

    async def edit(
        self,
        conversation_id: str,
        message_id: str,
        text: str,
        *,
        key: str | None = None,
        scopes: Collection[str] | None = None,
        version: int | None = None,
    ) -> Reply:
        """Says the last message of the user otherwise, and answers that. A repeated key gives the
        first result again. Raises InputError, NotFound, Conflict, ReadOnly, IndexUnavailable."""
        old = await self._messages.message(conversation_id, message_id)
        channel = await self._streams.writable(conversation_id)
        said = Saying(
            text,
            namespaced(API, key),
            scopes=limited(scopes),
            instead_of=old,
            context=told_with(old),
        )
        lines.check_draft(said.drafts(conversation_id, channel, self._books.user)[-1])
        if await self._edited_before(old, said) is None:
            await self._check_last(old)
            await self._as_seen(old, version)
        if under_way := self._turns.replies.answering(message_id):
            under_way.stop(asked=False)
        async with self._turns.alone(conversation_id):
            question = await self._edited_before(old, said)
            if question is None:
                await self._check_last(old)
                question = await self._write(old, said, channel, await self._as_seen(old, version))
            await self._learning.taken_back(old, question)
        return await self._turns.finish(Wanted(question, may(said.scopes), again=True))

    async def _edited_before(self, old: Message, said: Saying) -> Message | None:
        """What the same edit gave before."""
        if said.key is None:
            return None
        found = await self._books.index.turns(
            self._books.user, old.conversation_id, old.turn_number, old.turn_number
        )
        same = (one for one in found if one.supersedes == old.id and one.key == said.key)
        return next((one for one in same if one.content == said.text), None)

    async def _check_last(self, old: Message) -> None:
        page = await self._books.index.messages(
            self._books.user, old.conversation_id, Where(), limit=_LOOKED_AT
        )
        said = [one for one in page.messages if one.role == "user" and one.status not in HIDDEN]
        if not said or said[-1].id != old.id:
            raise Conflict(
                "Only the last message of yours can be edited.",
                remedy="Send a new message; what was said before stays as it was.",
            )

    async def _as_seen(self, old: Message, version: int | None) -> Expected:
        """What the ledger is to expect. The reply to `old` may have come since `version`: it goes
        with it. Raises Outdated."""
        return await as_seen(
            self._books,
            old.conversation_id,
            version,
            ignored=lambda line: line.data.get("replyTo") == old.id,
        )

    async def _write(self, old: Message, said: Saying, channel: str, expected: Expected) -> Message:
        drafts = said.drafts(old.conversation_id, channel, self._books.user)
        if reply := await self._books.index.reply_to(self._books.user, old.id):
            gone = lines.event(old.conversation_id, "superseded", messageId=reply.id)
            drafts.insert(0, gone)
        drafts = [*await self._learning.read_again(old), *drafts]
        appended = await self._books.ledger.append(drafts, expected=expected)
        return message_of(appended[-1].line)

    async def regenerate(
        self,
        conversation_id: str,
        message_id: str,
        *,
        key: str | None = None,
        scopes: Collection[str] | None = None,
    ) -> Reply:
        """Makes a reply again, or the one that a message of the user has not got. A repeated key
        gives the first result again.

        A good reply stays when nothing comes instead of it. Raises NotFound, Conflict, ReadOnly,
        ModelError, IndexUnavailable.
        """
        named = await self._messages.message(conversation_id, message_id)
        await self._streams.writable(conversation_id)
        asked = await self._asked(named, namespaced(API, key)) if key is not None else None
        question = await self._question(named, again=bool(asked and asked.replayed))
        reply = await self._books.index.reply_to(self._books.user, question.id)
        if asked and asked.replayed and reply and reply.seq > asked.line.seq:
            return Reply(
                conversation_id=conversation_id, turn_number=reply.turn_number, reply=reply
            )
        wanted = Wanted(question, may(limited(scopes)), again=True, instead_of=reply)
        return await self._turns.finish(wanted)

    async def _asked(self, named: Message, key: str | None) -> Appended:
        """Notes that a reply is wanted, once for each key. Raises KeyReused, Conflict."""
        asked = lines.event(named.conversation_id, WANTED, messageId=named.id, key=key)
        # Nothing can be wanted any more of what is gone: then only what was noted before counts.
        gone = {named.conversation_id: _NEVER} if named.status in HIDDEN else {}
        try:
            return (await self._books.ledger.append([replace(asked, here=True)], expected=gone))[0]
        except Outdated:
            raise _nothing_to_answer() from None

    async def _question(self, named: Message, *, again: bool) -> Message:
        """What is to be answered: the message itself, or the one that a reply answers. When it is
        asked for `again`, that reply may have gone for another."""
        turn = await self._books.index.turns(
            self._books.user, named.conversation_id, named.turn_number, named.turn_number
        )
        asked = [one for one in turn if one.role == "user" and one.status not in HIDDEN]
        wanted = named.reply_to or named.id
        exact = [one for one in asked if one.id == wanted]
        if not asked or (named.status in HIDDEN and not again):
            raise _nothing_to_answer()
        return (exact or asked)[-1]


def _nothing_to_answer() -> Conflict:
    return Conflict(
        "There is no message any more that could be answered again.",
        remedy="Send a new message.",
    )
