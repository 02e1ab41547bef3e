"""The embedded engine: files for the ledger, SQLite for the index, all in one home."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import UTC, tzinfo

from palaver.engines.home_site import HomeSite
from palaver.engines.loading import ModelLoader
from palaver.engines.starting import StartReport, report
from palaver.events import AloneRelay, Hint, HomeEvents
from palaver.index.port import ConversationFilter
from palaver.index.sqlite.index import SqliteIndex
from palaver.jobs.embedded.view import HomeJobs
from palaver.jobs.embedded.worker import Worker
from palaver.jobs.pace import Pace
from palaver.jobs.work import Work, kinds_of
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
        work: Sequence[Work] = (),
        pace: Pace | None = None,
    ) -> None:
        """`load` gives the model that tells what texts mean; None for full text only. Nights are
        over as the clocks of `zone` show it. `work` is what others bring to be done."""
        self._home = home
        self._user = user
        self._store = FileStore(home)
        self.index = SqliteIndex(home.index, user, self._store, load=load)
        self.ledger = FileLedger(
            self._store, self.index, clock, user=user, committed=self._committed
        )
        self.events = HomeEvents(user, self._store.noted, self.ledger.position)
        self.relay = AloneRelay()
        self.leases = HomeLeases(home.replies_lock)
        self.work = work
        site = HomeSite(user, self.ledger, self.index, self.leases, self.wake)
        self._worker = Worker(kinds_of(work, site), clock, pace)
        self.jobs = HomeJobs(self.index, user, self._worker, zone=zone)
        self._open = AsyncExitStack()

    async def open(self) -> StartReport:
        self._home.create()
        async with AsyncExitStack() as opening:
            opening.callback(self.leases.close)
            opening.push_async_callback(self.index.close)
            opening.push_async_callback(self.ledger.close)
            done = await self.ledger.open()
            caught = await self.index.open()
            for one in self.work:
                opening.push_async_callback(asyncio.to_thread, one.close)
            # In a thread: the jobs that end still write, in this event loop.
            opening.push_async_callback(asyncio.to_thread, self.jobs.stop)
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

    async def settle(self) -> None:
        await self.index.settle()
        if self.work:
            await asyncio.to_thread(self._worker.settle)
            await self.index.settle()  # what it wrote has its vectors, too

    def wake(self) -> None:
        self._worker.wake()

    def _committed(self, pos: int) -> None:
        self.events.publish(Hint(self._user, pos))

    async def close(self) -> None:
        await self._open.aclose()
