"""The worker of a home: runs the jobs that others bring, in threads of this process.

One thread looks for what is due, and each job that runs has one of its own. What is known of jobs
is kept in memory: with the process goes what was tried and what failed, and no work.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import chain
from threading import Condition, Thread

from palaver.errors import PalaverError
from palaver.jobs.attempt import BUSY, attempt, known
from palaver.jobs.embedded.notes import HomeNotes
from palaver.jobs.item import Item, looked_through
from palaver.jobs.kind import Due, Ended, Kind
from palaver.jobs.pace import RESTS, Pace
from palaver.jobs.port import kind_of
from palaver.times import Clock

_GLANCE = 0.1

log = logging.getLogger(__name__)


class Worker:
    """Runs jobs until it is stopped. Safe to use from any thread."""

    def __init__(self, kinds: Sequence[Kind], clock: Clock, pace: Pace | None = None) -> None:
        self._kinds = {kind.name: kind for kind in kinds}
        self._clock = clock
        self._pace = pace or Pace()
        self._notes = HomeNotes()
        self._signal = Condition()
        self._ahead: list[str] = []
        """What is to be begun next."""
        self._running: dict[str, _Running] = {}
        self._thread: Thread | None = None
        self._awake = self._hurried = self._stopped = False
        self._asked = self._looked = 0
        """How often somebody asked for a look, and which of these were answered."""
        self._left = False
        """Whether the last look found something that can be done."""
        self._problem: PalaverError | None = None
        """Why it found nothing, if it failed."""

    def start(self) -> None:
        """Without any kind there is nothing to look for."""
        if self._kinds:
            self._thread = Thread(target=self._run, name="palaver-jobs", daemon=True)
            self._thread.start()

    def wake(self) -> None:
        """Has it looked for what is due, soon."""
        with self._signal:
            self._awake = True
            self._signal.notify_all()

    def settle(self) -> None:
        """Returns when everything is done that can be. Raises StorageFailed, IndexUnavailable."""
        while self._have_looked():
            with self._signal:
                if self._problem is not None:
                    raise self._problem
                if not self._left:
                    return
                self._signal.wait_for(lambda: self._stopped, _GLANCE)

    def stop(self) -> None:
        """Ends after the steps that are under way; what is left is still due."""
        with self._signal:
            self._stopped = True
            self._signal.notify_all()
            self._signal.wait_for(lambda: not self._running)
        if self._thread is not None:
            self._thread.join()

    def _have_looked(self) -> bool:
        """Waits for a look that begins after this; False when nobody looks."""
        with self._signal:
            self._asked += 1
            asked = self._asked
            self._awake = self._hurried = True
            self._signal.notify_all()
            self._signal.wait_for(lambda: self._is_idle or self._looked >= asked)
            return not self._is_idle

    @property
    def _is_idle(self) -> bool:
        return self._stopped or self._thread is None

    # -- for whoever looks at them or decides about them -------------------------------------

    def items(self) -> Sequence[Item]:
        """What is due: of those that wait for their turn some, and all others. Raises
        StorageFailed, IndexUnavailable."""
        return list(chain.from_iterable(map(self._some, self._kinds.values())))

    def find(self, id_: str) -> Item | None:
        """Raises StorageFailed, IndexUnavailable."""
        kind = self._kinds.get(kind_of(id_))
        due = kind.find(id_) if kind else None
        return self._item(kind, due, self._clock()) if kind and due else None

    def retry(self, item: Item) -> None:
        """Has it begun before all others, whatever became of it."""
        with self._signal:
            self._notes.let_go(item.due.owner, item.id)
            self._ahead.insert(0, item.id)
            self._begin()

    def cancel(self, item: Item) -> None:
        """Leaves it undone until its mark is another one; if it runs, it ends after its step."""
        with self._signal:
            self._notes.cancel(item.due.owner, item.id, item.due.mark)
            if item.id in self._running:
                self._running[item.id].unwanted = True

    def _some(self, kind: Kind) -> Sequence[Item]:
        """Notes of what is not due any more are forgotten."""
        running = {id_ for id_ in list(self._running) if kind_of(id_) == kind.name}
        noted = self._notes.of(kind.name)
        now = self._clock()
        items = (self._item(kind, one, now) for one in kind.due())
        found = list(looked_through(items, noted | running))
        self._notes.forget(noted - running - {item.id for item in found})
        return found

    def _item(self, kind: Kind, due: Due, now: datetime) -> Item:
        id_ = kind.id_of(due)
        return Item(kind, due, self._notes.get(id_), id_ in self._running, now)

    # -- in the thread that looks ------------------------------------------------------------

    def _run(self) -> None:
        try:
            with self._signal:  # only those who hurry have it look sooner
                self._signal.wait_for(lambda: self._stopped or self._hurried, self._pace.start)
            while not self._stopped:
                self._rest(self._look())
        finally:  # nobody waits for a thread that is not there any more
            with self._signal:
                self._stopped = True
                self._signal.notify_all()

    def _rest(self, took: float) -> None:
        """Waits until something may be due, and for more."""
        with self._signal:
            self._signal.wait_for(lambda: self._stopped or self._awake, self._pace.look)
            grace = max(self._pace.grace, took * RESTS)
            self._signal.wait_for(lambda: self._stopped or self._hurried, grace)

    def _look(self) -> float:
        """Begins what is due; gives how long it took to find it, in seconds."""
        with self._signal:
            asked, began = self._asked, time.monotonic()
            self._awake = self._hurried = False
        found, problem = self._found()
        with self._signal:
            self._ahead = [item.id for item in found if item.waits]
            unseen = self._running.keys() - {item.id for item in found}
            self._left = bool(unseen) or any(item.under_way for item in found)
            self._problem = problem
            self._begin()
            self._looked = asked
            self._signal.notify_all()
        return time.monotonic() - began

    def _found(self) -> tuple[Sequence[Item], PalaverError | None]:
        """What is due; nothing, and why, when nobody can tell now."""
        try:
            return self.items(), None
        except Exception as error:  # without this thread nothing is done any more
            problem = known(error)
            if self._problem is None or self._problem.message != problem.message:
                log.warning("Jobs wait: %s", problem.message, exc_info=problem is not error)
            return [], problem

    def _begin(self) -> None:
        """Begins as many as may run at once; the signal is held."""
        while self._ahead and len(self._running) < self._pace.concurrency and not self._stopped:
            id_ = self._ahead.pop(0)
            if id_ not in self._running:
                run = _Running(id_, self._notes, lambda: self._stopped)
                self._running[id_] = run
                Thread(target=self._perform, args=(run,), name="palaver-job", daemon=True).start()

    # -- in the threads of the jobs ----------------------------------------------------------

    def _perform(self, run: _Running) -> None:
        try:
            item = self.find(run.id)
            if item is not None and item.wanted:
                self._attempt(item.kind, item.due, run)
        except PalaverError as error:  # it is still due, and found again when that is mended
            log.warning("The job %s waits: %s", run.id, error.message)
        finally:
            with self._signal:
                del self._running[run.id]
                self._awake = self._awake or not self._ahead
                self._begin()
                self._signal.notify_all()

    def _attempt(self, kind: Kind, due: Due, run: _Running) -> None:
        run.owner = due.owner
        if kind.elsewhere(due):
            self._notes.pause(due.owner, run.id, self._clock() + BUSY)
            return
        try:
            problem = attempt(kind, due, run)
        except Ended:
            return
        if problem is None:
            self._notes.forget([run.id])
        else:
            attempts = self._notes.fail(due.owner, run.id, problem)
            self._notes.pause(due.owner, run.id, self._clock() + kind.pause(attempts))


class _Running:
    """A Run that looks whether anybody wants it to end."""

    def __init__(self, id_: str, notes: HomeNotes, stopping: Callable[[], bool]) -> None:
        self.id = id_
        self.owner = 0
        self.unwanted = False
        self._notes = notes
        self._stopping = stopping

    def pause(self) -> None:
        if self.unwanted or self._stopping():
            raise Ended

    def advance(self, done: int, total: int) -> None:
        self._notes.advance(self.owner, self.id, done, total)
