"""Exchanges: what outsiders write is kept apart, and answered as far as the owner allows."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from palaver.agent.answering import ReplyDraft
from palaver.channels.connection import Connection
from palaver.channels.debounce import Debounce
from palaver.channels.external import notices
from palaver.channels.external.answering import Outsiders
from palaver.channels.external.notices import Writer
from palaver.channels.external.said import code_of, is_claimed, is_owners, said_in
from palaver.channels.external.standing import Standing, standing_of
from palaver.channels.marks import key_of, mark_of, message_id, readable
from palaver.channels.port import Person, Received
from palaver.channels.responding import parts_of, respond_to, to_place
from palaver.conversation.books import Books
from palaver.conversation.stored import said_at
from palaver.errors import Erased, InputError, KeyReused, ModelError, NotFound
from palaver.index.port import After
from palaver.index.records import ExternalMeta, Json, Message
from palaver.leases import Leases
from palaver.ledger import lines
from palaver.ledger.lines import Draft, Line
from palaver.times import Clock, before

Audit = Callable[[str], Awaitable[Json]]
PREFIX = "ext"
YOUNG = timedelta(days=1)
"""What is older is not answered unasked."""
_PAGE = 200
_SHOWN = 50
"""So many messages of an exchange a model is shown."""
_MAX_NAME = 255
_WRITTEN = ("answer", "draft")
"""What a model is asked for."""
_TRIES = 3
"""So often a model is asked to answer a message."""
_AT_ONCE = 2
"""So many outsiders are answered at a time."""
_NOTICES, _HOUR = 20, timedelta(hours=1)
"""So many notices an hour are sent to the owner; the page has them all."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody who waits for an answer."""

    external: ExternalMeta
    by: Connection
    messages: Sequence[Message]
    """The exchange; the last one is to be answered."""
    respond: Json


