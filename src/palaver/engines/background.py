"""What happens in the background of a node: which jobs there are, and who runs them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from palaver.index.postgres.due import Owing
from palaver.index.postgres.shared import Shared
from palaver.jobs.kinds import IndexWork
from palaver.jobs.postgres import Pace, PostgresJobs, Runner
from palaver.jobs.postgres.board import Board
from palaver.jobs.postgres.notes import Notes
from palaver.settings import Settings
from palaver.times import Clock, system_clock


@dataclass(frozen=True, slots=True)
class Background:
    """How a process sees to jobs."""

    worker: bool = True
    """Whether it runs them itself; otherwise the workers of others do."""
    zone: tzinfo = UTC
    clock: Clock = system_clock
    pace: Pace = field(default_factory=Pace)

    @classmethod
    def of(cls, settings: Settings) -> Background:
        return cls(worker=settings.jobs.worker, zone=settings.user.zone)

    def board(self, shared: Shared, model: Callable[[], str] | None) -> Board:
        """Everything that may be due in a database; `model` names the one for vectors."""
        owing = Owing(shared.pool, shared.dialect)
        work = IndexWork(shared, owing, model, self.clock, self.zone)
        return Board(Notes(shared.pool, shared.dialect.version), list(work.kinds()), self.clock)

    def attach(self, url: str, shared: Shared, model: Callable[[], str] | None) -> PostgresJobs:
        """Gives a node, which is not open yet, somebody who sees to its jobs."""
        board = self.board(shared, model)
        shared.background = Runner(
            url,
            board,
            shared.locks,
            self.clock,
            report=shared.report,
            pace=self.pace,
            worker=self.worker,
        )
        return PostgresJobs(url, board)
