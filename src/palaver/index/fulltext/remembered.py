"""Remembered: the memories as a search looks through them, kept in memory between searches.

Their words are counted here, as those of the summaries of days are, so that no other search finds
them. What was counted stays: a line more has only itself counted. Of each memory the last line is a
piece, and the lines before are gone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from palaver.index.connection import Connection, Row, Statements
from palaver.index.evidence import Floats, Keys, Vector
from palaver.index.fulltext.book import Book, Volume
from palaver.index.fulltext.words import read_said
from palaver.index.pieces import GONE, Posting, batches
from palaver.index.vectors.codes import Codes, distances, encode, words
from palaver.ledger.lines import USER_STREAM

PINNED, ARCHIVED, SUPERSEDED, WAITING = 1, 2, 4, 8
"""What a memory may be, beside what it says."""
_PARTS = 8
"""In so many parts, at most, memories are kept."""
_SCALE = 400.0
"""The digits of a vector of unit length are small: so many times as large they fill a byte."""
_READ_AT_ONCE = 5000
_FEW, _PATIENCE = 64, 1.0
"""If there are more than that, vectors that were not there are looked for again after so many
seconds."""

Read = Callable[[Keys], Floats | None]
"""Gives the vectors of some keys, not numbers where there is none; None when nobody can tell."""


class Meant:
    """What the memories of a part mean, as far as that is known."""

    def __init__(self, size: int) -> None:
        self.known = np.zeros(size, np.bool_)
        self._digits = np.zeros((size, 0), np.int8)
        self._codes: Codes = np.zeros((0, size), np.uint64)
        self._looked = -_PATIENCE
        self._lock = Lock()

    def fill(self, book: Book, read: Read) -> None:
        """Reads the vectors that are missing, unless that was just done."""
        if np.array_equal(self.known | ~book.here, np.ones_like(self.known)):
            return
        with self._lock:
            missing = np.flatnonzero(book.here & ~self.known)
            if len(missing) > _FEW and time.monotonic() - self._looked < _PATIENCE:
                return
            for start in range(0, len(missing), _READ_AT_ONCE):
                some = missing[start : start + _READ_AT_ONCE]
                vectors = read(book.key[some])
                if vectors is None:
                    break
                self._put(some, vectors)
            self._looked = time.monotonic()

    def _put(self, where: NDArray[np.intp], vectors: Floats) -> None:
        there = ~np.isnan(vectors[:, 0])
        where, vectors = where[there], vectors[there]
        if not self._digits.shape[1]:
            size, dimensions = len(self.known), vectors.shape[1]
            self._codes = np.zeros((words(dimensions), size), np.uint64)
            self._digits = np.zeros((size, dimensions), np.int8)
        self._digits[where] = np.clip(np.rint(vectors * _SCALE), -127, 127).astype(np.int8)
        self._codes[:, where] = encode(vectors)
        known = self.known.copy()
        known[where] = True
        self.known = known

    def nearest(self, query: Vector, may: NDArray[np.bool_], most: int) -> NDArray[np.intp]:
        """About so many of those that are nearest in meaning."""
        places = np.flatnonzero(may & self.known)
        if len(places) <= most:
            return places
        far = distances(encode(query[None]), self._codes)[places]
        return places[np.argpartition(far, most)[:most]]

    def cosines(self, query: Vector, places: NDArray[np.intp]) -> Floats:
        """How near some are; not a number where nobody knows."""
        found = np.full(len(places), np.nan, np.float32)
        known = self.known[places]
        if known.any():
            digits = self._digits[places[known]].astype(np.float32)
            norms = np.linalg.norm(digits, axis=1)
            found[known] = (digits @ query) / np.maximum(norms, 1.0)
        return found


@dataclass(frozen=True)
class Part:
    """Some memories, in the order of their places."""

    columns: NDArray[np.void]
    postings: dict[str, Posting]
    traits: NDArray[np.uint8]
    types: Sequence[str]
    meant: Meant
    volume: Volume

    @classmethod
    def of(
        cls,
        columns: NDArray[np.void],
        postings: dict[str, Posting],
        told: Mapping[int, tuple[int, str]],
    ) -> Part:
        known = [told[at] for at in columns["round"].tolist()]
        traits = np.array([flags for flags, _ in known], np.uint8)
        types = [kind for _, kind in known]
        volume = Volume(Book(columns), postings)
        return cls(columns, postings, traits, types, Meant(len(columns)), volume)

    def without(self, places: Iterable[int]) -> Part:
        """The same, without the memories in some places."""
        gone = np.isin(self.columns["round"], np.fromiter(places, np.int64))
        if not gone.any():
            return self
        columns = self.columns.copy()
        columns["speaker"][gone] = GONE
        columns["key"][gone] = 0
        return replace(self, columns=columns, volume=Volume(Book(columns), self.postings))

    def told(self) -> dict[int, tuple[int, str]]:
        """What is known of those that are not gone, by their places."""
        here = np.flatnonzero(self.volume.book.here).tolist()
        places = self.columns["round"].tolist()
        return {places[one]: (int(self.traits[one]), self.types[one]) for one in here}


@dataclass(frozen=True)
class State:
    """All memories, as of some version of the user's stream."""

    version: Row | None = None
    parts: Sequence[Part] = ()
    lines: int = 0
    """How many lines tell of memories."""
    last: int = -1
    """The place of the last of them."""
    newest: Mapping[str, int] = field(default_factory=dict[str, int])
    """Where the line is that counts, for each memory."""


