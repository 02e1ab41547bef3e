"""What happens in the background of a node: which jobs there are, and who runs them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from palaver.embedding.facts import IDENTITY
from palaver.engines.databases import open_database
from palaver.engines.node_site import DatabaseRows
from palaver.index.postgres.due import Owing
from palaver.index.postgres.shared import Shared
from palaver.jobs.kind import Kind
from palaver.jobs.kinds import IndexWork
from palaver.jobs.postgres import Pace, PostgresJobs, Runner
from palaver.jobs.postgres.board import Board
from palaver.jobs.postgres.notes import Notes
from palaver.jobs.work import Work, kinds_of
from palaver.settings import Settings
from palaver.times import Clock, system_clock

_CONNECTIONS = 2
"""For those who only look: one holds a lock while the other asks."""


@dataclass(frozen=True, slots=True)
class Background:
    """How a process sees to jobs."""

    worker: bool = True
    """Whether it runs them itself; otherwise the workers of others do."""
    eager: bool = False
    """Whether it shows that it is there before there is anything to run."""
    zone: tzinfo = UTC
    clock: Clock = system_clock
    pace: Pace = field(default_factory=Pace)

    @classmethod
    def of(cls, settings: Settings) -> Background:
        return cls(worker=settings.jobs.worker, zone=settings.user.zone)

    def board(
        self, shared: Shared, model: Callable[[], str] | None, brought: Sequence[Kind] = ()
    ) -> Board:
        """Everything that may be due in a database; `model` names the one for vectors."""
        owing = Owing(shared.pool, shared.dialect)
        work = IndexWork(shared, owing, model, self.clock, self.zone)
        notes = Notes(shared.pool, shared.dialect.version)
        return Board(notes, [*work.kinds(), *brought], self.clock)

    def attach(
        self,
        url: str,
        shared: Shared,
        model: Callable[[], str] | None,
        brought: Sequence[Kind] = (),
    ) -> PostgresJobs:
        """Gives a node, which is not open yet, somebody who sees to its jobs."""
        board = self.board(shared, model, brought)
        shared.background = Runner(
            url,
            board,
            shared.locks,
            self.clock,
            report=shared.report,
            pace=self.pace,
            worker=self.worker,
            eager=self.eager,
        )
        return PostgresJobs(url, board)


@contextmanager
def jobs_of(settings: Settings, work: Sequence[Work] = ()) -> Generator[PostgresJobs]:
    """The jobs of a database, for somebody who runs none. Raises DatabaseUnusable, and more."""
    url = settings.database.url or ""
    with closing(open_database(url, size=_CONNECTIONS)) as pool:
        shared = Shared(pool)
        brought = kinds_of(work, DatabaseRows(Owing(pool, shared.dialect)))
        board = Background.of(settings).board(shared, lambda: IDENTITY, brought)
        yield PostgresJobs(url, board)
