"""One transaction: the lines of many callers and many users, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.errors import CopyUnfinished, PalaverError, StorageError, StorageFailed
from palaver.ledger.batch import Batch, Request
from palaver.ledger.erasure import drafts as erasure_drafts
from palaver.ledger.lines import USER_STREAM, Draft
from palaver.ledger.postgres.erasing import enforce
from palaver.ledger.postgres.port import Commit, PostgresFollower
from palaver.ledger.postgres.stored import Stored, lock
from palaver.ledger.postgres.tasks import Outcome, Task
from palaver.ledger.postgres.writing import write
from palaver.postgres import Connection


class Attempt:
    """Tries to commit tasks, given user by user; run once.

    lock the users → read what the tasks need → make the lines → write them → erase what they say →
    tell the follower → commit. Nothing is acknowledged before the server has answered COMMIT.
    """

    def __init__(
        self, shares: Sequence[Sequence[Task]], now: str, follower: PostgresFollower | None
    ) -> None:
        self._shares = shares
        self._now = now
        self._follower = follower
        self.outcomes: list[tuple[Task, Outcome]] = []
        self.commits: list[Commit] = []
        self.blocked: list[Sequence[Task]] = []
        """The tasks of users for whom somebody else is committing."""
        self.fallen: Exception | None = None
        """Why the follower could not follow."""

    def run(self, connection: Connection, *, waiting: bool) -> None:
        """Raises StorageFailed: then nothing is stored, or StorageUncertain: then it may be."""
        with connection.writing():
            stored = lock(connection, self._shares, waiting=waiting)
            batches: dict[int, Batch] = {}
            for tasks in self._shares:
                owner = tasks[0].owner
                if owner in stored and stored[owner].copying:
                    self.outcomes += [(task, CopyUnfinished()) for task in tasks]
                elif owner in stored:
                    batch = self._place(stored[owner], tasks)
                    batches |= {owner: batch} if batch.lines else {}
                else:
                    self._miss(tasks, waiting=waiting)
            if batches:
                write(connection, batches, stored)
                self._follow(connection, batches)

    def _place(self, stored: Stored, tasks: Sequence[Task]) -> Batch:
        batch = Batch(stored, stored.pos, self._now)
        self.outcomes += [(task, _placed(batch, stored, task)) for task in tasks]
        if batch.lines:
            task, lines = tasks[0], batch.in_order()
            self.commits.append(Commit(task.owner, task.user, batch.before, lines))
        return batch

    def _miss(self, tasks: Sequence[Task], *, waiting: bool) -> None:
        if not waiting:
            self.blocked.append(tasks)
            return
        error = StorageFailed("The user is not in the database any more.")
        self.outcomes += [(task, error) for task in tasks]

    def _follow(self, connection: Connection, batches: dict[int, Batch]) -> None:
        for commit in self.commits:
            enforce(connection, commit.owner, commit.lines)
        if self._follower is None:
            return
        try:
            with connection.aside():
                self._follower.apply(connection, self.commits)
        except Exception as error:  # noqa: BLE001 - lines are kept whatever befalls the index
            self.fallen = error


def _placed(batch: Batch, stored: Stored, task: Task) -> Outcome:
    try:
        return batch.place(Request(lambda: _drafts(stored, task), expected=task.expected))
    except StorageError:
        raise  # the transaction is broken, not the task
    except PalaverError as error:
        return error


def _drafts(stored: Stored, task: Task) -> Sequence[Draft]:
    if task.erasure is None:
        return task.drafts
    first = not stored.head(USER_STREAM).lines
    return erasure_drafts(task.erasure, stored.lines, task.user, first=first)
