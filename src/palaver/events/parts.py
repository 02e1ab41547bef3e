"""The parts of replies in the making, as a node writes them: a few times a second, and all at once.

A thread writes what has come since it wrote last. While a reply is shared it is touched every so
often; one that nobody has touched for long has lost its maker, and whoever notices takes it away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Condition, Thread
from time import monotonic
from typing import Any, NamedTuple

import orjson

from palaver.errors import StorageError
from palaver.events.relay import Making, Part, Question, Shown
from palaver.postgres import Pool, Row
from palaver.sql import statements

QUERIES = statements(__package__ or "", "queries.sql")
APART = 0.05
"""So many seconds lie between two writes at least."""
_TOUCHED_EVERY = 2.0
_PAUSE = 1.0
"""After so many seconds it is tried again to write what could not be written."""
PATIENCE = 8.0
"""Of whom nothing is heard for so many seconds makes nothing any more."""
SWEPT_EVERY = 30.0


@dataclass(slots=True)
class _Shared:
    """A reply that is shared."""

    owner: int
    user: str
    making: Making
    parts: list[Part] = field(default_factory=list[Part])
    """Those that are not written yet."""
    last: int = 0
    anew: bool = False
    ended: bool = False

    @property
    def has_news(self) -> bool:
        return bool(self.parts) or self.ended

    def take(self) -> _Taken:
        """What is to be written now; what comes from here on is written later."""
        taken = _Taken(self, self.parts, self.anew, self.ended)
        self.parts, self.anew = [], False
        return taken

    def give_back(self, taken: _Taken) -> None:
        """It was not written."""
        if not (self.anew or self.ended):  # else it is gone by now
            self.parts = [*taken.parts, *self.parts]
        self.anew = self.anew or taken.anew


class _Taken(NamedTuple):
    shared: _Shared
    parts: list[Part]
    anew: bool
    ended: bool


class Parts:
    """Those of one node; `told` is called with the users of whom something was written, and
    `often` every half minute. Thread-safe."""

    def __init__(
        self,
        pool: Pool,
        node: str,
        told: Callable[[Iterable[str]], None],
        often: Callable[[], None],
    ) -> None:
        self._pool = pool
        self._node = node
        self._told = told
        self._often = often
        self._signal = Condition()
        self._shared: dict[str, _Shared] = {}
        self._touched = self._swept = -SWEPT_EVERY
        self._closed = False
        self._thread: Thread | None = None

    def start(self) -> None:
        """Begins to look after them, unless that was done."""
        with self._signal:
            if self._thread is None and not self._closed:
                self._thread = Thread(target=self._work, name="palaver-replies", daemon=True)
                self._thread.start()

    def add(self, owner: int, user: str, making: Making, text: str, *, anew: bool) -> None:
        with self._signal:
            shared = self._shared.setdefault(making.id, _Shared(owner, user, making))
            if anew:
                shared.parts.clear()
                shared.anew = True
            shared.last += 1
            shared.parts.append(Part(shared.last, text))
            self._signal.notify()
        self.start()

    def end(self, making: Making) -> None:
        """Nothing is left of it soon."""
        with self._signal:
            if shared := self._shared.get(making.id):
                shared.parts.clear()
                shared.ended = True
                self._signal.notify()

    def close(self) -> None:
        """Returns when nothing is left of what has ended, or the database cannot be reached."""
        with self._signal:
            self._closed = True
            self._signal.notify()
            thread = self._thread
        if thread is not None:
            thread.join()

    # -- reading -----------------------------------------------------------------------------

    def look(self, owner: int, seen: Mapping[str, int]) -> Sequence[Shown]:
        """Those of other nodes. Raises StorageFailed."""
        asked = {
            "ids": list(seen),
            "numbers": list(seen.values()),
            "node": self._node,
            "patience": PATIENCE,
        }
        with self._pool.connection(owner) as connection:
            (found,) = connection.glance((QUERIES["shown"], asked))
            shown = _shown(found.rows)
            if seen.keys() - {one.making.id for one in shown}:
                with connection.writing():
                    connection.run(QUERIES["owners"], (_array([owner]),))
                    connection.run(QUERIES["sweep"], (PATIENCE,))
        return shown

    # -- in the thread -----------------------------------------------------------------------

    def _work(self) -> None:
        pause = 0.0
        while self._wait(pause):
            try:
                self._sweep()
                self._write()
                pause = APART
            except StorageError:
                if self._closed:
                    return
                pause = _PAUSE

    def _wait(self, pause: float) -> bool:
        """Until there is something to do; whether there is."""
        with self._signal:
            self._signal.wait_for(lambda: self._closed, pause)
            due = self._touched + _TOUCHED_EVERY if self._shared else self._swept + SWEPT_EVERY
            self._signal.wait_for(lambda: self._closed or self._has_news, due - monotonic())
            return self._has_news or not self._closed

    @property
    def _has_news(self) -> bool:
        return any(one.has_news for one in self._shared.values())

    def _write(self) -> None:
        """Raises StorageFailed; then all of it is still to be written."""
        taken = self._take()
        if not taken:
            return
        try:
            self._store(taken)
        except StorageError:
            self._give_back(taken)
            raise
        with self._signal:
            for one in taken:
                if one.ended:
                    del self._shared[one.shared.making.id]
        self._told({one.shared.user for one in taken if one.parts or one.ended})

    def _take(self) -> list[_Taken]:
        with self._signal:
            touch = monotonic() >= self._touched + _TOUCHED_EVERY
            if touch:
                self._touched = monotonic()
            return [one.take() for one in self._shared.values() if touch or one.has_news]

    def _give_back(self, taken: Iterable[_Taken]) -> None:
        with self._signal:
            for one in taken:
                one.shared.give_back(one)

    def _store(self, taken: Sequence[_Taken]) -> None:
        heads = [_head_row(one.shared, self._node) for one in taken if not one.ended]
        parts = [row for one in taken for row in _part_rows(one)]
        with self._pool.connection() as connection, connection.writing():
            connection.together(
                (QUERIES["owners"], (_array(one.shared.owner for one in taken),)),
                (QUERIES["hold"], (_json(heads),)),
                (QUERIES["begin_anew"], ([one.shared.making.id for one in taken if one.anew],)),
                (QUERIES["add_parts"], (_json(parts),)),
                (QUERIES["end"], ([one.shared.making.id for one in taken if one.ended],)),
            )

    def _sweep(self) -> None:
        """Every so often. Raises StorageFailed."""
        if monotonic() < self._swept + SWEPT_EVERY:
            return
        self._swept = monotonic()
        self._often()
        with self._pool.connection() as connection, connection.writing():
            connection.run(QUERIES["everybody"])
            owners = [owner for (owner,) in connection.all(QUERIES["abandoned_by"], (PATIENCE,))]
            if owners:
                connection.run(QUERIES["owners"], (_array(owners),))
                connection.run(QUERIES["sweep"], (PATIENCE,))


def _shown(rows: Iterable[Row]) -> list[Shown]:
    found: dict[Making, list[Part]] = {}
    for id_, conversation, question, seq, number, part in rows:
        parts = found.setdefault(Making(id_, Question(question, conversation, seq)), [])
        if number is not None:
            parts.append(Part(number, part))
    return [Shown(making, parts) for making, parts in found.items()]


def _head_row(one: _Shared, node: str) -> dict[str, Any]:
    question = one.making.question
    return {
        "id": one.making.id,
        "owner": one.owner,
        "node": node,
        "conversation": question.conversation_id,
        "question": question.id,
        "seq": question.seq,
    }


def _part_rows(one: _Taken) -> Iterator[dict[str, Any]]:
    reply, owner = one.shared.making.id, one.shared.owner
    for number, text in one.parts:
        yield {"reply": reply, "number": number, "owner": owner, "part": text}


def _json(rows: list[dict[str, Any]]) -> str:
    return orjson.dumps(rows).decode()


def _array(owners: Iterable[int]) -> str:
    return f"{{{','.join(map(str, sorted(set(owners))))}}}"
