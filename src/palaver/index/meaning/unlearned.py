"""Which pieces have no vector yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from palaver.index.connection import Connection, Statements
from palaver.index.evidence import Keys
from palaver.index.faults import Unusable
from palaver.index.fulltext.book import Book
from palaver.index.fulltext.shelf import Shelf
from palaver.index.fulltext.words import Said, read_said
from palaver.index.meaning.meaning import Meanings
from palaver.index.pieces import ECHO, piece_key, short_key
from palaver.index.stored.places import place, stream_of

_READ_AT_ONCE = 128


def unlearned(
    database: Connection, sql: Statements, shelf: Shelf, meanings: Meanings
) -> list[str] | None:
    """What some pieces say that have no vector yet, the newest first; None when nobody can tell
    now. In transactions of its own."""
    with database.reading():
        if not shelf.books(database):
            return []
    stamp = meanings.stamp()
    if stamp is None:
        return None
    with database.reading():
        for book in sorted(shelf.books(database), key=_newest, reverse=True):
            if book.learned == stamp:
                continue
            texts = _texts(database, sql, meanings, book)
            if texts is None or texts:
                return texts
            book.learned = stamp
    return []


def count_learned(
    database: Connection, shelf: Shelf, holds: Callable[[Keys], NDArray[np.bool_] | None]
) -> tuple[int, int]:
    """How many pieces have a vector, and how many are to have one; what several say counts once.
    In a transaction of its own. `holds` tells which have one, if anybody can tell now."""
    with database.reading():
        keys = [book.key[_wanted(book)] for book in shelf.books(database)]
    every = np.unique(np.concatenate(keys)) if keys else np.zeros(0, np.uint64)
    held = holds(every)
    return (0 if held is None else int(held.sum())), len(every)


def _wanted(book: Book) -> NDArray[np.intp]:
    """The pieces that are to have a vector."""
    return np.flatnonzero(book.here & (book.speaker & ECHO == 0))


def _texts(
    database: Connection, sql: Statements, meanings: Meanings, book: Book
) -> list[str] | None:
    """What some pieces of a book say that have no vector yet; none when the rest is damaged, which
    `verify` tells."""
    wanted = _wanted(book)
    held = meanings.holds(book.key[wanted])
    if held is None:
        return None
    missing = wanted[~held]
    newest = missing[np.argsort(-book.time[missing], kind="stable")[:_READ_AT_ONCE]]
    places = [place(stream_of(int(book.round[one])), int(book.seq[one])) for one in newest]
    said = _said(database, sql, list(dict.fromkeys(places)))
    texts = {
        said[at].content[book.start[one] : book.end[one]]: book.key[one]
        for at, one in zip(places, newest, strict=True)
        if at in said
    }
    return [text for text, key in texts.items() if short_key(piece_key(text)) == key]


def _said(database: Connection, sql: Statements, places: Sequence[int]) -> dict[int, Said]:
    """What is said in some places, without those that are damaged."""
    try:
        return read_said(database, sql, places)
    except Unusable:
        found: dict[int, Said] = {}
        for at in places:
            with suppress(Unusable):
                found |= read_said(database, sql, [at])
        return found


def _newest(book: Book) -> int:
    return int(book.time.max(initial=0))
