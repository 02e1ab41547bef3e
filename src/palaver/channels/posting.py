"""Posting: what is to be sent is sent, in order, and what became of it is written down.

What is due is derived from the ledger. A part that was begun and never ended is sent again only
where the provider shows it once.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from palaver.channels.connection import Connection
from palaver.channels.external.said import is_owners
from palaver.channels.marks import sent_key
from palaver.channels.port import Outgoing, Place
from palaver.conversation.books import Books
from palaver.errors import (
    ChannelError,
    ChannelRefused,
    ChannelUncertain,
    ChannelUnreachable,
    Conflict,
    Erased,
    KeyReused,
    NotFound,
    StorageError,
)
from palaver.index import values
from palaver.index.records import Delivery, Json
from palaver.jobs.schedule import pause_after
from palaver.leases import Leases
from palaver.ledger import lines
from palaver.ledger.lines import Line
from palaver.times import Clock, iso, parse

log = logging.getLogger(__name__)

_AT_ONCE = 1000
GIVEN_UP = timedelta(days=3)
"""What could not be sent for so long is not tried any more."""
_FAULT = "A fault in Palaver, or in the channel, kept it from being sent: the log says which."
_TEXTS = ("content", "answer", "notice")
"""Where a line holds what is to be sent: a message, the answer to a command, a notice."""


@dataclass(frozen=True, slots=True)
class _Post:
    """Something to be sent, and how far it has come."""

    by: Connection
    due: Delivery
    line: Line
    place: Place
    parts: list[str]

    @property
    def to(self) -> Json:
        return self.line.data["deliver"]


class Postman:
    """Sends what one user's channels are to deliver."""

    def __init__(
        self,
        books: Books,
        connections: Mapping[str, Connection],
        leases: Leases,
        clock: Clock,
    ) -> None:
        self._books = books
        self._connections = connections
        self._leases = leases
        self._clock = clock

    async def deliver(self) -> datetime | None:
        """Sends all that is due now; gives when something is to be tried again. Raises
        StorageError, IndexUnavailable."""
        done: set[tuple[str, str]] = set()
        later: list[datetime] = []
        while due := await self._due(done):
            done |= {(one.message_id, one.updated) for one in due}
            later += [parse(one.after) for one in due if self._waits(one) and one.after]
            by_channel: defaultdict[str, list[Delivery]] = defaultdict(list)
            for one in due:
                if one.channel in self._connections and not self._waits(one):
                    by_channel[one.channel].append(one)
            # A provider that takes long keeps nobody waiting but its own.
            await asyncio.gather(*map(self._post_all, by_channel.values()))
        return min(later, default=None)

    async def _post_all(self, due: Sequence[Delivery]) -> None:
        for one in due:
            await self._post(one)

    def _waits(self, one: Delivery) -> bool:
        """Whether it is tried again later."""
        return one.after is not None and parse(one.after) > self._clock()

    async def again(self, message_id: str) -> Delivery:
        """Has something sent again that failed. Raises NotFound, Conflict, StorageError."""
        found = await self._books.index.delivery(self._books.user, message_id)
        if found.state != "failed":
            raise Conflict(
                "Only what could not be delivered is sent again.",
                remedy="Wait until it is delivered, or fails.",
            )
        event = lines.event(found.conversation_id, "delivery_retried", messageId=message_id)
        await self._books.ledger.append([event])
        return await self._books.index.delivery(self._books.user, message_id)

    async def _due(self, done: set[tuple[str, str]]) -> list[Delivery]:
        found = await self._books.index.outbox(self._books.user, limit=_AT_ONCE)
        return [one for one in found if (one.message_id, one.updated) not in done]

    async def _post(self, due: Delivery) -> None:
        """One at a time for each place, among all processes."""
        user = self._books.user
        async with self._leases.hold(f"{user} posting {due.channel} {due.place}"):
            with suppress(NotFound):  # it was erased, or another process was faster
                due = await self._books.index.delivery(user, due.message_id)
                if due.state in ("waiting", "sending") and (post := await self._prepared(due)):
                    await self._try(post)

    async def _prepared(self, due: Delivery) -> _Post | None:
        found = await self._books.ledger.read(due.conversation_id, after=due.seq - 1, limit=1)
        if not found or not isinstance(found[0].data.get("deliver"), dict):
            return None
        line, by = found[0], self._connections[due.channel]
        text = next((told for name in _TEXTS if (told := values.text(line.data.get(name)))), "")
        given = line.data["deliver"]["place"]
        place = Place(given["kind"], given["id"], given.get("name"))
        return _Post(by, due, line, place, by.channel.split(text))

    async def _try(self, post: _Post) -> None:
        """A fault of ours, or of whoever brings the channel, keeps one message from being sent, and
        not those behind it."""
        try:
            await self._send(post)
        except (StorageError, NotFound):
            raise
        except Exception as error:  # noqa: BLE001 - the others are sent
            log.error("delivery_fault %s %s", post.by.name, type(error).__name__)
            await self._fail(post, ChannelError(_FAULT))

    async def _send(self, post: _Post) -> None:
        due, channel = post.due, post.by.channel
        if due.parts >= len(post.parts):  # all of it was sent before
            last = len(post.parts) - 1
            await self._tell(post, "delivered", part=last, parts=len(post.parts))
            return
        if due.part is not None and not channel.repeatable:
            await self._fail(post, ChannelUncertain())
            return
        for number in range(due.parts, len(post.parts)):
            await self._tell(post, "delivery_started", part=number)
            try:
                provider_id = await channel.send(_outgoing(post, number))
            except ChannelUncertain as error:
                await self._fail(post, ChannelUnreachable() if channel.repeatable else error)
                return
            except ChannelError as error:
                await self._fail(post, error)
                return
            await self._delivered(post, number, provider_id)

    async def _delivered(self, post: _Post, number: int, provider_id: str) -> None:
        told: Json = {"part": number, "parts": len(post.parts), "providerId": provider_id}
        try:
            await self._tell(post, "delivered", key=sent_key(post.by.name, provider_id), **told)
        except (KeyReused, Erased):  # what was sent again has the id that it had
            await self._tell(post, "delivered", **told)

    async def _fail(self, post: _Post, error: ChannelError) -> None:
        attempt = post.due.attempts + 1
        retry = self._retry_at(post, attempt) if isinstance(error, ChannelUnreachable) else None
        if isinstance(error, ChannelUnreachable) and retry is None:
            error = ChannelRefused("The provider could not be reached for three days.")
        await self._tell(
            post,
            "delivery_failed",
            code=error.code,
            message=error.message,
            remedy=error.remedy,
            attempt=attempt,
            retryAt=iso(retry) if retry else None,
        )

    def _retry_at(self, post: _Post, attempt: int) -> datetime | None:
        """When it is tried again; None when it has been tried for too long."""
        now = self._clock()
        taken = parse(values.moment(post.line.data.get("at")) or iso(now))
        retry = now + pause_after(attempt)
        return retry if retry - taken < GIVEN_UP else None

    async def _tell(self, post: _Post, event: str, **fields: object) -> None:
        told = lines.event(post.due.conversation_id, event, messageId=post.due.message_id, **fields)
        await self._books.ledger.append([told])


def _outgoing(post: _Post, number: int) -> Outgoing:
    first = number == 0
    return Outgoing(
        id=f"{post.line.id}-{number}",
        place=post.place,
        text=post.parts[number],
        first=first,
        answers=post.to.get("answers") if first else None,
        details=post.to.get("details") or {},
        by_hand=is_owners(post.line),
    )