class Exchanges:
    """The exchanges of one user with outsiders: what comes in, and what is answered."""

    def __init__(
        self,
        books: Books,
        connections: Mapping[str, Connection],
        outsiders: Outsiders,
        *,
        leases: Leases,
        debounce: Debounce,
        clock: Clock,
        audit: Audit,
        public_url: str | None,
    ) -> None:
        """`audit` tells what the owner would be shown for a text, and an outsider is not;
        `public_url` is where the page is, if others than this machine reach it."""
        self._audit = audit
        self._public_url = public_url
        self._books = books
        self._connections = connections
        self._leases = leases
        self._outsiders = outsiders
        self._debounce = debounce
        self._clock = clock
        self._writing = asyncio.Semaphore(_AT_ONCE)
        self._answering: set[str] = set()
        self._tried: dict[str, tuple[str, int]] = {}
        """Of each exchange, the message that could not be answered, and how often it was tried."""
        self._told: deque[datetime] = deque(maxlen=_NOTICES)

    # -- coming in ---------------------------------------------------------------------------

    async def take(self, by: Connection, received: Received) -> None:
        """Stores what an outsider wrote, with all that needs no model. Raises StorageError,
        IndexUnavailable."""
        party = _party(received)
        user = self._books.user
        async with self._leases.hold(f"{user} {by.name} external {party.id}"):
            meta = await self._books.index.external_of(user, by.name, party.id)
            stream = meta.id if meta else lines.new_id(PREFIX)
            holds = standing_of(meta, by, party.id)
            mode = holds.of(
                received.proof, by.settings.policy, personal=by.settings.role == "personal"
            )
            writes = mode in ("answer", "draft") and received.unanswerable is None
            said = _turn(by, received, stream, user, waits=writes)
            drafts = [] if meta else [_meta(stream, user, by, party)]
            drafts += [said, *await self._at_once(by, received, meta, said, mode)]
            with suppress(KeyReused, Erased):  # another process was faster
                await self._books.ledger.append(drafts)
        if writes:
            self._soon(by, stream)

    async def _at_once(
        self,
        by: Connection,
        received: Received,
        meta: ExternalMeta | None,
        said: Draft,
        mode: str,
    ) -> list[Draft]:
        """What is stored together with a message."""
        if mode != "acknowledge" or received.unanswerable is not None:
            return []
        known = meta.acknowledged if meta else False
        told: list[Draft] = []
        may = received.proof == "proven" and by.settings.role == "dedicated"
        if may and not known and received.place.kind != "group":
            told.append(_acknowledgement(by, received, said))
        if not (meta and meta.escalated):
            is_claimed = received.proof == "claimed"
            writer = Writer(by.name, received.sender.name, received.sender.id, is_claimed)
            code = None if is_claimed else code_of(said.stream)
            notice = notices.wrote(writer, received.text, code)
            about = said.body["id"]
            told.append(await self._escalation(writer, said.stream, about, "unanswered", notice))
        return told

    async def _escalation(
        self, writer: Writer, stream: str, about: str, why: str, notice: str
    ) -> Draft:
        """The owner is to look: in the page, and where they are reached, unless they were told of
        many within the hour."""
        now = self._clock()
        many = len(self._told) == _NOTICES and now - self._told[0] < _HOUR
        deliver = None if many else await self._to_owner(writer)
        if deliver is not None:
            self._told.append(now)
        if self._public_url is not None:
            notice = f"{notice}\n\n{self._public_url}/external/{stream}"
        return lines.event(
            stream, "escalated", messageId=about, why=why, notice=notice, deliver=deliver
        )

    async def _to_owner(self, writer: Writer) -> Json | None:
        """Where the owner is told: where it came in, if the agent has that to itself, or else by
        another channel. They have written from there: an identity that is misspelt may be
        anybody's, who is sent nothing of what others write."""
        user = self._books.user
        ours = [one for one in self._connections.values() if one.settings.role == "dedicated"]
        for one in sorted(ours, key=lambda one: one.name != writer.channel):
            for identity in one.identities(user):
                if await self._books.index.pinned_with(user, one.name, identity):
                    return to_place(one, *one.channel.reach(identity, writer.subject))
        return None

    # -- answering ---------------------------------------------------------------------------

    def _soon(self, by: Connection, stream: str) -> None:
        seconds = by.settings.debounce_after.total_seconds()
        self._debounce.touch(stream, seconds, lambda: self._debounce.later(self.answer(stream)))

    async def answer(self, stream: str) -> None:
        """Answers an exchange, if its last message waits for that. Raises StorageError,
        IndexUnavailable."""
        self._answering.add(stream)
        try:
            async with self._leases.hold(f"{self._books.user} {stream}"):
                with suppress(NotFound):  # it was deleted meanwhile
                    while (waiting := await self._waiting(stream)) is not None:
                        await self._write(waiting)
                self._tried.pop(stream, None)
        finally:
            self._answering.discard(stream)

    async def recover(self) -> int:
        """Answers those who waited when a process died; gives how many these are. Raises
        StorageError, IndexUnavailable."""
        since = before(self._clock(), YOUNG)
        found, after = 0, None
        while page := await self._books.index.externals(self._books.user, limit=_PAGE, after=after):
            for one in page:
                if one.updated < since:
                    return found
                if await self._is_forgotten(one):
                    self._debounce.later(self.answer(one.id))
                    found += 1
            after = After(page[-1].updated, page[-1].id)
        return found

    async def _is_forgotten(self, meta: ExternalMeta) -> bool:
        """Whether somebody waits for a model, and nobody is at it."""
        by = self._connections.get(meta.channel)
        if by is None or meta.id in self._answering or self._debounce.is_open(meta.id):
            return False
        if standing_of(meta, by, meta.party).mode not in _WRITTEN:
            return False
        with suppress(NotFound):
            return await self._waiting(meta.id) is not None
        return False

    async def _waiting(self, stream: str) -> Waiting | None:
        meta = await self._books.index.external(self._books.user, stream)
        by = self._connections.get(meta.channel)
        stored = await self._books.ledger.tail(stream, _SHOWN)
        last = _unanswered(stored)
        if by is None or last is None:
            return None
        upto = [one for one in said_in(stored) if one.seq <= last.seq and not is_claimed(one)]
        if not upto or upto[-1].id != last.id:  # it was taken back
            return None
        return Waiting(meta, by, upto[-_SHOWN:], last.data["respond"])

    async def _write(self, waiting: Waiting) -> None:
        holds = standing_of(waiting.external, waiting.by, waiting.external.party)
        question = waiting.messages[-1]
        before, tries = self._tried.get(question.conversation_id, ("", 0))
        tries = tries + 1 if before == question.id else 1
        self._tried[question.conversation_id] = (question.id, tries)
        is_personal = waiting.by.settings.role == "personal"
        if holds.mode not in _WRITTEN or is_personal:
            await self._leave_to_owner(waiting, "the policy has changed")
        elif not self._outsiders.can_write:
            await self._leave_to_owner(waiting, "no model is connected")
        elif tries > _TRIES:
            await self._leave_to_owner(waiting, "it could not be answered")
        else:
            await self._write_reply(waiting, holds)

    async def _write_reply(self, waiting: Waiting, holds: Standing) -> None:
        withheld = await self._audit(waiting.messages[-1].content)
        try:
            async with self._writing:
                draft = await self._outsiders.write(waiting.messages, holds.scope)
            if holds.mode == "answer" and holds.tier == "known":
                await self._reply(waiting, draft, withheld)
            else:
                await self._propose(waiting, draft, withheld)
        except (ModelError, InputError) as error:
            await self._leave_to_owner(waiting, error.message)

    async def _reply(self, waiting: Waiting, draft: ReplyDraft, withheld: Json) -> None:
        question = waiting.messages[-1]
        reply = lines.turn(
            waiting.external.id,
            "assistant",
            draft.content,
            channel=waiting.external.channel,
            author={"kind": "assistant"},
            model=draft.model or None,
            key=f"reply:{question.id}:1",
            replyTo=question.id,
            deliver=waiting.respond,
            withheld=withheld,
        )
        await self._add(waiting, reply)

    async def _propose(self, waiting: Waiting, draft: ReplyDraft, withheld: Json) -> None:
        question, meta = waiting.messages[-1], waiting.external
        draft_id = lines.new_id("draft")
        proposed = lines.event(
            meta.id,
            "draft",
            draftId=draft_id,
            text=draft.content,
            messageId=question.id,
            by=draft.model or None,
            respond=waiting.respond,
            key=f"draft:{question.id}",
            withheld=withheld,
        )
        writer = Writer(meta.channel, meta.name, meta.party)
        notice = notices.drafted(writer, question.content, draft.content, code_of(draft_id))
        told = await self._escalation(writer, meta.id, question.id, "draft", notice)
        await self._add(waiting, proposed, told)

    async def _leave_to_owner(self, waiting: Waiting, why: str) -> None:
        """Nobody can write: they are told that it was received, once, and the owner is asked."""
        meta, question = waiting.external, waiting.messages[-1]
        told: list[Draft] = []
        if not meta.acknowledged and waiting.respond["place"]["kind"] != "group":
            told.append(
                lines.turn(
                    meta.id,
                    "assistant",
                    notices.ACKNOWLEDGED,
                    channel=meta.channel,
                    author={"kind": "system"},
                    acknowledges=True,
                    replyTo=question.id,
                    deliver=waiting.respond,
                    key=f"acknowledged:{question.id}",
                )
            )
        writer = Writer(meta.channel, meta.name, meta.party)
        notice = notices.wrote(writer, question.content, code_of(meta.id))
        told.append(await self._escalation(writer, meta.id, question.id, why, notice))
        await self._add(waiting, *told)

    async def _add(self, waiting: Waiting, *told: Draft) -> None:
        """Stores what came of a message, unless the owner has answered meanwhile."""
        stored = await self._books.ledger.tail(waiting.external.id, _SHOWN)
        asked = waiting.messages[-1].seq
        if any(line.seq > asked and is_owners(line) for line in stored):
            return
        with suppress(KeyReused):  # another process was faster
            await self._books.ledger.append(told)


