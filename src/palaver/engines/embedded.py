"""The embedded engine: files for the ledger, SQLite for the index, all in one home."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from datetime import UTC, tzinfo

from palaver.engines.loading import ModelLoader
from palaver.engines.starting import StartReport, report
from palaver.events import Hint, HomeEvents
from palaver.index.port import ConversationFilter
from palaver.index.sqlite.index import SqliteIndex
from palaver.jobs.embedded.view import HomeJobs
from palaver.leases import HomeLeases
from palaver.ledger.files import FileLedger, FileStore, Home
from palaver.ledger.port import Finding
from palaver.ledger.verify import verify_streams
from palaver.times import Clock


class EmbeddedEngine:
    """An Engine in the files of a home."""

    remains = ()

    def __init__(
        self,
        home: Home,
        user: str,
        load: ModelLoader | None,
        clock: Clock,
        *,
        zone: tzinfo = UTC,
    ) -> None:
        """`load` gives the model that tells what texts mean; None for full text only. Nights are
        over as the clocks of `zone` show it."""
        self._home = home
        self._user = user
        self._store = FileStore(home)
        self.index = SqliteIndex(home.index, user, self._store, load=load)
        self.ledger = FileLedger(
            self._store, self.index, clock, user=user, committed=self._committed
        )
        self.events = HomeEvents(user, self._store.noted, self.ledger.position)
        self.jobs = HomeJobs(self.index, user, zone=zone)
        self.leases = HomeLeases(home.replies_lock)
        self._open = AsyncExitStack()

    async def open(self) -> StartReport:
        self._home.create()
        async with AsyncExitStack() as opening:
            opening.callback(self.leases.close)
            opening.push_async_callback(self.index.close)
            opening.push_async_callback(self.ledger.close)
            done = await self.ledger.open()
            caught = await self.index.open()
            opening.callback(self.jobs.stop)
            self.jobs.start()
            self._open = opening.pop_all()
        return report(caught, frozenset(done.streams), torn=done.torn, erased=done.erased)

    async def ready(self) -> None:
        """While the index is made again, it can be used once its list of conversations answers."""
        if self.index.health().status != "ok":
            await self.index.conversations(self._user, ConversationFilter(), limit=1)

    async def verify(self) -> list[Finding]:
        streams = await asyncio.to_thread(lambda: list(verify_streams(self._store)))
        return streams + await self.index.verify()

    def _committed(self, pos: int) -> None:
        self.events.publish(Hint(self._user, pos))

    async def close(self) -> None:
        await self._open.aclose()
