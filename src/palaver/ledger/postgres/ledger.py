"""The ledger of one user in PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import islice

from palaver.errors import StorageFailed
from palaver.ledger.lines import Draft, Line, check_draft, check_stream
from palaver.ledger.port import Appended, Erasure, Expected, StreamStat
from palaver.ledger.postgres.committer import Committer
from palaver.ledger.postgres.source import PostgresSource
from palaver.ledger.postgres.tasks import Task
from palaver.ledger.since import Since


class PostgresLedger:
    """A Ledger in the tables of a database. The committer is that of the node, for all users."""

    def __init__(self, source: PostgresSource, committer: Committer) -> None:
        self._source = source
        self._committer = committer
        self._under_way: set[asyncio.Future[list[Appended]]] = set()
        self._closed = False

    async def append(
        self, drafts: Sequence[Draft], *, expected: Expected | None = None
    ) -> list[Appended]:
        for draft in drafts:
            check_draft(draft)
        owner, user = self._source.owner, self._source.user
        return await self._commit(Task(owner, user, drafts, expected=expected or {}))

    async def erase(self, erasure: Erasure) -> list[Line]:
        for stream in (*erasure.lines, *erasure.streams):
            check_stream(stream)
        owner, user = self._source.owner, self._source.user
        task = Task(owner, user, erasure=erasure, expected=erasure.expected)
        return [item.line for item in await self._commit(task) if item.line.type == "event"]

    async def read(self, stream: str, *, after: int = -1, limit: int | None = None) -> list[Line]:
        def lines() -> list[Line]:
            return list(islice(self._source.after(stream, after), limit))

        return await asyncio.to_thread(lines)

    async def tail(self, stream: str, turns: int) -> list[Line]:
        return await asyncio.to_thread(self._source.tail, stream, turns)

    async def streams(self) -> list[StreamStat]:
        sizes = await asyncio.to_thread(self._source.sizes)
        return [StreamStat(name, size) for name, size in sizes.items()]

    async def position(self) -> int:
        return await asyncio.to_thread(self._source.position)

    async def since(self, after: int, *, limit: int) -> Since:
        return await asyncio.to_thread(self._source.since, after, limit)

    async def where(self, key: str) -> str | None:
        return await asyncio.to_thread(self._source.where, key)

    async def close(self) -> None:
        """Waits for its own commits; the committer and the connections stay open for others."""
        self._closed = True
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _commit(self, task: Task) -> list[Appended]:
        if self._closed:
            raise StorageFailed("Palaver is closed.", remedy="Open it again, then send it again.")
        self._committer.submit(task)
        future = asyncio.wrap_future(task.future)
        self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        return await future
