"""Merging: small segments become larger ones, so that a search has few to look at.

The new segment is written in short steps under a number of its own. It takes the place of those it
is made of only at the end, and only if none of them has changed; what is erased meanwhile takes the
unfinished rows away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from heapq import merge
from itertools import groupby, islice

import numpy as np
from numpy.typing import NDArray

from palaver.index.connection import Connection, Statements
from palaver.index.fulltext.segments import Mark, Segment, Segments, new_number
from palaver.index.pieces import GONE, MOST, Posting

_TOGETHER = 4
"""So many segments of about one size become one."""
_LEVELS = tuple(MOST // 2 // _TOGETHER**level for level in range(7, -1, -1))
"""How large segments of each size are at most; larger ones stay as they are."""
_TERMS = 2000
_SWEPT = 5000

Alone = Callable[[], AbstractContextManager[bool]]
"""A lock that is not waited for: whether nobody else merges meanwhile, who would sweep away what is
half written."""


def to_merge(marks: Sequence[Mark]) -> list[Mark]:
    """The segments that should become one now, smallest first; none if all is well."""
    for least, most in zip((0, *_LEVELS), _LEVELS, strict=False):
        alike = sorted(
            (mark for mark in marks if least < mark.pieces <= most), key=lambda mark: mark.pieces
        )
        if len(alike) >= _TOGETHER:
            return _fitting(alike)
    return []


def _fitting(marks: Sequence[Mark]) -> list[Mark]:
    """As many of them as can be numbered together."""
    totals = np.cumsum([mark.pieces for mark in marks])
    return list(marks[: max(int(np.searchsorted(totals, MOST, "right")), 1)])


class Merging:
    """Merges segments of the live tables, with short transactions of its own."""

    def __init__(self, database: Connection, sql: Statements, alone: Alone) -> None:
        self._database = database
        self._segments = Segments(database, sql)
        self._alone = alone

    def sweep(self) -> bool:
        """Takes away rows that belong to no segment; False when there are none, or when another
        process is at it."""
        with self._alone() as alone:
            return alone and self._sweep()

    def step(self) -> bool:
        """Merges some segments if that is worth it; False when there is nothing to do, or when
        another process is at it."""
        with self._alone() as alone:
            return alone and self._step()

    def _sweep(self) -> bool:
        with self._database.reading():
            stray = self._segments.stray()
        if stray is None:
            return False
        with self._database.writing():
            if stray not in {mark.no for mark in self._segments.marks()}:
                self._segments.sweep(stray, _SWEPT)
        return True

    def _step(self) -> bool:
        with self._database.reading():
            marks = to_merge(self._segments.marks())
            found = [self._segments.columns(mark) for mark in marks]
        if not marks:
            return False
        columns, numbers = _joined(found)
        segment = Segment(new_number(), columns)
        ahead = self._terms(marks, numbers)
        count = 0
        while some := list(islice(ahead, _TERMS)):
            with self._database.writing():
                if not self._are_there(marks):
                    return True  # what was read before may hold words that are erased by now
                self._segments.put_postings(segment, some)
            count += len(some)
        with self._database.writing():
            # An erasure, or another process, may have swept rows that were not in their place yet.
            if self._are_there(marks) and self._segments.count(segment.no) == count:
                self._segments.put(segment)
                for mark in marks:
                    self._segments.drop(mark.no)
        return True

    def _are_there(self, marks: Sequence[Mark]) -> bool:
        """Whether segments are still as they were."""
        return set(marks) <= set(self._segments.marks())

    def _terms(
        self, marks: Sequence[Mark], numbers: Sequence[NDArray[np.int64]]
    ) -> Iterator[tuple[str, Posting]]:
        """Every term of the segments, in order, with its pieces under their new numbers."""
        every = merge(*(self._renumbered(*one) for one in zip(marks, numbers, strict=True)))
        for term, same in groupby(every, lambda one: one[0]):
            postings = [posting for _, _, posting in same]
            pieces = np.concatenate([posting.pieces for posting in postings])
            counts = np.concatenate([posting.counts for posting in postings])
            order = np.argsort(pieces, kind="stable")
            yield term, Posting(pieces[order], counts[order])

    def _renumbered(
        self, mark: Mark, numbers: NDArray[np.int64]
    ) -> Iterator[tuple[str, int, Posting]]:
        last = ""
        while True:
            with self._database.reading():
                some = self._segments.postings(mark.no, last)
            if not some:
                return
            for term, (pieces, counts) in some:
                yield term, mark.no, Posting(numbers[pieces].astype("<u2"), counts)
            last = some[-1][0]


def _joined(found: Sequence[NDArray[np.void]]) -> tuple[NDArray[np.void], list[NDArray[np.int64]]]:
    """The columns of the pieces that are there, in order, and the new number of each of the old."""
    every = np.concatenate(found)
    here = np.flatnonzero(every["speaker"] != GONE)
    order = here[np.lexsort((every["start"][here], every["seq"][here], every["round"][here]))]
    numbers = np.zeros(len(every), np.int64)
    numbers[order] = np.arange(len(order))
    return every[order], np.split(numbers, np.cumsum([len(one) for one in found])[:-1])
