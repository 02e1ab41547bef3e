"""The shelf: what is known of every piece, kept in memory between searches.

A segment is read once and known by its stamp. Messages that wait are cut and counted here; those
that came last are added to those before, so that a search after every message stays cheap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

import numpy as np
import orjson

from palaver.index.connection import Connection, Row, Statements
from palaver.index.fulltext.book import Book, Volume, newest_books
from palaver.index.fulltext.pages import Pages
from palaver.index.fulltext.remembered import Remembered
from palaver.index.fulltext.segments import Mark, Segments, read_posting
from palaver.index.fulltext.words import FullText, read_said
from palaver.index.pieces import Posting, batches
from palaver.index.port import Reach

_PARTS = 8
"""In so many parts, at most, the messages that wait are kept."""
_TAKEN_AT_ONCE = 8192

Waiting = frozenset[tuple[int, bytes, int]]
"""Messages that wait: where they are, what they are, and how many bytes they say."""


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
        self.pages = Pages(sql)
        """The summaries of days."""
        self.memories = Remembered(sql)
        """What is remembered."""

    def books(self, database: Connection, longest: int | None = None) -> list[Book]:
        """Every book, as of the caller's transaction. Messages that wait, have not been cut yet and
        are longer than that are left out. Raises Unusable."""
        marks, waiting = database.all_of((self._sql["segments"], ()), (self._sql["waiting"], ()))
        parts = [volume.book for volume in self._waiting(database, waiting, longest)]
        memories = [volume.book for volume in self.memories.volumes(database)]
        return [*self._segments(database, marks).values(), *parts, *memories]

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
