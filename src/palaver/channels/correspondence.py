"""Correspondence: all that one user's channels need, put together."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime

from palaver.agent.language import Models
from palaver.channels.connection import Connection
from palaver.channels.debounce import Debounce
from palaver.channels.external.answering import Outsiders
from palaver.channels.external.auditing import Auditor
from palaver.channels.external.exchanges import Exchanges
from palaver.channels.port import Received, Update
from palaver.channels.posting import Postman
from palaver.channels.receiving import Reception
from palaver.channels.routing import Router
from palaver.context.builder import ContextBuilder
from palaver.conversation.books import Books
from palaver.conversation.conversations import Conversations
from palaver.conversation.turn import Turns
from palaver.index.records import Delivery
from palaver.leases import Leases
from palaver.telemetry import Telemetry
from palaver.times import Clock


@dataclass(frozen=True, slots=True)
class Rooms:
    """What channels use of the rooms below."""

    books: Books
    conversations: Conversations
    turns: Turns
    context: ContextBuilder
    models: Models
    auditor: Auditor
    leases: Leases
    telemetry: Telemetry
    clock: Clock
    name: str
    """What the agent is called."""
    public_url: str | None
    """Where the page is, if others than this machine reach it."""


class Correspondence:
    """What comes to one user by channels, and goes out by them."""

    def __init__(
        self,
        rooms: Rooms,
        connections: Mapping[str, Connection],
        debounce: Debounce | None = None,
    ) -> None:
        debounce = debounce or Debounce()
        outsiders = Outsiders(rooms.models, rooms.context, rooms.name, rooms.telemetry)
        self._exchanges = Exchanges(
            rooms.books,
            connections,
            outsiders,
            leases=rooms.leases,
            debounce=debounce,
            clock=rooms.clock,
            audit=rooms.auditor.withheld,
            public_url=rooms.public_url,
        )
        self._router = Router(rooms.books, rooms.conversations, rooms.clock)
        self._reception = Reception(
            rooms.books,
            rooms.turns,
            self._router,
            self._exchanges,
            leases=rooms.leases,
            debounce=debounce,
        )
        self._postman = Postman(rooms.books, connections, rooms.leases, rooms.clock)
        self._debounce = debounce
        self._leases = rooms.leases
        self._user = rooms.books.user

    async def knows(self, by: Connection, received: Received) -> bool:
        """Whether a message belongs to a thread of this user's. Raises StorageError,
        IndexUnavailable."""
        return await self._router.find(by, received) is not None

    async def take(self, by: Connection, update: Update) -> None:
        """Returns once what a channel brings is safe. Raises StorageError, IndexUnavailable."""
        await self._reception.take(by, update)

    def receiving(self, by: Connection) -> AbstractAsyncContextManager[None]:
        """One process at a time receives by a channel, until the block ends. Raises
        StorageFailed."""
        return self._leases.hold(f"{self._user} receiving {by.name}")

    async def deliver(self) -> datetime | None:
        """Sends what is due; gives when something is to be tried again. Raises StorageError,
        IndexUnavailable."""
        return await self._postman.deliver()

    async def send_again(self, message_id: str) -> Delivery:
        """Has something sent again that could not be delivered. Raises NotFound, Conflict,
        StorageError, IndexUnavailable."""
        return await self._postman.again(message_id)

    async def recover(self) -> int:
        """Answers outsiders who waited when a process died; gives how many these are. Raises
        StorageError, IndexUnavailable."""
        return await self._exchanges.recover()

    async def settle(self) -> None:
        """Returns when nobody is waited for any more who may still be writing."""
        await self._debounce.settle()

    async def close(self) -> None:
        await self._debounce.close()
