"""Performing: one job from its beginning to its end, and what is noted of it."""

from __future__ import annotations

import time
from collections.abc import Callable

from palaver.errors import PalaverError
from palaver.index.postgres.locks import Locks
from palaver.jobs.attempt import BUSY, attempt
from palaver.jobs.kind import Due, Ended, Kind
from palaver.jobs.postgres.board import Board
from palaver.jobs.postgres.notes import Notes
from palaver.jobs.postgres.queue import HandBack
from palaver.times import Clock

_TOLD = 1.0
"""How far a job has come is noted at most so often."""


class Performing:
    """Does the jobs of a worker, in its threads."""

    def __init__(
        self, board: Board, locks: Locks, clock: Clock, stopping: Callable[[], bool]
    ) -> None:
        """`stopping` tells whether the worker is about to end."""
        self._board = board
        self._notes = board.notes
        self._locks = locks
        self._clock = clock
        self._stopping = stopping

    def __call__(self, unwanted: Callable[[], bool], kind: str, id_: str) -> None:
        """Raises HandBack when another worker is to go on with it, StorageFailed when not even what
        went wrong can be noted."""
        known = self._board.kinds[kind]
        due = known.find(id_)
        if due is None:
            self._notes.forget([id_])
            return
        # A queue that was lost knows nothing of those who still do what it had given them.
        with self._locks.tried(due.owner, f"job {id_}") as held:
            if held and not known.elsewhere(due):
                self._perform(known, due, _Running(self._notes, due, id_, unwanted, self._stopping))
            else:
                self._notes.pause(due.owner, id_, self._clock() + BUSY)

    def _perform(self, kind: Kind, due: Due, run: _Running) -> None:
        try:
            problem = attempt(kind, due, run)
        except Ended as end:
            if self._stopping():
                raise HandBack from end
            return
        if problem:
            self._failed(kind, due, problem)
        else:
            self._notes.forget([run.id])

    def _failed(self, kind: Kind, due: Due, error: PalaverError) -> None:
        id_ = kind.id_of(due)
        attempts = self._notes.fail(due.owner, id_, error)
        self._notes.pause(due.owner, id_, self._clock() + kind.pause(attempts))


class _Running:
    """A Run that looks whether anybody wants it to end."""

    def __init__(
        self,
        notes: Notes,
        due: Due,
        id_: str,
        unwanted: Callable[[], bool],
        stopping: Callable[[], bool],
    ) -> None:
        self.id = id_
        self.unwanted = unwanted
        self._notes = notes
        self._owner = due.owner
        self._stopping = stopping
        self._told = 0.0

    def pause(self) -> None:
        if self.unwanted() or self._stopping():
            raise Ended

    def advance(self, done: int, total: int) -> None:
        now = time.monotonic()
        if total and now - self._told >= _TOLD:
            self._told = now
            self._notes.advance(self._owner, self.id, done, total)
