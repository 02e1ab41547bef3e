"""The kinds of jobs on PostgreSQL that keep the index: embedding, check, rebuild."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from palaver.errors import IndexDegraded
from palaver.index.faults import Unusable
from palaver.index.postgres.due import Owed, Owing
from palaver.index.postgres.index import PostgresIndex
from palaver.index.postgres.shared import Shared
from palaver.jobs.findings import found_wrong
from palaver.jobs.kind import Due, Kind, Run
from palaver.jobs.schedule import last_night
from palaver.ledger.postgres import PostgresSource
from palaver.times import Clock


@dataclass(frozen=True, slots=True)
class IndexWork:
    """What there is to do for the indexes of all users of a database."""

    shared: Shared
    owing: Owing
    model: Callable[[], str] | None
    """Names the model whose vectors are made, without loading it; None for full text only."""
    clock: Clock
    zone: tzinfo
    """In which nights are over."""

    def kinds(self) -> Iterator[Kind]:
        if self.model is not None:
            yield Kind("embedding", "embeddings", self._unlearned, self._embed, keeps_index=True)
        yield Kind("check", "index", self._unchecked, self._check, keeps_index=True)
        yield Kind(
            "rebuild",
            "index",
            self._unmade,
            self._rebuild,
            self._rebuilt_elsewhere,
            keeps_index=True,
        )

    # -- embedding: texts without their vector -----------------------------------------------

    def _unlearned(self) -> Iterable[Due]:
        found = self.owing.unlearned(self._model())
        return [Due(one.owner, one.user, f"{one.mark} {one.behind}") for one in found]

    def _embed(self, due: Due, run: Run) -> None:
        owed = _of(self.owing.unlearned(self._model()), due.owner)
        if owed is None:
            return
        try:
            learning = self.shared.learning(due.owner)
            before, total = done, _ = learning.count()
            while learned := learning.step():
                done += learning.learned
                run.advance(min(done, total), total)
                run.pause()
        except Unusable as fault:
            self._ask(due)
            raise IndexDegraded(str(fault)) from fault
        if learned is None:
            raise learning.problem
        self.owing.learned(due.owner, self._model(), owed.mark, some=done > before)
        self.shared.wake()

    def _model(self) -> str:
        return self.model() if self.model else ""

    # -- check: rows and pieces against the ledger, every night ------------------------------

    def _unchecked(self) -> Iterable[Due]:
        return [Due(one.owner, one.user, str(one.mark)) for one in self._owed_check()]

    def _owed_check(self) -> Sequence[Owed]:
        return self.owing.unchecked(int(last_night(self.clock(), self.zone).timestamp()))

    def _check(self, due: Due, run: Run) -> None:
        owed = _of(self._owed_check(), due.owner)
        if owed is None:
            return
        found = self._index(due).check(run.pause)
        if wrong := found_wrong(found):
            self._ask(due)
            raise wrong
        self.owing.checked(due.owner, owed.mark)

    # -- rebuild: rows that are not there, or not as they should be --------------------------

    def _unmade(self) -> Iterable[Due]:
        return [Due(one.owner, one.user, str(one.mark)) for one in self.owing.unmade()]

    def _rebuild(self, due: Due, run: Run) -> None:
        owed = _of(self.owing.unmade(), due.owner)
        if owed is None:
            return
        self._index(due).make(run.advance, run.pause, afresh=owed.mark > 0)
        self.owing.made(due.owner)

    def _rebuilt_elsewhere(self, due: Due) -> bool:
        """Whoever asks an index that is not complete has it made at once."""
        with self.shared.locks.tried(due.owner, "rebuild") as free:
            return not free

    def _ask(self, due: Due) -> None:
        self.owing.ask(due.owner, int(self.clock().timestamp()))

    def _index(self, due: Due) -> PostgresIndex:
        return PostgresIndex(self.shared, PostgresSource(self.shared.pool, due.user))


def _of(owed: Sequence[Owed], owner: int) -> Owed | None:
    """What is owed to one of them, if it still is."""
    return next((one for one in owed if one.owner == owner), None)
