"""The condition of the index, as `health` tells it: shared by all threads that use the index."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Literal

from palaver.errors import IndexDegraded, IndexRebuilding, IndexUnavailable
from palaver.index.faults import Failed
from palaver.index.records import Health

_FINE = "Everything that was said can be found."


class Condition:
    """How far the index can be trusted, and why."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._status: Literal["ok", "rebuilding", "degraded"] = "ok"
        self._detail = _FINE
        self._remedy: str | None = None
        self._done = self._total = 0
        self._lost: Sequence[str] = ()
        self._meaningless: str | None = None
        """Why nothing is found by its meaning, if so; full text answers all the same."""
        self._unkept: str | None = None
        """Why nothing is done in the background, if so."""
        self.trusted: tuple[int, int] | None = None
        """Which file has every row, if its own row of information says so."""

    def health(self) -> Health:
        with self._lock:
            status = self._status
            detail = f"{self._detail} {self._remedy}" if self._remedy else self._detail
            if status == "ok" and (lacking := self._meaningless or self._unkept):
                status, detail = "degraded", lacking
            return Health(
                status=status,
                detail=detail,
                done=self._done,
                total=self._total,
                lost=list(self._lost),
            )

    @property
    def degraded(self) -> bool:
        return self._status == "degraded"

    @property
    def rebuilding(self) -> bool:
        return self._status == "rebuilding"

    def fine(self) -> None:
        self._set("ok", _FINE)

    def recovers(self, *, whole: bool = False) -> None:
        """What failed works again; a rebuild that is under way says itself when it is done. With
        `whole` every row is there, and one that was broken off says nothing any more."""
        if self.degraded or (whole and self.rebuilding):
            self.fine()

    def rebuilds(self, reason: str, done: int = 0, total: int = 0) -> None:
        self._set("rebuilding", f"{reason} The index is being made again.", done, total)

    def fails(self, fault: Failed) -> None:
        self._set("degraded", str(fault), remedy=fault.remedy)

    def advances(self, done: int, total: int) -> None:
        """How much of the ledger a rebuild has read."""
        with self._lock:
            self._done, self._total = done, total

    def means(self) -> None:
        """What was said can be found by its meaning, too."""
        with self._lock:
            self._meaningless = None

    def lacks_meaning(self, message: str, remedy: str | None) -> None:
        """Only words are found, and this is why."""
        detail = f"Only words are found, not meaning. {message}"
        with self._lock:
            self._meaningless = f"{detail} {remedy}" if remedy else detail

    def kept(self) -> None:
        """The index is kept in order in the background."""
        with self._lock:
            self._unkept = None

    def unkept(self, message: str) -> None:
        """Everything is found, but nothing is done in the background, and this is why."""
        with self._lock:
            self._unkept = f"The index is not kept in order. {message} Palaver tries it again."

    def loses(self, streams: Sequence[str]) -> None:
        with self._lock:
            self._lost = streams

    def problem(self) -> IndexUnavailable:
        """What to raise for a question that cannot be answered now."""
        with self._lock:
            if self._status == "degraded":
                return IndexDegraded(self._detail, remedy=self._remedy)
        return IndexRebuilding()

    def _set(
        self,
        status: Literal["ok", "rebuilding", "degraded"],
        detail: str,
        done: int = 0,
        total: int = 0,
        remedy: str | None = None,
    ) -> None:
        with self._lock:
            self._status, self._detail, self._remedy = status, detail, remedy
            self._done, self._total = done, total
