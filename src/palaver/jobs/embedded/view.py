"""The jobs of a home that is open: what its threads do, and are to do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, tzinfo

from palaver.errors import IndexUnavailable, PalaverError
from palaver.index.sqlite.index import SqliteIndex
from palaver.jobs.embedded.nightly import Nightly
from palaver.jobs.embedded.worker import Worker
from palaver.jobs.item import Item
from palaver.jobs.port import Job, JobProblem, Progress, State, check_job_id, job_id, missing
from palaver.times import Clock, iso, system_clock


class HomeJobs:
    """Jobs of the one user whose home it is."""

    def __init__(
        self,
        index: SqliteIndex,
        user: str,
        worker: Worker,
        *,
        clock: Clock = system_clock,
        zone: tzinfo = UTC,
    ) -> None:
        """`worker` runs what others bring. Nights are over by `clock`, in `zone`."""
        self._index = index
        self._user = user
        self._worker = worker
        self._nightly = Nightly(index.check, self._remake, clock, zone)

    def start(self) -> None:
        self._nightly.start()
        self._worker.start()

    def stop(self) -> None:
        """Returns when the steps are done that are under way."""
        self._nightly.stop()
        self._worker.stop()

    async def list(self, user: str | None = None) -> list[Job]:
        found = await asyncio.to_thread(lambda: sorted(self._due(), key=_by_id))
        return found if user in (None, self._user) else []

    async def retry(self, job_id: str, user: str | None = None) -> Job:
        if item := await self._brought(job_id, user):
            self._worker.retry(item)
            return await self._still(item, "pending")
        job = await self._find(job_id, user)
        match job.kind:
            case "check":
                self._nightly.now()
            case "embedding":
                self._index.learn()
            case _:
                self._index.rebuilds.start("A rebuild was asked for.")
        return await self._after(job, "pending")

    async def cancel(self, job_id: str, user: str | None = None) -> Job:
        if item := await self._brought(job_id, user):
            self._worker.cancel(item)
            return await self._still(item, "cancelled")
        job = await self._find(job_id, user)
        match job.kind:
            case "check":
                self._nightly.leave()
            case "embedding":
                await asyncio.to_thread(self._index.leave_unlearned)
            case _:
                await asyncio.to_thread(self._index.rebuilds.cancel)
        return await self._after(job, "cancelled")

    async def _brought(self, wanted: str, user: str | None) -> Item | None:
        """What others bring, if it is that."""
        check_job_id(wanted)
        if user not in (None, self._user):
            return None
        return await asyncio.to_thread(self._worker.find, wanted)

    async def _still(self, item: Item, state: State) -> Job:
        """How it stands now; it may be done already."""
        found = await asyncio.to_thread(self._worker.find, item.id)
        return found.job() if found else item.job().model_copy(update={"state": state})

    async def _find(self, wanted: str, user: str | None) -> Job:
        check_job_id(wanted)
        found = next((job for job in await self.list(user) if job.id == wanted), None)
        return found or missing(wanted)

    async def _after(self, job: Job, state: State) -> Job:
        """How it stands now; it may be done already."""
        found = next((one for one in await self.list() if one.id == job.id), None)
        return found or job.model_copy(update={"state": state})

    def _remake(self, reason: str) -> None:
        self._index.rebuilds.start(reason, afresh=True)

    # -- what is due -------------------------------------------------------------------------

    def _due(self) -> Iterator[Job]:
        nightly = self._nightly
        if nightly.due or nightly.running:
            yield self._job(
                "check",
                running=nightly.running,
                cancelled=nightly.left,
                attempts=nightly.attempts,
                after=nightly.after,
                problem=nightly.problem,
            )
        yield from self._embedding()
        yield from self._rebuild()
        with suppress(IndexUnavailable):  # what there is to do is not known before the rebuild
            yield from [item.job() for item in self._worker.items()]

    def _embedding(self) -> Iterator[Job]:
        effort = self._index.effort
        done, total = self._index.learned()
        if done < total:
            yield self._job(
                "embedding",
                running=effort.running,
                cancelled=effort.cancelled is not None,
                attempts=effort.attempts,
                after=effort.after,
                problem=effort.problem,
                progress=(done, total),
            )

    def _rebuild(self) -> Iterator[Job]:
        rebuilds, health = self._index.rebuilds, self._index.health()
        problem = self._index.problem()
        if rebuilds.running or rebuilds.cancelled or problem is not None:
            failed = problem is not None and not rebuilds.running and health.status == "degraded"
            yield self._job(
                "rebuild",
                running=rebuilds.running,
                cancelled=rebuilds.cancelled,
                attempts=int(failed and not rebuilds.cancelled),
                problem=problem if failed and not rebuilds.cancelled else None,
                progress=(health.done, health.total),
            )

    def _job(
        self,
        kind: str,
        *,
        running: bool,
        cancelled: bool,
        attempts: int,
        after: datetime | None = None,
        problem: PalaverError | None,
        progress: tuple[int, int] = (0, 0),
    ) -> Job:
        done, total = progress
        return Job(
            id=job_id(kind, self._user),
            kind=kind,
            user=self._user,
            state=_state(running, cancelled, problem),
            attempts=attempts,
            after=iso(after) if after and not (running or cancelled) else None,
            progress=Progress(done=done, total=total) if total else None,
            error=JobProblem.of(problem) if problem else None,
        )


def _by_id(job: Job) -> str:
    return job.id


def _state(running: bool, cancelled: bool, problem: PalaverError | None) -> State:
    if running:
        return "running"
    if cancelled:
        return "cancelled"
    return "failed" if problem else "pending"
