"""Books: what is known of the pieces of a segment, or of messages that wait."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Keys, Speaker
from palaver.index.faults import Unusable
from palaver.index.pieces import GONE, SPOKEN, Posting


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


@dataclass(frozen=True, slots=True)
class Volume:
    """A book, and where the terms that are looked for occur in it."""

    book: Book
    postings: dict[str, Posting]


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
