"""Days that are looked through: which of them a search is about, and where their summaries are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

import numpy as np

from palaver.index.evidence import DayMarks, Integers, Speaker, page_turn
from palaver.index.fulltext.book import Book
from palaver.index.fulltext.library import Mask, Pieces
from palaver.index.fulltext.pages import Page
from palaver.index.port import SearchFilter
from palaver.index.rows import DayRow
from palaver.settings import zone_named
from palaver.times import iso


@dataclass(frozen=True, slots=True)
class Searched:
    """The days of a conversation, and those of their summaries that may be found."""

    marks: DayMarks
    pages: Sequence[Page]
    turns: Integers
    """The turns in which these stand that may be found."""

    def eligible(self, book: Book, pieces: Pieces | slice, may: Mask) -> Mask:
        """Which pieces may be found: a message by when it was said, a summary by its day."""
        is_page = book.speaker[pieces] == Speaker.PAGE
        if not is_page.any():
            return may
        turn = book.round[pieces] & 0xFFFFFFFF
        return np.where(is_page, np.isin(turn, self.turns), may)


def searched(rows: Sequence[DayRow], pages: Sequence[Page], wanted: SearchFilter) -> Searched:
    """What a search is about, from all that marks the days of a conversation."""
    covers = {page.label: page.covers for page in pages}
    marks = DayMarks(
        labels=[row.label for row in rows],
        ids=[row.id for row in rows],
        pages=np.array([page_turn(row.label) for row in rows], np.int64),
        first=np.array([row.turn for row in rows], np.int64),
        covers=np.array([covers.get(row.label, -1) for row in rows], np.int64),
    )
    within = [page_turn(row.label) for row in rows if _is_wanted(row, wanted)]
    return Searched(marks, pages, np.array(within, np.int64))


def _is_wanted(row: DayRow, wanted: SearchFilter) -> bool:
    if wanted.turns is not None and not wanted.turns[0] <= row.turn <= wanted.turns[1]:
        return False
    if wanted.since is None and wanted.until is None:
        return True
    begins, ends = _span(row.label, row.zone)
    return (wanted.until is None or begins < wanted.until) and (
        wanted.since is None or ends > wanted.since
    )


@lru_cache(4096)
def _span(label: str, zone_name: str) -> tuple[str, str]:
    """When a day begins and ends, in UTC."""
    zone, day = zone_named(zone_name) or UTC, date.fromisoformat(label)
    try:
        begins, ends = (datetime.combine(one, time(), zone) for one in (day, day + timedelta(1)))
        return iso(begins), iso(ends)
    except OverflowError:  # the first day there is, or the last one
        return f"{label}T00:00:00.000Z", f"{label}T23:59:59.999Z"
