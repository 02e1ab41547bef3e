"""`palaver jobs`: what is still to be done in the background, and what keeps it from being done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from palaver.cli.common import Common, takes_common
from palaver.cli.output import note, one_line, say, say_json
from palaver.errors import Conflict, NotFound

if TYPE_CHECKING:
    from palaver.app import Palaver
    from palaver.jobs import Job
    from palaver.jobs.postgres import PostgresJobs
    from palaver.jobs.work import Work
    from palaver.settings import Settings

app = typer.Typer(help="Look at background jobs, retry and cancel them.", rich_markup_mode=None)

_SHOWN = 20
"""So many jobs of a kind that wait are shown to a person."""
_GLANCE = 0.1
_STYLES = {"pending": "dim", "running": "green", "failed": "red", "cancelled": "yellow"}
_OPEN_HOME = (
    "Ask the server that has the home open: POST /api/jobs/{id}/cancel. Without one nothing runs, "
    "so there is nothing to cancel."
)
JobArgument = Annotated[str, typer.Argument(metavar="ID", help="The job, such as embedding:local.")]
EveryoneOption = Annotated[
    bool, typer.Option("--everyone", help="Those of all users of the database.")
]


@app.command("list")
@takes_common
def list_jobs(common: Common, everyone: EveryoneOption = False) -> None:
    """List what is due: what waits, what runs, what failed and why."""
    jobs, workers = _jobs(common, everyone)
    if common.json:
        say_json({"jobs": [job.to_json() for job in jobs]})
        return
    for job in _some(jobs):
        _say_job(common, job)
    _say_others(jobs)
    if not jobs:
        say("Everything is done.")
    elif workers == 0:
        note("No worker is running. `palaver worker` runs jobs; `palaver serve` may, too.")


@app.command("retry")
@takes_common
def retry_job(common: Common, job_id: JobArgument) -> None:
    """Do a job now, whatever became of it before."""
    if common.settings().database.url is None:
        _retry_here(common, job_id)
        return
    job = _decide(common, job_id, lambda jobs: jobs.retry(job_id))
    if common.json:
        say_json(job.to_json())
    else:
        say("It runs as soon as a worker is free.")


@app.command("cancel")
@takes_common
def cancel_job(common: Common, job_id: JobArgument) -> None:
    """Leave a job undone until there is more to do, or somebody retries it."""
    if common.settings().database.url is None:
        _check_known(job_id, _jobs(common, everyone=True)[0])
        raise Conflict("Only the process that runs a job of a home can end it.", remedy=_OPEN_HOME)
    job = _decide(common, job_id, lambda jobs: jobs.cancel(job_id))
    if common.json:
        say_json(job.to_json())
    else:
        say("It ends after its step." if job.state == "running" else "It is cancelled.")


def _jobs(common: Common, everyone: bool) -> tuple[Sequence[Job], int | None]:
    """What is due, and how many workers there are; in a home nobody counts them."""
    import asyncio

    settings = common.check_user(create=True)
    if settings.database.url is None:
        from palaver.jobs.embedded.glance import due_in
        from palaver.ledger.files import Home

        work = brought(settings)
        return due_in(common.existing(), Home(settings.home).models, common.user, work), None
    from palaver.engines.background import jobs_of

    async def look(jobs: PostgresJobs) -> tuple[Sequence[Job], int]:
        return await jobs.list(None if everyone else common.user), await jobs.workers()

    with jobs_of(settings, brought(settings)) as jobs:
        return asyncio.run(look(jobs))


def digests_among(jobs: Sequence[Job]) -> str:
    """How many conversations wait for a digest, as far as they are listed."""
    from palaver.jobs import DIGEST
    from palaver.jobs.item import AHEAD

    number = sum(job.kind == DIGEST for job in jobs)
    return f"{number:,} or more" if number >= AHEAD else f"{number:,}"


def brought(settings: Settings) -> list[Work]:
    """What is brought to an engine, for somebody who only looks."""
    from palaver.conversation.digests import digests_of
    from palaver.telemetry import Logged
    from palaver.times import system_clock

    return [digests_of(settings, system_clock, Logged())]


def _decide(common: Common, job_id: str, decide: Callable[[PostgresJobs], Awaitable[Job]]) -> Job:
    """Whoever can reach the database may decide about everybody's jobs."""
    import asyncio

    from palaver.engines.background import jobs_of

    async def decided(jobs: PostgresJobs) -> Job:
        _check_known(job_id, await jobs.list())
        return await decide(jobs)

    settings = common.settings()
    with jobs_of(settings, brought(settings)) as jobs:
        return asyncio.run(decided(jobs))


