"""Commits of all users of one node: whatever waits when one begins goes into it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Condition, Thread

from palaver.errors import StorageError, StorageFailed, StorageUncertain, StorageUnreachable
from palaver.ledger.postgres.attempt import Attempt
from palaver.ledger.postgres.fate import is_stored
from palaver.ledger.postgres.port import Committed, PostgresFollower
from palaver.ledger.postgres.tasks import Task, shares
from palaver.postgres import Pool
from palaver.times import Clock, iso, system_clock

_MOST_TASKS = 500
_GRACE = 0.002
"""So many seconds a commit waits for as many tasks as the last one had: whoever got an answer comes
again at the same time as the others."""
_MOST_WAITING = 4
_PATIENCE = 15.0

log = logging.getLogger(__name__)

Shares = Sequence[Sequence[Task]]


class Committer:
    """One thread that writes, and a few for users whom another node keeps waiting.

    Safe to use from any thread; several nodes may commit for the same users.
    """

    def __init__(
        self,
        pool: Pool,
        follower: PostgresFollower | None = None,
        committed: Committed | None = None,
        clock: Clock = system_clock,
        *,
        patience: float = _PATIENCE,
    ) -> None:
        """`patience` is how long a server is waited for that went in the middle of a commit."""
        self._pool = pool
        self._follower = follower
        self._committed = committed
        self._clock = clock
        self._patience = patience
        self._signal = Condition()
        self._waiting: list[Task] = []
        self._stuck: dict[int, list[Task]] = {}
        """The tasks of users whom another node holds: they wait without keeping others waiting."""
        self._usual = 1
        """How many tasks the last commit had."""
        self._closed = False
        self._waiters = ThreadPoolExecutor(_MOST_WAITING, "palaver-waiting")
        self._writer = Thread(target=self._work, name="palaver-writer", daemon=True)
        self._writer.start()

    def submit(self, task: Task) -> None:
        """Its future gets the answer. Raises StorageFailed once it is closed."""
        with self._signal:
            if self._closed:
                raise StorageFailed("Palaver is closed.", remedy="Open it again, then try again.")
            self._waiting.append(task)
            self._signal.notify()

    def close(self) -> None:
        """Returns when everything that was submitted has its answer."""
        with self._signal:
            self._closed = True
            self._signal.notify()
        self._writer.join()
        self._waiters.shutdown()

    # -- in the threads ----------------------------------------------------------------------

    def _work(self) -> None:
        while tasks := self._take():
            tasks = [task for task in tasks if task.future.set_running_or_notify_cancel()]
            while tasks:
                groups, tasks = shares(tasks)
                for group in self._commit(self._free(groups), waiting=False):
                    self._stick(group)

    def _take(self) -> list[Task]:
        """What is waiting; nothing when it is time to end."""
        with self._signal:
            self._signal.wait_for(lambda: self._waiting or self._closed)
            self._signal.wait_for(lambda: len(self._waiting) >= self._usual or self._closed, _GRACE)
            taken = self._waiting[:_MOST_TASKS]
            del self._waiting[:_MOST_TASKS]
            self._usual = len(taken)
            return taken

    def _free(self, groups: Shares) -> Shares:
        """Those whose user is not stuck; the others join those that wait already."""
        with self._signal:
            for group in groups:
                if group[0].owner in self._stuck:
                    self._stuck[group[0].owner] += group
            return [group for group in groups if group[0].owner not in self._stuck]

    def _stick(self, group: Sequence[Task]) -> None:
        """Lets the tasks wait for their user; what waits already is not forgotten."""
        owner = group[0].owner
        with self._signal:
            is_new = owner not in self._stuck
            self._stuck.setdefault(owner, []).extend(group)
        if is_new:
            self._waiters.submit(self._unstick, owner)

    def _unstick(self, owner: int) -> None:
        while tasks := self._next_stuck(owner):
            while tasks:
                groups, tasks = shares(tasks)
                self._commit(groups, waiting=True)

    def _next_stuck(self, owner: int) -> list[Task]:
        with self._signal:
            tasks, self._stuck[owner] = self._stuck[owner], []
            if not tasks:
                del self._stuck[owner]
            return tasks

    def _commit(self, groups: Shares, *, waiting: bool) -> list[Sequence[Task]]:
        """Gives every task its answer, except those it returns: their users are held."""
        try:
            return self._answer(groups, waiting=waiting) if groups else []
        except Exception as error:  # without these threads nothing is stored any more
            log.exception("Something went wrong in a commit.")
            for task in (task for group in groups for task in group):
                if not task.future.done():
                    task.future.set_exception(error)
            return []

    def _answer(self, groups: Shares, *, waiting: bool) -> list[Sequence[Task]]:
        try:
            attempt = self._attempt(groups, waiting=waiting)
        except StorageError as error:
            return self._fall_apart(groups, error, waiting=waiting)
        if attempt.fallen and self._follower:
            self._follower.behind(attempt.commits, attempt.fallen)
        for task, outcome in attempt.outcomes:
            task.answer(outcome)
        if self._committed:
            for commit in attempt.commits:
                self._committed(commit)
        return attempt.blocked

    def _fall_apart(
        self, groups: Shares, error: StorageError, *, waiting: bool
    ) -> list[Sequence[Task]]:
        """Nothing is stored. If one of the tasks may be the cause, the others go without it."""
        tasks = [task for group in groups for task in group]
        if type(error) is StorageFailed and len(tasks) > 1:
            return [held for task in tasks for held in self._answer([[task]], waiting=waiting)]
        for task in tasks:
            task.answer(error)
        return []

    def _attempt(self, groups: Shares, *, waiting: bool) -> Attempt:
        """Once more on another connection, when the first is cut before anything was stored."""
        try:
            return self._once(groups, waiting=waiting)
        except StorageUnreachable:
            return self._once(groups, waiting=waiting)

    def _once(self, groups: Shares, *, waiting: bool) -> Attempt:
        attempt = Attempt(groups, iso(self._clock()), self._follower)
        try:
            with self._pool.connection() as connection:
                attempt.run(connection, waiting=waiting)
        except StorageUncertain as lost:
            if not (attempt.commits and is_stored(self._pool, attempt.commits, self._patience)):
                raise StorageUnreachable from lost
        return attempt
