"""What is known of the jobs of a home that others bring: kept in memory, and lost with it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from threading import Lock
from typing import Any

from palaver.errors import PalaverError
from palaver.jobs.item import Note


class HomeNotes:
    """Notes of jobs by their ids. Safe to use from any thread."""

    def __init__(self) -> None:
        self._notes: dict[str, Note] = {}
        self._lock = Lock()

    def get(self, id_: str) -> Note | None:
        return self._notes.get(id_)

    def of(self, kind: str) -> set[str]:
        """The ids of that kind of which something is known."""
        with self._lock:
            return {id_ for id_ in self._notes if id_.startswith(f"{kind}:")}

    def fail(self, owner: int, id_: str, error: PalaverError) -> int:
        """Notes what went wrong; gives how often something has by now."""
        values = {"code": error.code, "message": error.message, "remedy": error.remedy}
        known = self.get(id_)
        attempts = known.attempts + 1 if known else 1
        self._note(owner, id_, attempts=attempts, **values)
        return attempts

    def pause(self, owner: int, id_: str, after: datetime) -> None:
        self._note(owner, id_, after=after)

    def advance(self, owner: int, id_: str, done: int, total: int) -> None:
        self._note(owner, id_, done=done, total=total)

    def cancel(self, owner: int, id_: str, mark: str) -> None:
        self._note(owner, id_, cancelled=mark, after=None)

    def let_go(self, owner: int, id_: str) -> None:
        """Nothing stands in its way any more; what went wrong is still told."""
        self._note(owner, id_, cancelled=None, after=None)

    def forget(self, ids: Iterable[str]) -> None:
        with self._lock:
            for id_ in ids:
                self._notes.pop(id_, None)

    def _note(self, owner: int, id_: str, **values: Any) -> None:
        with self._lock:
            note = self._notes.get(id_) or Note(id_, owner)
            self._notes[id_] = note._replace(**values)
