"""The board: what is due, beside what the queue and the notes know of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from palaver.jobs.item import Item, Note, looked_through
from palaver.jobs.kind import Due, Kind
from palaver.jobs.port import kind_of, user_of
from palaver.jobs.postgres.notes import Notes, Queued
from palaver.times import Clock


@dataclass(frozen=True, slots=True)
class Posted(Item):
    """An item, and where it stands in the queue."""

    number: int | None
    """Its number there; None when it is not in the queue."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What notes and queue told at a moment."""

    notes: Mapping[str, Note]
    queued: Mapping[str, Queued]
    now: datetime

    def item(self, kind: Kind, due: Due) -> Posted:
        id_ = kind.id_of(due)
        queued = self.queued.get(id_)
        running = queued is not None and queued.running
        number = queued.number if queued else None
        return Posted(kind, due, self.notes.get(id_), running, self.now, number)


class Board:
    """Of everybody in a database. Safe to use from any thread; may raise StorageFailed."""

    def __init__(self, notes: Notes, kinds: Sequence[Kind], clock: Clock) -> None:
        self.notes = notes
        self.kinds = {kind.name: kind for kind in kinds}
        self._clock = clock

    def look(self, user: str | None = None) -> list[Posted]:
        """What is due, to one user or to all: of those that wait for their turn some, and all
        others. Notes of what is not due any more are forgotten."""
        known = self._known()  # first: what is done from here on is not due below
        items = [item for kind in self.kinds.values() for item in self._of(kind, known, user)]
        there = {item.id for item in items} | known.queued.keys()
        gone = [id_ for id_ in self._noted(known, user) if id_ not in there]
        if gone:
            self.notes.forget(gone)
        return items

    def shown(self, user: str | None = None) -> list[Posted]:
        """The same, with everything that runs, however much would have come before it."""
        items = self.look(user)
        running = self.running(items, user)
        return items + [item for id_ in running if (item := self.find(id_))]

    def running(self, besides: Sequence[Posted], user: str | None = None) -> list[str]:
        """What runs besides some: what is under way is perhaps not seen as due any more."""
        seen = {item.id for item in besides}
        return [
            id_
            for id_, queued in self.notes.queued().items()
            if queued.running and id_ not in seen and user in (None, user_of(id_))
        ]

    def find(self, id_: str) -> Posted | None:
        kind = self.kinds.get(kind_of(id_))
        due = kind.find(id_) if kind else None
        return self._known().item(kind, due) if kind and due else None

    def _known(self) -> _Known:
        notes = self.notes.all()
        return _Known(notes, self.notes.queued(), self._clock())

    def _of(self, kind: Kind, known: _Known, user: str | None) -> Iterator[Posted]:
        noted = {id_ for id_ in self._noted(known, user) if kind_of(id_) == kind.name}
        return looked_through((known.item(kind, one) for one in kind.due_to(user)), noted)

    def _noted(self, known: _Known, user: str | None) -> Iterator[str]:
        """The jobs of which something is noted, if anybody here could tell that they are due."""
        return (
            id_
            for id_ in known.notes
            if kind_of(id_) in self.kinds and user in (None, user_of(id_))
        )
