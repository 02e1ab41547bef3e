"""The engine of a database: the tables of one user, through the node of this process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack

from palaver.engines.background import Background
from palaver.engines.loading import ModelLoader
from palaver.engines.node import PostgresNode
from palaver.engines.nodes import NODES
from palaver.engines.starting import StartReport, report
from palaver.events.postgres import PostgresEvents
from palaver.events.postgres_relay import PostgresRelay
from palaver.index.postgres.index import PostgresIndex
from palaver.jobs.postgres import PostgresJobs
from palaver.jobs.work import Work
from palaver.leases.postgres import PostgresLeases
from palaver.ledger.port import Finding
from palaver.ledger.postgres import PostgresLedger, PostgresSource
from palaver.ledger.verify import verify_streams
from palaver.times import Clock


class PostgresEngine:
    """An Engine in the tables of a database."""

    remains = (
        "The bytes stay in the files of the database until it vacuums them.",
        "They stay in its write-ahead log and in its backups as long as it keeps these.",
    )

    ledger: PostgresLedger
    index: PostgresIndex
    events: PostgresEvents
    relay: PostgresRelay
    jobs: PostgresJobs
    leases: PostgresLeases
    _node: PostgresNode

    def __init__(
        self,
        url: str,
        user: str,
        load: ModelLoader | None,
        clock: Clock,
        background: Background,
        *,
        work: Sequence[Work] = (),
    ) -> None:
        """`load` gives the model that tells what texts mean; None for full text only. `work` is
        what others bring to be done."""
        self._url = url
        self._user = user
        self._load = load
        self._clock = clock
        self._background = background
        self.work = work
        self._source: PostgresSource
        self._open = AsyncExitStack()

    async def open(self) -> StartReport:
        async with AsyncExitStack() as opening:
            holding = await asyncio.to_thread(
                NODES.take, self._url, self._load, self._clock, self._background, self.work
            )
            opening.push_async_callback(asyncio.to_thread, holding.leave)
            self._node = holding.node
            self.work = holding.node.work
            self.events = holding.node.events
            self.leases = holding.node.leases
            self._source = await asyncio.to_thread(holding.node.source, self._user)
            self.relay = holding.node.relay(self._source)
            self.jobs = holding.node.jobs
            self.index = holding.node.index(self._source)
            opening.push_async_callback(self.index.close)
            self.ledger = holding.node.ledger(self._source)
            opening.push_async_callback(self.ledger.close)
            caught = await self.index.open()
            self._open = opening.pop_all()
        return report(caught)

    async def ready(self) -> None:
        await asyncio.to_thread(self._source.position)

    async def settle(self) -> None:
        await self.index.settle()
        await asyncio.to_thread(self._node.settle, self._user)
        await self.index.settle()  # what was written has its vectors, too

    def wake(self) -> None:
        self._node.wake()

    async def verify(self) -> list[Finding]:
        streams = await asyncio.to_thread(lambda: list(verify_streams(self._source)))
        return streams + await self.index.verify()

    async def close(self) -> None:
        await self._open.aclose()
