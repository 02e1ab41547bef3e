"""Work that a test brings to an engine, and decides about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from threading import Event, Lock

import pytest

from palaver.engines import Engine, ModelLoader, engine_of
from palaver.errors import StorageFailed
from palaver.jobs.kind import Due, Kind, Run
from palaver.jobs.work import Site
from palaver.settings import Settings
from palaver.times import Clock

_GLANCE = 0.02


@dataclass(frozen=True)
class Brought:
    """One kind, as Work."""

    kind: Kind

    def kinds(self, site: Site) -> Iterable[Kind]:
        return [self.kind]

    def close(self) -> None: ...


class Chores:
    """Chores of the user `local`, each with a key: they are due until they are done."""

    def __init__(self, *keys: str, name: str = "") -> None:
        """Those of the same name are equal."""
        self._name = name or str(id(self))
        self._lock = Lock()
        self.site: Site | None = None
        self.marks = dict.fromkeys(keys, "1")
        self.broken: set[str] = set()
        """Those that fail."""
        self.away = False
        """Whether nobody can tell what is due."""
        self.gate = Event()
        """While it is shut, none comes any further."""
        self.gate.set()
        self.steps = 1
        self.begun: list[str] = []
        self.done: list[str] = []
        self.read = 0
        """How many were read of what is due."""
        self.closed = 0
        self._running: list[str] = []
        self.most = 0
        """How many ran at once."""
        self.twice = False
        """Whether one of them did so twice at once."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chores) and self._name == other._name

    def __hash__(self) -> int:
        return hash(self._name)

    def kinds(self, site: Site) -> Iterable[Kind]:
        self.site = site
        return [self.kind]

    @property
    def kind(self) -> Kind:
        return Kind("chore", "chores", self._due, self._run, pause=self._pause)

    def close(self) -> None:
        assert not self._running
        self.closed += 1

    def _due(self) -> Iterator[Due]:
        for key, mark in list(self.marks.items()):
            if self.away:
                raise StorageFailed("The cupboard is locked.")
            self.read += 1
            yield Due(1, "local", mark, key)

    def _run(self, due: Due, run: Run) -> None:
        with self._lock:
            self.twice = self.twice or due.key in self._running
            self.begun.append(due.key)
            self._running.append(due.key)
            self.most = max(self.most, len(self._running))
        try:
            self._work(due, run)
        finally:
            with self._lock:
                self._running.remove(due.key)

    def _work(self, due: Due, run: Run) -> None:
        for step in range(self.steps):
            run.advance(step, self.steps)
            while not self.gate.wait(_GLANCE):
                run.pause()
        if due.key in self.broken:
            raise StorageFailed("The broom is broken.")
        self.done.append(due.key)
        if self.marks.get(due.key) == due.mark:
            del self.marks[due.key]

    @staticmethod
    def _pause(attempts: int) -> timedelta:
        return timedelta(minutes=5) * attempts


def bring(chores: Chores, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has every library that is opened from here on do these chores."""

    def engine(
        settings: Settings, user: str, load: ModelLoader | None, clock: Clock, *_: object
    ) -> Engine:
        return engine_of(settings, user, load, clock, [chores])

    monkeypatch.setattr("palaver.app.engine_of", engine)
