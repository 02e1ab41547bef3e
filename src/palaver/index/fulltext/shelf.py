"""The shelf: what is known of every piece, kept in memory between searches.

A segment is read once and known by its stamp. Messages that wait are cut and counted here; those
that came last are added to those before, so that a search after every message stays cheap.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

import numpy as np
import orjson
from numpy.typing import NDArray

from palaver.index.connection import Connection, Row, Statements
from palaver.index.evidence import Keys, Speaker
from palaver.index.faults import Unusable
from palaver.index.fulltext.segments import Mark, Segments, read_posting
from palaver.index.fulltext.words import FullText, read_said
from palaver.index.pieces import GONE, SPOKEN, Posting, batches
from palaver.index.port import Reach

_PARTS = 8
"""In so many parts, at most, the messages that wait are kept."""
_TAKEN_AT_ONCE = 8192

Waiting = frozenset[tuple[int, bytes, int]]
"""Messages that wait: where they are, what they are, and how many bytes they say."""


class Book:
    """The pieces of a segment, or of messages that wait; those that are gone have no length."""

    def __init__(self, columns: NDArray[np.void]) -> None:
        self.round = np.ascontiguousarray(columns["round"])
        self.seq = np.ascontiguousarray(columns["seq"])
        self.start = np.ascontiguousarray(columns["start"])
        self.end = np.ascontiguousarray(columns["end"])
        self.speaker = np.ascontiguousarray(columns["speaker"])
        self.length = columns["length"].astype(np.float32)
        self.time = np.ascontiguousarray(columns["time"])
        self.key = np.ascontiguousarray(columns["key"])
        self.here = self.speaker != GONE
        self.pieces = int(np.count_nonzero(self.here))
        self.said = self.speaker != Speaker.SUMMARY
        """Which of them somebody has said; the others are abbreviations."""
        self.rounds = changes(self.round[self.here & self.said])
        self.language = np.ascontiguousarray(columns["language"])
        codes, counts = np.unique(self.language[self.here], return_counts=True)
        self.languages = Counter(dict(zip(codes.tolist(), counts.tolist(), strict=True)))
        """How many pieces there are in each language."""
        self._in_languages: dict[frozenset[str], NDArray[np.bool_]] = {}
        self.learned = b""
        """The file of vectors in which every piece is known to have one, by its stamp."""

    @cached_property
    def newest(self) -> int:
        """When the last of them was said."""
        return int(self.time[self.said].max(initial=0))

    @cached_property
    def streams(self) -> frozenset[int]:
        """The numbers of the streams of which something is here."""
        return frozenset(np.unique(self.round >> 32).tolist())

    @cached_property
    def _by_key(self) -> tuple[NDArray[np.intp], Keys]:
        order = np.argsort(self.key, kind="stable")
        return order, self.key[order]

    @cached_property
    def _told(self) -> Keys:
        return np.sort(self.key[self.here & ~self.said])

    def tells(self, keys: Keys) -> NDArray[np.bool_]:
        """Which of the keys an abbreviation has."""
        return _among(keys, self._told)

    def with_keys(self, keys: Keys) -> NDArray[np.intp]:
        """The pieces that have one of the keys."""
        order, ordered = self._by_key
        first, last = np.searchsorted(ordered, keys), np.searchsorted(ordered, keys, "right")
        found = order[spread(first, last)]
        return found[self.here[found]]

    def checked(self, posting: Posting) -> Posting:
        """Raises Unusable when the posting cannot be one of this book."""
        if posting.pieces.max(initial=0) >= len(self.round) or not posting.counts.all():
            raise Unusable("A posting of the full text is damaged.")
        return posting

    def in_languages(self, languages: frozenset[str]) -> NDArray[np.bool_]:
        """Which pieces are in one of the languages."""
        found = self._in_languages.get(languages)
        if found is None:
            codes = [code for code, name in enumerate(SPOKEN) if name in languages]
            found = self._in_languages[languages] = np.isin(self.language, codes)
        return found

    def has_keys(self, keys: Keys) -> NDArray[np.bool_]:
        """Which of the keys a piece has; those that are gone have none."""
        return _among(keys, self._by_key[1])

    def of_rounds(self, rounds: NDArray[np.int64]) -> NDArray[np.intp]:
        """The pieces of some rounds, which are in order."""
        if len(self.round):  # only those that can be here have to be looked for
            ends = np.searchsorted(rounds, (self.round[0], self.round[-1] + 1))
            rounds = rounds[ends[0] : ends[1]]
        if not len(rounds):
            return np.zeros(0, np.intp)
        first = np.searchsorted(self.round, rounds)
        found = spread(first, np.searchsorted(self.round, rounds, "right"))
        return found[self.here[found]]


def _among(keys: Keys, ordered: Keys) -> NDArray[np.bool_]:
    """Which of the keys are among others, which are in order."""
    if not len(ordered):
        return np.zeros(len(keys), np.bool_)
    return ordered[np.minimum(np.searchsorted(ordered, keys), len(ordered) - 1)] == keys


def changes(values: NDArray[np.int64]) -> int:
    """How many different values there are, of which equal ones stand together."""
    return 1 + int(np.count_nonzero(np.diff(values))) if len(values) else 0


def spread(first: NDArray[np.intp], last: NDArray[np.intp]) -> NDArray[np.intp]:
    """All numbers from each of `first` up to its `last`, one after the other."""
    sizes = last - first
    starts = np.repeat(first - np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes)
    return starts + np.arange(len(starts))


def newest_books(
    books: Mapping[int, Book], pieces: int | None, stream: int | None
) -> dict[int, Book]:
    """The newest books, those with something of a stream, as long as they have no more than so many
    pieces, and one always; the oldest of them first."""
    found, left = list[int](), pieces
    for no in sorted(books, key=lambda no: -books[no].newest):
        if stream is None or stream in books[no].streams:
            left = None if left is None else left - books[no].pieces
            if found and left is not None and left < 0:
                break
            found.append(no)
    return {no: books[no] for no in reversed(found)}


@dataclass(frozen=True, slots=True)
class Volume:
    """A book, and where the terms that are looked for occur in it."""

    book: Book
    postings: dict[str, Posting]


def _bound(books: Mapping[int, Book], postings: Iterable[Row]) -> list[Volume]:
    """Books with their postings. Raises Unusable."""
    found: dict[int, dict[str, Posting]] = {no: {} for no in books}
    for no, term, pieces, counts in postings:
        found[no][term] = books[no].checked(read_posting(pieces, counts))
    return [Volume(book, found[no]) for no, book in books.items()]


@dataclass(frozen=True)
class _Part:
    """Some of the messages that wait."""

    messages: Waiting
    volumes: Sequence[Volume]

    @cached_property
    def size(self) -> int:
        """How many bytes they say."""
        return sum(size for _, _, size in self.messages)


class Shelf:
    """All books of one index; used by many threads."""

    def __init__(self, sql: Statements) -> None:
        self._sql = sql
        self._lock = Lock()
        self._taking = Lock()
        self._books: dict[tuple[int, int], Book] = {}
        self._parts: Sequence[_Part] = ()

    def books(self, database: Connection, longest: int | None = None) -> list[Book]:
        """Every book, as of the caller's transaction. Messages that wait, have not been cut yet and
        are longer than that are left out. Raises Unusable."""
        marks, waiting = database.all_of((self._sql["segments"], ()), (self._sql["waiting"], ()))
        parts = [volume.book for volume in self._waiting(database, waiting, longest)]
        return [*self._segments(database, marks).values(), *parts]

    def volumes(self, database: Connection, terms: Sequence[str]) -> list[Volume]:
        """Every book, with the postings of some terms. Raises Unusable."""
        wanted = {"terms": orjson.dumps(terms).decode()}
        marks, postings, waiting = database.all_of(
            (self._sql["segments"], ()),
            (self._sql["find_postings"], wanted),
            (self._sql["waiting"], ()),
        )
        bound = _bound(self._segments(database, marks), postings)
        return [*bound, *self._waiting(database, waiting, None)]

    def newest_volumes(
        self, database: Connection, terms: Sequence[str], reach: Reach, stream: int | None
    ) -> list[Volume]:
        """The same, within a reach: the newest in which something of a stream is, oldest first."""
        marks, waiting = database.all_of((self._sql["segments"], ()), (self._sql["waiting"], ()))
        parts = [
            one
            for one in self._waiting(database, waiting, reach.unread)
            if stream is None or stream in one.book.streams
        ]
        books = newest_books(self._segments(database, marks), reach.pieces, stream)
        wanted = {
            "terms": orjson.dumps(terms).decode(),
            "segments": orjson.dumps([*books]).decode(),
        }
        postings = database.all(self._sql["find_some_postings"], wanted)
        return [*_bound(books, postings), *parts]

    def unsaid(self, database: Connection, keys: Sequence[bytes]) -> list[bytes]:
        """Those of the keys that no piece has. Raises Unusable."""
        short = np.frombuffer(b"".join(keys), "<u8")[::2].astype(np.uint64)
        order = np.argsort(short)  # in order, each is looked for close to the last
        short = short[order]
        said = np.zeros(len(short), np.bool_)
        for book in self.books(database):
            left = np.flatnonzero(~said)
            said[left] = book.has_keys(short[left])
        return [keys[one] for one in np.sort(order[~said]).tolist()]

    def crowded(self, database: Connection, messages: int, text: int) -> bool:
        """Whether so many messages wait, or so many bytes of text."""
        ((waiting, size),) = database.all(self._sql["measure_waiting"])
        return waiting >= messages or size >= text

    def relieve(self, database: Connection, messages: int, text: int) -> bool:
        """Takes words into a segment when so many messages wait, or so many bytes of text; False
        when not. One thread at a time, in transactions of its own. Raises Unusable, Failed."""
        with self._taking:
            with database.reading():
                crowded = self.crowded(database, messages, text)
            return crowded and FullText(database, self._sql).take(_TAKEN_AT_ONCE) > 0

    def _segments(self, database: Connection, rows: Sequence[Row]) -> dict[int, Book]:
        segments = Segments(database, self._sql)
        marks = [Mark(*row) for row in rows]
        books = {mark.no: self._book(segments, mark) for mark in marks}
        there = {(mark.no, mark.stamp) for mark in marks}
        with self._lock:
            self._books = {key: book for key, book in self._books.items() if key in there}
        return books

    def _book(self, segments: Segments, mark: Mark) -> Book:
        key = (mark.no, mark.stamp)
        with self._lock:
            book = self._books.get(key)
        if book is None:
            book = Book(segments.columns(mark))
            with self._lock:
                self._books[key] = book
        return book

    # -- messages that wait ------------------------------------------------------------------

    def _waiting(
        self, database: Connection, rows: Sequence[Row], longest: int | None
    ) -> list[Volume]:
        waiting: Waiting = frozenset(rows)
        with self._lock:
            parts = [part for part in self._parts if part.messages <= waiting]
        new = waiting.difference(*(part.messages for part in parts))
        if longest is not None:
            new = frozenset(one for one in new if one[2] <= longest)
        if new and len(parts) >= _PARTS:  # what is long is not cut again because of what is short
            parts.sort(key=lambda part: part.size, reverse=True)
            new = new.union(*(part.messages for part in parts[_PARTS // 2 :]))
            del parts[_PARTS // 2 :]
        if new:
            said = read_said(database, self._sql, [at for at, _, _ in new])
            made = batches(said.values())
            volumes = [Volume(Book(one.columns), one.postings) for one in made]
            parts.append(_Part(new, volumes))
        with self._lock:
            self._parts = parts
        return [volume for part in parts for volume in part.volumes]
