"""Pages: the summaries of days as a search looks through them, kept in memory between searches.

What is stored of a summary is its meaning alone, so that no other search finds it by a word. Here
its words are counted, too. The pages of a month are kept together: a new one has those counted
again, and no others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import NamedTuple

from palaver.index.connection import Connection, Statements
from palaver.index.evidence import Speaker, page_turn
from palaver.index.fulltext.book import Book, Volume
from palaver.index.fulltext.words import read_said
from palaver.index.pieces import batches
from palaver.index.stored.places import place, stream_of

_MONTH = len("2026-02")
_Month = tuple[int, str]


class Page(NamedTuple):
    """Where the summary of a day is, what it is, and how far it tells."""

    label: str
    at: int
    checksum: bytes
    covers: int


class Pages:
    """The pages of one index; used by many threads."""

    def __init__(self, sql: Statements) -> None:
        self._sql = sql
        self._lock = Lock()
        self._months: Mapping[_Month, tuple[frozenset[Page], Sequence[Volume]]] = {}

    def volumes(self, database: Connection, pages: Sequence[Page]) -> list[Volume]:
        """The pages of a conversation, as of the caller's transaction. Raises Unusable."""
        months: dict[_Month, list[Page]] = {}
        for page in pages:
            months.setdefault((stream_of(page.at), page.label[:_MONTH]), []).append(page)
        with self._lock:
            known = self._months
        found = {
            month: self._volumes(database, known.get(month), some) for month, some in months.items()
        }
        with self._lock:
            self._months = found
        return [volume for _, volumes in found.values() for volume in volumes]

    def _volumes(
        self,
        database: Connection,
        known: tuple[frozenset[Page], Sequence[Volume]] | None,
        pages: Sequence[Page],
    ) -> tuple[frozenset[Page], Sequence[Volume]]:
        wanted = frozenset(pages)
        if known is not None and known[0] == wanted:
            return known
        told = read_said(database, self._sql, [page.at for page in pages])
        said = [
            told[page.at]._replace(
                round=place(stream_of(page.at), page_turn(page.label)), speaker=Speaker.PAGE
            )
            for page in pages
        ]
        return wanted, [Volume(Book(one.columns), one.postings) for one in batches(said)]
