"""Checking the full text: every posting against its digest, every piece against its message.

Messages came into the full text one by one, in whatever order. Here they are all cut and counted
again; if that did not give the same pieces, the index would be worth nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from palaver.index.connection import Connection, Statements
from palaver.index.faults import Unusable
from palaver.index.fulltext.segments import Mark, Segment, Segments
from palaver.index.fulltext.words import said, told
from palaver.index.pieces import COLUMNS, GONE, batches
from palaver.index.stored.places import EVERYWHERE

_AT_ONCE = 2000


def check_words(database: Connection, sql: Statements) -> None:
    """In short transactions of its own, while others write. Raises Unusable when something is
    wrong, Missing, Failed."""
    checked: set[Mark] = set()
    while (mark := _unchecked(database, sql, checked)) is not None:
        checked.add(mark)
        _check_postings(database, sql, mark)
    pieces = _Pieces(database, sql)
    last: int | None = -1
    while last is not None:
        last = _check_some(database, sql, pieces, last)


def _unchecked(database: Connection, sql: Statements, checked: set[Mark]) -> Mark | None:
    """A segment that has not been looked at, in the form it has now."""
    with database.reading():
        marks = Segments(database, sql).marks()
    return next((mark for mark in marks if mark not in checked), None)


def _check_postings(database: Connection, sql: Statements, mark: Mark) -> None:
    """Whether the postings of a segment are as they were stored, unless it is another by now."""
    segments = Segments(database, sql)
    with database.reading():
        if mark not in segments.marks():
            return
        stored = segments.get(mark.no)
        if stored is None:
            raise Unusable("A segment of the full text is missing.")
        seen = Segment(mark.no, stored.columns)
        last = ""
        while some := segments.postings(mark.no, last):
            for term, posting in some:
                seen.mix(term, posting)
            last = some[-1][0]
    if seen.digest != stored.digest:
        raise Unusable("A posting of the full text is damaged.")


def _check_some(database: Connection, sql: Statements, pieces: _Pieces, after: int) -> int | None:
    """Cuts and counts some messages again; gives the place of the last, None when all are done.

    The messages and the pieces are those of one moment: what is said, taken in or erased before or
    after makes no difference.
    """
    with database.reading():
        rows = database.all(sql["some_said"], {"after": after, "limit": _AT_ONCE})
        last = rows[-1][1] if rows else None
        end = EVERYWHERE[1] if last is None else last
        summaries = database.all(sql["all_told"], {"after": after, "last": end})
        found = pieces.between(after, last)
    if last is None and len(found) > len(summaries):
        raise Unusable("The full text holds messages that are not there.")
    every = [said(row[0], row[1:]) for row in rows]
    every += [told(row[0], row[1:]) for row in summaries]
    made = [batch.columns for batch in batches(every)]
    if not np.array_equal(found, _in_order(np.concatenate([np.zeros(0, COLUMNS), *made]))):
        raise Unusable("The full text does not say what the messages say.")
    return last


class _Pieces:
    """The pieces of all segments in the order of their places, read again when they change."""

    def __init__(self, database: Connection, sql: Statements) -> None:
        self._segments = Segments(database, sql)
        self._columns: dict[Mark, NDArray[np.void]] = {}
        self._pieces = np.zeros(0, COLUMNS)
        self._places = _places(self._pieces)

    def between(self, after: int, last: int | None) -> NDArray[np.void]:
        """Those after one place up to another, or up to the end; inside a transaction."""
        marks = self._segments.marks()
        if marks != list(self._columns):
            known = self._columns
            self._columns = {
                mark: known[mark] if mark in known else self._segments.columns(mark)
                for mark in marks
            }
            every = np.concatenate([self._pieces[:0], *self._columns.values()])
            self._pieces = _in_order(every[every["speaker"] != GONE])
            self._places = _places(self._pieces)
        start = np.searchsorted(self._places, after, "right")
        if last is None:
            return self._pieces[start:]
        return self._pieces[start : np.searchsorted(self._places, last, "right")]


def _places(pieces: NDArray[np.void]) -> NDArray[np.int64]:
    return (pieces["round"] >> 32 << 32) + pieces["seq"]


def _in_order(pieces: NDArray[np.void]) -> NDArray[np.void]:
    return pieces[np.lexsort((pieces["start"], _places(pieces)))]
