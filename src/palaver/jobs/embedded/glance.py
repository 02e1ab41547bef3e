"""The jobs of a home as somebody sees them who has not opened it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from palaver.embedding.facts import DIMENSIONS, IDENTITY
from palaver.embedding.status import model_status
from palaver.errors import IndexDegraded, IndexUnavailable, PalaverError
from palaver.index.faults import Failed, Unusable
from palaver.index.fulltext.shelf import Shelf
from palaver.index.meaning.unlearned import count_learned
from palaver.index.port import After, OwedFilter
from palaver.index.records import Health
from palaver.index.sqlite.examine import glance
from palaver.index.sqlite.jobs_lock import is_held
from palaver.index.sqlite.readers import Readers
from palaver.index.sqlite.statements import QUERIES
from palaver.index.sqlite.vectors_file import VectorsFile
from palaver.index.stored.answers import Answers
from palaver.jobs.item import Item, looked_through
from palaver.jobs.port import Job, JobProblem, Progress, State, job_id
from palaver.jobs.work import Onlooker, OwedTo, Work, kinds_of
from palaver.ledger.files import FileStore, Home
from palaver.times import system_clock


def due_in(home: Home, models: Path, user: str, work: Sequence[Work] = ()) -> list[Job]:
    """What is due in a home, whoever runs it, in the order of its ids; nothing is changed. `work`
    is what others bring. Raises IndexTooNew."""
    health = glance(home.index, FileStore(home))
    if health.status != "ok":
        return [_rebuild(home, health, user)]
    found = [*_embedding(home, models, user), *_brought(home, user, work)]
    return sorted(found, key=lambda job: job.id)


def _rebuild(home: Home, health: Health, user: str) -> Job:
    """Whoever holds the lock is making the index again."""
    problem = IndexDegraded(health.detail) if health.status == "degraded" else None
    state: State = "failed" if problem else "pending"
    if is_held(home.jobs_lock):
        state = "running"
    return _job("rebuild", user, state, problem)


def _embedding(home: Home, models: Path, user: str) -> Iterator[Job]:
    try:
        done, total = _count(home)
    except (Unusable, Failed) as fault:
        yield _job("embedding", user, "failed", IndexDegraded(str(fault)))
        return
    if done < total:
        problem = model_status(models).problem
        job = _job("embedding", user, "failed" if problem else "pending", problem)
        yield job.model_copy(update={"progress": Progress(done=done, total=total)})


def _brought(home: Home, user: str, work: Sequence[Work]) -> Iterator[Job]:
    """What waits, or is at work in some process: nobody tells from outside."""
    with suppress(IndexUnavailable):  # then it is told with the vectors
        for kind in kinds_of(work, _Rows(home, user)):
            items = (Item(kind, due, None, False, system_clock()) for due in kind.due())
            yield from (item.job() for item in looked_through(items, set()))


@dataclass(frozen=True, slots=True)
class _Rows(Onlooker):
    """The Site of a home that is only looked at."""

    home: Home
    user: str

    def owed(
        self,
        wanted: OwedFilter,
        *,
        user: str | None = None,
        after: After | None = None,
        limit: int,
    ) -> Sequence[OwedTo]:
        """Raises IndexDegraded."""
        try:
            with closing(Readers(self.home.index).connect()) as database, database.reading():
                found = Answers(database, QUERIES, Shelf(QUERIES)).owed(wanted, after, limit)
        except (Unusable, Failed) as fault:
            raise IndexDegraded(str(fault)) from fault
        return [OwedTo(0, self.user, one) for one in found]


def _count(home: Home) -> tuple[int, int]:
    """How many pieces have a vector, and how many there are. Raises Unusable, Failed."""
    place = VectorsFile(home.vectors)
    with closing(Readers(home.index).connect()) as database:
        if not place.exists():
            return count_learned(database, Shelf(QUERIES), lambda keys: None)
        with closing(place.vectors(IDENTITY, DIMENSIONS)) as store:
            store.open()
            return count_learned(database, Shelf(QUERIES), store.holds)


def _job(kind: str, user: str, state: State, problem: PalaverError | None) -> Job:
    return Job(
        id=job_id(kind, user),
        kind=kind,
        user=user,
        state=state,
        attempts=int(problem is not None),
        error=JobProblem.of(problem) if problem else None,
    )
