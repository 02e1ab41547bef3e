"""The queue: `procrastinate`, as the rest of this room uses it. No other module knows it."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

import procrastinate
from procrastinate import exceptions
from procrastinate.jobs import Job, Status
from procrastinate.schema import SchemaManager

from palaver.jobs.kind import Kind
from palaver.jobs.postgres.notes import Notes
from palaver.jobs.postgres.pace import Pace
from palaver.postgres.faults import behind, faults
from palaver.postgres.pool import NETWORK

_TASK = "job"
_POLL = 2.0
"""A job that was handed back makes no sound: it is found within so many seconds."""
_CONNECTIONS = 3
_LATER = -1
"""Greater ones go first."""

# What it has to say is told by whoever runs the jobs, in our own words.
for _name in ("procrastinate", "psycopg.pool"):
    logging.getLogger(_name).addHandler(logging.NullHandler())
    logging.getLogger(_name).propagate = False


class HandBack(Exception):
    """The job ends here, and another worker goes on with it."""


class _Retry(procrastinate.BaseRetryStrategy):
    """A job that is handed back waits for nothing. What failed is noted, and put again later."""

    def get_retry_decision(
        self, *, exception: BaseException, job: Any
    ) -> procrastinate.RetryDecision | None:
        return procrastinate.RetryDecision() if isinstance(exception, HandBack) else None


Perform = Callable[[Callable[[], bool], str, str], None]
"""Does a job, given whether somebody wants it to end, its kind and its id. Runs in a thread."""


class Queue:
    """An open queue. Every method may raise StorageFailed."""

    def __init__(self, app: procrastinate.App) -> None:
        self._app = app

    async def put(self, kind: Kind, id_: str) -> None:
        """Has a job done, unless it waits already. Those that keep the index go first."""
        priority = 0 if kind.keeps_index else _LATER
        with _faults():
            try:
                await self._app.configure_task(
                    _TASK, queue=kind.queue, lock=id_, queueing_lock=id_, priority=priority
                ).defer_async(kind=kind.name, id=id_)
            except exceptions.AlreadyEnqueued:
                return

    async def end(self, number: int) -> None:
        """Takes away a job that waits; asks one that runs to end."""
        with _faults():
            await self._app.job_manager.cancel_job_by_id_async(number, abort=True, delete_job=True)

    async def take_back(self, seconds: float) -> None:
        """Puts again what workers had that have not been heard of for so long."""
        with _faults():
            stalled = await self._app.job_manager.get_stalled_jobs(seconds_since_heartbeat=seconds)
            for job in stalled:
                with suppress(exceptions.ConnectorException):  # another node did so
                    await self._take_back(job)

    async def _take_back(self, job: Job) -> None:
        try:
            await self._app.job_manager.retry_job(job)
        except exceptions.UniqueViolation:  # it waits already, and for this one to end
            await self._app.job_manager.finish_job(job, Status.FAILED, delete_job=True)

    async def work(self, perform: Perform, queues: Sequence[str], pace: Pace) -> None:
        """Does jobs until it is cancelled; then those under way are waited for."""

        def run(context: procrastinate.JobContext, kind: str, id: str) -> None:  # noqa: A002
            perform(context.should_abort, kind, id)

        self._app.task(name=_TASK, pass_context=True, retry=_Retry())(run)
        with _faults():
            await self._app.run_worker_async(
                queues=queues,
                concurrency=pace.concurrency,
                install_signal_handlers=False,
                fetch_job_polling_interval=_POLL,
                abort_job_polling_interval=_POLL,
                update_heartbeat_interval=pace.heartbeat,
                stalled_worker_timeout=pace.stalled,
                delete_jobs="always",
            )


@asynccontextmanager
async def open_queue(url: str, notes: Notes) -> AsyncGenerator[Queue]:
    """Connections to the tables of the queue, which are there. Raises StorageFailed."""

    async def configure(connection: Any) -> None:
        await connection.execute(notes.sql["search_path"])
        await connection.commit()

    connector = procrastinate.PsycopgConnector(
        conninfo=url,
        kwargs={"application_name": "palaver", **NETWORK},
        configure=configure,
        min_size=1,
        max_size=_CONNECTIONS,
        timeout=NETWORK["connect_timeout"],
    )
    app = procrastinate.App(connector=connector)
    with faults():
        await app.open_async()
    try:
        yield Queue(app)
    finally:
        with _faults():
            await app.close_async()


def make_tables(notes: Notes) -> None:
    """Makes sure that there is a queue. Raises StorageFailed."""
    notes.make(SchemaManager.get_schema())


@contextmanager
def _faults() -> Generator[None]:
    """Raises one of our errors for whatever the library raises about the database."""
    with faults():
        try:
            yield
        except exceptions.ConnectorException as error:
            raise behind(error) from error
