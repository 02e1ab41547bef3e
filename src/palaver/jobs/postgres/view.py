"""The jobs of a database, for whoever looks at them or decides about them."""

from __future__ import annotations

import asyncio

from palaver.jobs.port import Job, State, check_job_id, missing
from palaver.jobs.postgres.board import Board, Posted

_ALIVE = 30.0
"""A worker that has not been heard of for so many seconds is not counted."""


class PostgresJobs:
    """Jobs of everybody; it needs no worker in this process."""

    def __init__(self, url: str, board: Board) -> None:
        self._url = url
        self._board = board

    async def list(self, user: str | None = None) -> list[Job]:
        items = await asyncio.to_thread(self._board.shown, user)
        return [await self._job(item) for item in sorted(items, key=_by_id)]

    async def retry(self, job_id: str, user: str | None = None) -> Job:
        from palaver.jobs.postgres.queue import make_tables, open_queue

        item = await self._item(job_id, user)
        if not item.running:
            await asyncio.to_thread(make_tables, self._board.notes)
            await asyncio.to_thread(self._board.notes.let_go, item.id)
            async with open_queue(self._url, self._board.notes) as queue:
                await queue.put(item.kind, item.id)
        return await self._after(item, "pending")

    async def cancel(self, job_id: str, user: str | None = None) -> Job:
        from palaver.jobs.postgres.queue import make_tables, open_queue

        item = await self._item(job_id, user)
        await asyncio.to_thread(make_tables, self._board.notes)
        await asyncio.to_thread(self._board.notes.cancel, item.due.owner, item.id, item.due.mark)
        if item.number is not None:
            async with open_queue(self._url, self._board.notes) as queue:
                await queue.end(item.number)
        return await self._after(item, "cancelled")

    async def workers(self) -> int:
        """How many workers are alive, in whatever process."""
        return await asyncio.to_thread(self._board.notes.workers, _ALIVE)

    async def _item(self, job_id: str, user: str | None) -> Posted:
        item = await asyncio.to_thread(self._board.find, check_job_id(job_id))
        if item is None or user not in (None, item.due.user):
            missing(job_id)
        return item

    async def _after(self, item: Posted, state: State) -> Job:
        """How it stands now; it may be done already."""
        found = await asyncio.to_thread(self._board.find, item.id)
        return await self._job(found) if found else item.job().model_copy(update={"state": state})

    async def _job(self, item: Posted) -> Job:
        job = item.job()
        if job.state == "pending" and await asyncio.to_thread(item.kind.elsewhere, item.due):
            return job.model_copy(update={"state": "running"})
        return job


def _by_id(item: Posted) -> str:
    return item.id
