"""The board: what is due, beside what the queue and the notes know of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from palaver.jobs.kind import Due, Kind
from palaver.jobs.port import Job, Problem, Progress, State
from palaver.jobs.postgres.notes import Note, Notes, Queued
from palaver.times import Clock, iso


@dataclass(frozen=True, slots=True)
class Item:
    """Something that is due, and how it stands."""

    kind: Kind
    due: Due
    note: Note | None
    queued: Queued | None
    now: datetime

    @property
    def id(self) -> str:
        return self.kind.id_of(self.due)

    @property
    def running(self) -> bool:
        return self.queued is not None and self.queued.running

    @property
    def cancelled(self) -> bool:
        return self.note is not None and self.note.cancelled == self.due.mark

    @property
    def after(self) -> datetime | None:
        """When it is tried again, if it is not to be tried now."""
        after = self.note.after if self.note else None
        return after if after and after > self.now else None

    @property
    def wanted(self) -> bool:
        """Whether it is to be done now."""
        return not self.cancelled and self.after is None

    @property
    def under_way(self) -> bool:
        """Whether it is to be done now, or only waits for whoever is at it already."""
        failed = self.note is not None and self.note.code is not None
        return self.wanted or not (self.cancelled or failed)

    def job(self) -> Job:
        note = self.note
        return Job(
            id=self.id,
            kind=self.kind.name,
            user=self.due.user,
            key=self.due.key or None,
            state=self._state(),
            attempts=note.attempts if note else 0,
            after=iso(self.after) if self.after and not self.running else None,
            progress=_progress(note),
            error=_problem(note),
        )

    def _state(self) -> State:
        if self.running:
            return "running"
        if self.cancelled:
            return "cancelled"
        return "failed" if self.note and self.note.code and self.after else "pending"


class Board:
    """Of everybody in a database. Safe to use from any thread; may raise StorageFailed."""

    def __init__(self, notes: Notes, kinds: Sequence[Kind], clock: Clock) -> None:
        self.notes = notes
        self.kinds = {kind.name: kind for kind in kinds}
        self._clock = clock

    def look(self) -> list[Item]:
        """Everything that is due. Notes of what is not due any more are forgotten."""
        notes = self.notes.all()  # first: what is done from here on is not due below
        due = [(kind, one) for kind in self.kinds.values() for one in kind.due()]
        queued = self.notes.queued()
        now = self._clock()
        items = [
            Item(kind, one, notes.get(id_), queued.get(id_), now)
            for kind, one in due
            for id_ in (kind.id_of(one),)
        ]
        known = {item.id for item in items} | queued.keys()
        gone = [id_ for id_ in notes if id_ not in known and self._is_ours(id_)]
        if gone:
            self.notes.forget(gone)
        return items

    def find(self, id_: str) -> Item | None:
        return next((item for item in self.look() if item.id == id_), None)

    def _is_ours(self, id_: str) -> bool:
        """Whether anybody here could tell that it is due."""
        return id_.partition(":")[0] in self.kinds


def _progress(note: Note | None) -> Progress | None:
    if note is None or note.done is None or note.total is None:
        return None
    return Progress(done=note.done, total=note.total)


def _problem(note: Note | None) -> Problem | None:
    if note is None or note.code is None:
        return None
    return Problem(code=note.code, message=note.message or "", remedy=note.remedy or "")
