"""Happenings: what becomes of conversations, in the order in which it was stored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import suppress
from typing import Literal, NamedTuple

from pydantic import Field

from palaver.conversation.books import Books
from palaver.conversation.delivered import with_deliveries
from palaver.conversation.streams import PREFIX
from palaver.errors import NotFound
from palaver.events import Events
from palaver.events.port import Heard
from palaver.index.day_fold import is_label
from palaver.index.delivery_fold import EVENTS as OF_DELIVERIES
from palaver.index.external_fold import PREFIX as EXTERNAL
from palaver.index.memory_fold import FORGOTTEN, TELLING
from palaver.index.records import ConversationMeta, Message, Record
from palaver.ledger.lines import USER_STREAM, Line
from palaver.recall.search import check_limit

Kind = Literal[
    "created", "message", "renamed", "changed", "removed", "day_summary", "memory", "external"
]
MOST = 200
"""How many lines are looked at in one go."""
LOOK_ANYWAY = 30.0
"""After so many seconds without a hint whoever listens looks all the same."""


_ALWAYS = ("removed", "memory", "external")
"""What is told without looking what there is now."""


class Happening(Record):
    """One step in what became of a conversation."""

    pos: int
    """Where it stands among everything of the user; the event id of live updates."""
    kind: Kind
    """A conversation was created, renamed, changed in another way, or removed; messages came, or
    became others; a day has another summary; memories are no longer what they were; or something
    has become of an exchange with an outsider."""
    conversation_id: str | None
    """None for memories and exchanges."""
    conversation: ConversationMeta | None = None
    """As it is now; None for a message, and for what was removed."""
    messages: list[Message] = Field(default=[])
    """Those that are concerned, as they are now."""
    day: str | None = None
    """Which day of the continuous conversation has another summary."""
    memory_ids: list[str] = Field(default=[])
    """The memories that are new, changed or forgotten; none are named of those that went with what
    they stood on."""
    external_id: str | None = None
    """Which exchange it is."""


class Happenings(Record):
    """Some steps, in order."""

    happenings: list[Happening]
    pos: int
    """How far they reach: go on from here."""
    more: bool
    """Whether there may be more behind them."""


class _Told(NamedTuple):
    """What a line tells without the index."""

    pos: int
    kind: Kind
    conversation_id: str | None
    message_ids: tuple[str, ...] = ()
    day: str | None = None
    memory_ids: tuple[str, ...] = ()
    external_id: str | None = None


class Listening:
    """Follows what becomes of the conversations of one user."""

    def __init__(self, books: Books, events: Events) -> None:
        self._books = books
        self._events = events

    async def since(self, after: int, limit: int = MOST) -> Happenings:
        """What happened after a position. Raises TooFarBehind, IndexUnavailable."""
        check_limit(limit)
        since = await self._books.ledger.since(after, limit=limit)
        told = [one for line in since.lines if (one := _told(line))]
        found = await self._found(told) if told else []
        return Happenings(happenings=found, pos=since.pos, more=since.more)

    async def listen(self, after: int | None) -> AsyncGenerator[Happenings]:
        """What happens from now on, or after a position, until the caller has enough."""
        with self._events.listen(self._books.user) as hints:
            pos = await self._books.ledger.position() if after is None else after
            while True:
                found = await self.since(pos)
                pos = found.pos
                if found.happenings:
                    yield found
                if found.more:
                    continue
                await _reason_to_look(hints, pos)

    async def _found(self, told: Iterable[_Told]) -> list[Happening]:
        index, user = self._books.index, self._books.user
        about = [
            one.conversation_id
            for one in told
            if one.conversation_id and one.kind not in ("message", "removed")
        ]
        metas = await index.described(user, list(dict.fromkeys(about))) if about else {}
        ids = [message_id for one in told for message_id in one.message_ids]
        said = await with_deliveries(self._books, await index.find(user, ids)) if ids else []
        messages = {one.id: one for one in said}
        found: list[Happening] = []
        for one in told:
            concerned = [
                message
                for message_id in one.message_ids
                if (message := messages.get(message_id) or await self._erased(one, message_id))
            ]
            meta = metas.get(one.conversation_id or "") if one.kind != "message" else None
            if one.kind in _ALWAYS or meta or concerned:  # else it is gone by now
                found.append(
                    Happening(
                        pos=one.pos,
                        kind=one.kind,
                        conversation_id=one.conversation_id,
                        conversation=meta,
                        messages=concerned,
                        day=one.day,
                        memory_ids=list(one.memory_ids),
                        external_id=one.external_id,
                    )
                )
        return found

    async def _erased(self, told: _Told, message_id: str) -> Message | None:
        """What is left of a message; None when even its conversation is gone."""
        try:
            return await self._books.index.message(
                self._books.user, told.conversation_id or "", message_id
            )
        except NotFound:
            return None


async def _reason_to_look(hints: Heard, pos: int) -> None:
    """Returns when there may be more than `pos`, or when a hint may have been lost: whoever stored
    something may have died before telling anybody."""
    with suppress(TimeoutError):
        async with asyncio.timeout(LOOK_ANYWAY):
            while (hint := await hints.next()).pos <= pos and not hint.missed:
                pass


def _told(line: Line) -> _Told | None:
    if line.stream.startswith(f"{PREFIX}-"):
        return _of_conversation(line)
    if line.stream.startswith(EXTERNAL):
        return _Told(line.pos, "external", None, external_id=line.stream)
    return _of_user(line) if line.stream == USER_STREAM else None


def _of_user(line: Line) -> _Told | None:
    data = line.data
    match line.event:
        case "deleted" if isinstance(gone := data.get("stream"), str):
            return _of_deletion(line.pos, gone)
        case event if event == FORGOTTEN:
            named = _ids(data.get("memoryIds", ()))
        case event if event in TELLING:
            named = _ids([data.get("memoryId")])
        case "redacted":  # memories went with what they stood on
            named = ()
        case _:
            return None
    return _Told(line.pos, "memory", None, memory_ids=named)


def _of_deletion(pos: int, stream: str) -> _Told | None:
    if stream.startswith(EXTERNAL):
        return _Told(pos, "external", None, external_id=stream)
    return _Told(pos, "removed", stream) if stream.startswith(f"{PREFIX}-") else None


def _of_conversation(line: Line) -> _Told:
    if line.type == "turn":
        named = (line.id, line.data.get("supersedes"))
        return _Told(line.pos, "message", line.stream, _ids(named))
    if line.type == "meta":
        return _Told(line.pos, "created", line.stream)
    return _of_event(line)


def _of_event(line: Line) -> _Told:
    match line.event:
        case "title_assigned":
            return _Told(line.pos, "renamed", line.stream)
        case event if event in ("edited", "retracted", "superseded", *OF_DELIVERIES):
            return _Told(line.pos, "message", line.stream, _ids([line.data.get("messageId")]))
        case "day_summary" if is_label(label := line.data.get("day")):
            return _Told(line.pos, "day_summary", line.stream, day=label)
        case "redacted":
            targets = (target.get("id") for target in line.data.get("targets", ()))
            return _Told(line.pos, "changed", line.stream, _ids(targets))
        case _:
            return _Told(line.pos, "changed", line.stream)


def _ids(named: Iterable[object]) -> tuple[str, ...]:
    return tuple(one for one in named if isinstance(one, str))