def _party(received: Received) -> Person:
    """With whom the exchange is: somebody, or a group of which the owner is not known to be."""
    place = received.place
    return Person(place.id, place.name) if place.kind == "group" else received.sender


def _meta(stream: str, user: str, by: Connection, party: Person) -> Draft:
    name = readable(party.name)[:_MAX_NAME] if party.name else None
    return lines.meta(stream, user=user, channel=by.name, party={"id": party.id, "name": name})


def _turn(by: Connection, received: Received, stream: str, user: str, *, waits: bool) -> Draft:
    sender = received.sender
    return lines.turn(
        stream,
        "user",
        readable(received.text),
        id=message_id(by.name, user, mark_of(received)),
        timestamp=said_at(received.timestamp),
        channel=by.name,
        sender=readable(sender.name or sender.id)[:_MAX_NAME],
        author={"kind": "participant", "id": sender.id, "grade": received.proof},
        key=key_of(by.name, mark_of(received)),
        parts=parts_of(received),
        replyTo=message_id(by.name, user, received.answers) if received.answers else None,
        awaitsReply=True if waits else None,
        respond=respond_to(by, received),
    )


def _acknowledgement(by: Connection, received: Received, said: Draft) -> Draft:
    return lines.turn(
        said.stream,
        "assistant",
        notices.ACKNOWLEDGED,
        channel=by.name,
        author={"kind": "system"},
        acknowledges=True,
        replyTo=said.body["id"],
        deliver=respond_to(by, received),
    )


def _unanswered(stored: Sequence[Line]) -> Line | None:
    """The last message that waits for a reply, if nothing that came later is about it, and the
    owner has not written since."""
    named: set[object] = set()
    for line in reversed(stored):
        if is_owners(line):
            return None
        if line.data.get("role") == "assistant":
            named.add(line.data.get("replyTo"))
        elif line.event in ("draft", "escalated"):
            named.add(line.data.get("messageId"))
        elif line.type == "turn" and line.data.get("awaitsReply") is True:
            return None if line.id in named else line
    return None