def _retry_here(common: Common, job_id: str) -> None:
    """In a home the process itself does it; it waits until it is done."""
    _check_known(job_id, _jobs(common, everyone=True)[0])
    with common.opened(stays=True) as home:
        left = home.run(_left(home.palaver, job_id))
    if common.json:
        say_json({"jobs": [job.to_json() for job in left]})
    elif left:
        _say_job(common, left[0])
    else:
        say("It is done.")
    if left:
        raise typer.Exit(1)


async def _left(palaver: Palaver, job_id: str) -> list[Job]:
    """Has it done; gives it if it cannot be."""
    import asyncio

    from palaver.jobs import key_of

    if key_of(job_id):
        await palaver.retry_job(job_id)
    else:
        await palaver.settle()
    while True:
        left = [job for job in await palaver.jobs() if job.id == job_id]
        if not key_of(job_id) or not left or left[0].state not in ("pending", "running"):
            return left
        await asyncio.sleep(_GLANCE)


def _check_known(job_id: str, jobs: Sequence[Job]) -> None:
    """Raises BadId, or NotFound with the nearest id there is."""
    from difflib import get_close_matches

    from palaver.jobs import check_job_id, key_of

    known = [job.id for job in jobs]
    near = get_close_matches(job_id, known, n=1)
    if job_id in known:
        return
    if near and not key_of(job_id):
        raise NotFound(f"There is no job {job_id}.", remedy=f"Did you mean {near[0]}?")
    if key_of(check_job_id(job_id)):
        return  # there may be more of them than are listed: whoever does it can tell
    remedy = f"These are due: {', '.join(known[:5])}." if known else "Nothing is due."
    raise NotFound(f"There is no job {job_id}.", remedy=remedy)


def _some(jobs: Sequence[Job]) -> Iterator[Job]:
    """All but those that wait for their turn, and of these the first of each kind."""
    waiting: Counter[str] = Counter()
    for job in jobs:
        waiting[job.kind] += job.state == "pending"
        if job.state != "pending" or waiting[job.kind] <= _SHOWN:
            yield job


def _say_others(jobs: Sequence[Job]) -> None:
    """How many more of a kind wait; as many as are listed at most, there may be others."""
    from palaver.jobs.item import AHEAD

    waiting = Counter(job.kind for job in jobs if job.state == "pending")
    for kind, count in waiting.items():
        if count > _SHOWN:
            least = "at least " if count >= AHEAD else ""
            say((f"           and {least}{count - _SHOWN} more of {kind}", "dim"))


def _say_job(common: Common, job: Job) -> None:
    from palaver.portability.text import local_time

    told = ""
    if job.progress and job.progress.total:
        told = f"  {job.progress.done * 100 // job.progress.total} %"
    say((f"{job.state:<9}", _STYLES[job.state]), f"  {job.id}", (told, "dim"))
    if job.error:
        say(f"           {one_line(job.error.message)} {one_line(job.error.remedy)}")
    if job.after:
        when = local_time(job.after, common.settings().user.zone)
        failed = "failed once" if job.attempts == 1 else f"failed {job.attempts} times"
        say((f"           {failed}, tried again {when}", "dim"))
