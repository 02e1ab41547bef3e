"""The library: all books as one, so that a question is put once and not to every book.

Each piece has a number among all: its number in its book, after all pieces of the books before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Integers, Keys
from palaver.index.fulltext.book import Book, Volume
from palaver.index.pieces import COLUMNS

Kind = TypeVar("Kind", bound=np.generic)
Pieces = NDArray[np.intp]
Mask = NDArray[np.bool_]
Eligible = Callable[[Book, Pieces | slice], Mask]
"""Which of some pieces of a book may be found."""


class Held(NamedTuple):
    """In which pieces something occurs, in order, and how often in each."""

    pieces: Pieces
    counts: NDArray[np.uint8]


class Library:
    """The books of one search, with the postings of its terms."""

    def __init__(self, volumes: Sequence[Volume], eligible: Eligible | None = None) -> None:
        """`eligible` tells which pieces may be found; None for all."""
        self.books = [volume.book for volume in volumes]
        self.eligible = eligible
        self._volumes = volumes
        self._begins = np.cumsum([0, *(len(book.round) for book in self.books)])
        self._postings: dict[str, Held] = {}

    def __len__(self) -> int:
        """How many pieces there are."""
        return int(self._begins[-1])

    def chosen(self, pieces: Pieces) -> Chosen:
        """Some pieces by their numbers among all, in order."""
        ends = np.searchsorted(pieces, self._begins).tolist()
        parts = [
            (number, pieces[first:last] - self._begins[number])
            for number, (first, last) in enumerate(pairwise(ends))
            if first < last
        ]
        return Chosen(self, pieces, parts)

    def from_books(self, found: Iterable[Pieces]) -> Chosen:
        """Some pieces of each book, by their numbers there."""
        parts = [(number, pieces) for number, pieces in enumerate(found) if len(pieces)]
        every = [pieces + self._begins[number] for number, pieces in parts]
        return Chosen(self, np.concatenate([np.zeros(0, np.intp), *every]), parts)

    def timely(self) -> Chosen:
        """All pieces that the filter lets through; none without a filter."""
        may, every = self.eligible, slice(None)
        if may is None:
            return self.from_books(())
        return self.from_books(np.flatnonzero(may(book, every) & book.here) for book in self.books)

    def tells(self, keys: Keys) -> Mask:
        """Which of the keys an abbreviation has."""
        found = np.zeros(len(keys), np.bool_)
        for book in self.books:
            found |= book.tells(keys)
        return found

    def posting(self, part: str) -> Held:
        """Where a part of a term occurs."""
        found = self._postings.get(part)
        if found is None:
            found = self._postings[part] = self._joined(part)
        return found

    def _joined(self, part: str) -> Held:
        found = [
            (begin, posting)
            for begin, volume in zip(self._begins, self._volumes, strict=False)
            if (posting := volume.postings.get(part))
        ]
        pieces = np.empty(sum(len(posting.pieces) for _, posting in found), np.intp)
        first = 0
        for begin, posting in found:
            last = first + len(posting.pieces)
            np.add(posting.pieces, begin, out=pieces[first:last])
            first = last
        none = np.zeros(0, np.uint8)
        return Held(pieces, np.concatenate([none, *(posting.counts for _, posting in found)]))


class Chosen:
    """Some pieces of a library, those of a book together."""

    def __init__(
        self, library: Library, pieces: Pieces, parts: Sequence[tuple[int, Pieces]]
    ) -> None:
        """`parts` tells for each book that has some of the pieces their numbers there."""
        self.pieces = pieces
        self._library = library
        self._parts = parts

    def column(self, of: Callable[[Book], NDArray[Kind]]) -> NDArray[Kind]:
        """What the books know of the pieces."""
        books = self._library.books
        if not self._parts:
            return of(_NOTHING)
        return np.concatenate([of(books[number])[pieces] for number, pieces in self._parts])

    @cached_property
    def round(self) -> Integers:
        return self.column(lambda book: book.round)

    @cached_property
    def eligible(self) -> Mask:
        """Which of the pieces may be found."""
        may, books = self._library.eligible, self._library.books
        if may is None or not self._parts:
            return np.ones(len(self.pieces), np.bool_)
        return np.concatenate([may(books[number], pieces) for number, pieces in self._parts])

    def said(self) -> Pieces:
        """Those of the pieces that are no abbreviations, by their numbers among all."""
        return self.pieces[self.column(lambda book: book.said)]

    def groups(self, values: Integers) -> Integers:
        """Numbers that pieces share as long as their values are the same, and the book is."""
        opens = np.zeros(len(values), np.int64)
        opens[1:] = values[1:] != values[:-1]
        opens[np.cumsum([len(pieces) for _, pieces in self._parts[:-1]], dtype=np.intp)] = 1
        return np.cumsum(opens)


_NOTHING = Book(np.zeros(0, COLUMNS))
