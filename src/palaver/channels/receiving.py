"""Receiving: what a channel brings is stored where it belongs, once, before it is acknowledged."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any
from weakref import WeakValueDictionary

from palaver.agent.commands import Command, read_command
from palaver.channels.connection import Connection
from palaver.channels.debounce import Debounce
from palaver.channels.external.exchanges import Exchanges
from palaver.channels.marks import (
    key_of,
    keys_of,
    mark_of,
    message_id,
    readable,
    sent_key,
)
from palaver.channels.port import (
    Edited,
    Person,
    Reacted,
    Received,
    Reported,
    Retracted,
    Update,
)
from palaver.channels.responding import parts_of, respond_to
from palaver.channels.routing import Router
from palaver.conversation.books import Books
from palaver.conversation.commands import Given
from palaver.conversation.making import Wanted
from palaver.conversation.saying import EVERYTHING
from palaver.conversation.saying import Place as Spot
from palaver.conversation.stored import message_of, said_at
from palaver.conversation.turn import Turns
from palaver.errors import Erased, KeyReused
from palaver.index.records import ConversationMeta, Json
from palaver.leases import Leases
from palaver.ledger import lines
from palaver.ledger.lines import Draft, Line

MIXED = frozenset({"chat"})
"""What the owner may do where others read along: nothing that tells them of anything else."""
_SENT = 40
"""Among the messages of so many turns one is looked for of which the provider tells something."""
_MAX_NAME = 255
_COMPANY = 500
"""So many people at most are known to read along in a conversation."""


class Reception:
    """Takes what channels bring to one user."""

    def __init__(
        self,
        books: Books,
        turns: Turns,
        router: Router,
        exchanges: Exchanges,
        *,
        leases: Leases,
        debounce: Debounce,
    ) -> None:
        self._books = books
        self._turns = turns
        self._router = router
        self._exchanges = exchanges
        self._leases = leases
        self._debounce = debounce
        self._order: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """First come, first served, in each place."""

    async def take(self, by: Connection, update: Update) -> None:
        """Returns once it is safe. What is known already changes nothing. Raises StorageError,
        IndexUnavailable: then it is not acknowledged."""
        match update:
            case Received():
                await self._received(by, update)
            case Edited():
                fields: Json = {"content": readable(update.text)}
                await self._changed(by, update, "edited", fields)
            case Retracted():
                await self._changed(by, update, "retracted", {})
            case Reacted():
                told: Json = {"emoji": readable(update.emoji)[:_MAX_NAME], "by": update.sender.id}
                await self._changed(
                    by, update, "reacted", told if update.emoji else {"by": told["by"]}
                )
            case Reported():
                await self._reported(by, update)

    # -- messages ----------------------------------------------------------------------------

    async def _received(self, by: Connection, received: Received) -> None:
        user, place = self._books.user, received.place.id
        order = self._order.setdefault(f"{by.name} {place}", asyncio.Lock())
        async with order, self._leases.hold(f"{user} {by.name} {place}"):
            own = by.is_owner(user, received.sender, received.proof)
            command = read_command(received.text) if own and _is_answered(received) else None
            if await self._is_known(*keys_of(by.name, received)):
                if command and command.name == "new" and command.argument:
                    await self._say_behind(by, received, command)  # a kill may have come between
                return
            conversation = await self._conversation(by, received, own=own)
            if conversation is None and not own:
                await self._exchanges.take(by, received)
            elif command:
                await self._command(by, received, conversation, command)
            else:
                await self._say(by, received, conversation)

    async def _is_known(self, *keys: str) -> bool:
        """Whether it was taken before; what was erased since stays erased."""
        try:
            return any([await self._books.ledger.where(key) is not None for key in keys])
        except Erased:
            return True

    async def _conversation(
        self, by: Connection, received: Received, *, own: bool
    ) -> ConversationMeta | None:
        """Where it goes on. An outsider has a place only in what the owner shares with them."""
        found = await self._router.find(by, received)
        if found is None or own:
            return found
        is_there = received.sender.id in found.participants and received.proof == "proven"
        shares = received.place.kind == "group" or is_there
        return found if found.has_company and shares else None

    async def _say(
        self, by: Connection, received: Received, conversation: ConversationMeta | None
    ) -> None:
        user = self._books.user
        own = by.is_owner(user, received.sender, received.proof)
        others = [one for one in received.others if by.owners.get(one.id) != user]
        mixed = received.place.kind == "group" or bool(others)
        before: list[Draft] = []
        if conversation and mixed and not conversation.has_company:
            # What was said between two is not for whoever reads along from now on.
            before = [lines.event(conversation.id, "unpinned")]
            conversation = None
        mixed = mixed or (conversation is not None and conversation.has_company)
        if conversation is None:
            before.append(self._router.begin(by, received, mixed=mixed))
        elif own:
            before += _widened(conversation, others)
        stream = conversation.id if conversation else before[-1].stream
        wants = own and _is_answered(received)
        said = self._turn(by, received, stream, own=own, wants=wants, mixed=mixed)
        try:
            appended = (await self._books.ledger.append([*before, said]))[-1]
        except (KeyReused, Erased):  # another process was faster
            return
        if wants and not appended.replayed:
            self._answer(by, appended.line, MIXED if mixed else EVERYTHING)

    def _turn(
        self,
        by: Connection,
        received: Received,
        stream: str,
        *,
        own: bool,
        wants: bool,
        mixed: bool,
    ) -> Draft:
        sender, user = received.sender, self._books.user
        author = (
            {"kind": "owner", "id": user, "grade": received.proof}
            if own
            else {"kind": "participant", "id": sender.id, "grade": received.proof}
        )
        return lines.turn(
            stream,
            "user",
            readable(received.text),
            debounced=wants and self._debounce.is_open(stream),
            id=message_id(by.name, user, mark_of(received)),
            timestamp=said_at(received.timestamp),
            channel=by.name,
            sender=readable(sender.name or sender.id)[:_MAX_NAME],
            author=author,
            key=key_of(by.name, mark_of(received)),
            parts=parts_of(received),
            replyTo=message_id(by.name, user, received.answers) if received.answers else None,
            awaitsReply=True if wants else None,
            scopes=sorted(MIXED) if wants and mixed else None,
            respond=respond_to(by, received) if wants else None,
        )

    def _answer(self, by: Connection, line: Line, scopes: frozenset[str]) -> None:
        wanted = Wanted(message_of(line), scopes)
        seconds = by.settings.debounce_after.total_seconds()
        self._debounce.touch(line.stream, seconds, _later(self._turns, wanted))

    # -- commands ----------------------------------------------------------------------------

    async def _command(
        self,
        by: Connection,
        received: Received,
        conversation: ConversationMeta | None,
        command: Command,
    ) -> None:
        """A command of the owner is answered at once. What stands behind `/new` is the first
        message of the new conversation."""
        others = [one for one in received.others if by.owners.get(one.id) != self._books.user]
        mixed = received.place.kind == "group" or bool(others)
        if conversation is None:
            begun = self._router.begin(by, received, mixed=mixed)
            await self._books.ledger.append([begun])
            stream = begun.stream
        else:
            stream, mixed = conversation.id, mixed or conversation.has_company
        behind = command.argument if command.name == "new" else ""
        given = Given(
            replace(command, argument="") if behind else command,
            f"/{command.name}" if behind else readable(received.text),
            Spot(by.name, stream),
            key_of(by.name, received.id).partition(":")[2],
            MIXED if mixed else EVERYTHING,
            surface=by.name,
            deliver=respond_to(by, received),
        )
        with suppress(Erased):  # what the answer tells of was erased meanwhile
            await self._turns.obey(given)
        if behind:
            await self._say_behind(by, received, command)

    async def _say_behind(self, by: Connection, received: Received, command: Command) -> None:
        """What stands behind `/new` is said in the conversation that it has begun, once."""
        first = replace(received, id=f"{received.id}#", text=command.argument)
        if not await self._is_known(key_of(by.name, first.id)):
            await self._say(by, first, await self._router.find(by, received))

    # -- what becomes of messages ------------------------------------------------------------

    async def _changed(
        self, by: Connection, update: Edited | Retracted | Reacted, event: str, fields: Json
    ) -> None:
        """Somebody changes what they said, or reacts to something. Only who said it changes it."""
        key = key_of(by.name, update.message)
        with suppress(Erased, KeyReused):
            stream = await self._books.ledger.where(key)
            if stream is None:
                return
            named = message_id(by.name, self._books.user, update.message)
            if event != "reacted" and not await self._is_theirs(
                by, stream, named, update.sender.id
            ):
                return
            told = lines.event(
                stream, event, messageId=named, key=key_of(by.name, update.id), **fields
            )
            await self._books.ledger.append([told])

    async def _is_theirs(self, by: Connection, stream: str, named: str, person_id: str) -> bool:
        for line in reversed(await self._books.ledger.tail(stream, _SENT)):
            if line.id == named:
                author: Any = line.data.get("author")
                owner = by.owners.get(person_id)
                return bool(author) and author.get("id") in (person_id, owner)
        return False

    async def _reported(self, by: Connection, told: Reported) -> None:
        """What the provider tells of a message that was sent."""
        with suppress(Erased):
            stream = await self._books.ledger.where(sent_key(by.name, told.message))
            if stream is None:
                return
            for line in reversed(await self._books.ledger.tail(stream, _SENT)):
                if line.event == "delivered" and line.data.get("providerId") == told.message:
                    await self._report(line, told)
                    return

    async def _report(self, sent: Line, told: Reported) -> None:
        named = sent.data.get("messageId")
        if told.reach == "sent" or not isinstance(named, str):
            return
        why = readable(told.why)[:_MAX_NAME] if told.why else None
        key = f"report:{named}:{told.message}:{told.reach}"[:_MAX_NAME]
        with suppress(KeyReused):
            await self._books.ledger.append(
                [
                    lines.event(
                        sent.stream,
                        "delivery_reported",
                        messageId=named,
                        part=sent.data.get("part"),
                        reach=told.reach,
                        why=why,
                        key=key,
                    )
                ]
            )


def _widened(conversation: ConversationMeta, others: Sequence[Person]) -> list[Draft]:
    """Whoever else is written to reads along from now on, and may write there."""
    known = conversation.participants
    new = [one.id for one in others if one.id not in known]
    widened = [*known, *new][:_COMPANY]
    if len(widened) == len(known):
        return []
    return [lines.event(conversation.id, "meta_update", participants=widened)]


def _is_answered(received: Received) -> bool:
    """Whether it is said to the agent, by somebody and not by a machine."""
    return received.addressed and received.unanswerable is None


def _later(turns: Turns, wanted: Wanted) -> Callable[[], None]:
    def begin() -> None:
        turns.begin(wanted)

    return begin
