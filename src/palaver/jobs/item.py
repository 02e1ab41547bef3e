"""An item: something that is due, and how it stands, whoever runs it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeVar

from palaver.jobs.kind import Due, Kind
from palaver.jobs.port import Job, JobProblem, Progress, State
from palaver.times import iso

AHEAD = 200
"""So many things of a kind that wait for their turn are looked at; there may be thousands."""


class Note(NamedTuple):
    """What is known of a job that is still to be done."""

    id: str
    owner: int
    attempts: int = 0
    after: datetime | None = None
    code: str | None = None
    message: str | None = None
    remedy: str | None = None
    done: int | None = None
    total: int | None = None
    cancelled: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """Something that is due, and how it stands."""

    kind: Kind
    due: Due
    note: Note | None
    running: bool
    now: datetime

    @property
    def id(self) -> str:
        return self.kind.id_of(self.due)

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
    def waits(self) -> bool:
        """Whether it is to be done now, and nobody is at it."""
        return self.wanted and not self.running

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


T = TypeVar("T", bound=Item)


def looked_through(items: Iterable[T], noted: Set[str]) -> Iterator[T]:
    """Items of one kind: at most so many of those that wait, and all others.

    It reads on only as long as there are too few, or one is missing of those of which something is
    noted: what is due may come from a database, page by page.
    """
    missing, waiting = set(noted), 0
    for item in items:
        missing.discard(item.id)
        waiting += item.waits
        if waiting <= AHEAD or not item.waits:
            yield item
        if waiting >= AHEAD and not missing:
            return


def _progress(note: Note | None) -> Progress | None:
    if note is None or note.done is None or note.total is None:
        return None
    return Progress(done=note.done, total=note.total)


def _problem(note: Note | None) -> JobProblem | None:
    if note is None or note.code is None:
        return None
    return JobProblem(code=note.code, message=note.message or "", remedy=note.remedy or "")