class Remembered:
    """The memories of one index; used by many threads."""

    def __init__(self, sql: Statements) -> None:
        self._sql = sql
        self._lock = Lock()
        self._state = State()

    def volumes(self, database: Connection) -> list[Volume]:
        """All memories, as of the caller's transaction. Raises Unusable."""
        return [part.volume for part in self.parts(database)]

    def parts(self, database: Connection) -> Sequence[Part]:
        """The same, with what is known of them. Raises Unusable."""
        version = database.one(self._sql["stream"], (USER_STREAM,))
        with self._lock:
            known = self._state
        if known.version != version:
            known = self._follow(database, known, version)
            with self._lock:
                self._state = known
        return known.parts

    def _follow(self, database: Connection, known: State, version: Row | None) -> State:
        (count,) = database.one(self._sql["count_memories"]) or (0,)
        if known.version is None or version is None or known.version[0] != version[0]:
            known = State()
        rows = database.all(self._sql["memories_after"], {"after": known.last})
        state = replace(known, version=version, lines=count)
        if known.lines + len(rows) == count:
            return self._with(database, state, rows)
        # Some are erased: it is looked which count now, and what was counted of them stays.
        return self._among(database, state, database.all(self._sql["counting_memories"]))

    def _among(self, database: Connection, known: State, rows: Sequence[Row]) -> State:
        """Those that count are in `rows`, and no others."""
        before, newest = set(known.newest.values()), {row[1]: row[0] for row in rows}
        told = {
            at: (_flags(state, pinned, archived, superseded), kind)
            for at, _, _, state, kind, pinned, archived, superseded in rows
            if at not in before
        }
        gone = before.difference(newest.values())
        parts = [part.without(gone) for part in known.parts] if gone else [*known.parts]
        (last,) = database.one(self._sql["last_memory"]) or (None,)
        parts = self._joined(database, parts, told)
        return replace(known, parts=parts, last=-1 if last is None else last, newest=newest)

    def _with(self, database: Connection, known: State, rows: Sequence[Row]) -> State:
        if not rows:
            return known
        newest = dict(known.newest)
        gone: set[int] = set()
        told: dict[int, tuple[int, str]] = {}
        for at, name, counts, state, kind, pinned, archived, superseded in rows:
            before = newest.pop(name, None)
            if before is not None:
                gone.add(before)
                told.pop(before, None)
            if counts:
                newest[name] = at
                told[at] = (_flags(state, pinned, archived, superseded), kind)
        parts = [part.without(gone) for part in known.parts] if gone else [*known.parts]
        parts = self._joined(database, parts, told)
        return replace(known, parts=parts, last=rows[-1][0], newest=newest)

    def _joined(
        self, database: Connection, parts: list[Part], new: dict[int, tuple[int, str]]
    ) -> list[Part]:
        if new and len(parts) >= _PARTS:
            parts.sort(key=lambda part: part.volume.book.pieces, reverse=True)
            for part in parts[_PARTS // 2 :]:
                new |= part.told()
            del parts[_PARTS // 2 :]
        if new:
            said = read_said(database, self._sql, sorted(new))
            made = batches(said.values())
            parts += [Part.of(one.columns, one.postings, new) for one in made]
        return parts


def _flags(state: str, pinned: int, archived: int, superseded: int) -> int:
    waiting = WAITING * (state == "waiting")
    return PINNED * pinned | ARCHIVED * archived | SUPERSEDED * superseded | waiting
