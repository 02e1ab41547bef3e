"""Tallies: how often the terms of a question occur in pieces, from the postings of a book.

The rarest terms find pieces and are counted in all of them. When terms are so common that they
would find a great part of everything, they are counted only where the rarer ones have led: what a
search costs is bounded, however long the question and however much was said.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Floats
from palaver.index.pieces import MOST, Posting
from palaver.index.sqlite.shelf import Book, Volume, changes
from palaver.text import Form, Term

_ENOUGH = 60_000
"""So many occurrences are followed, the rarest terms first; one term is followed always."""

_MANY = 4000
"""For more pieces than this it is faster to lay out all of them."""

Pieces = NDArray[np.intp]


def sizes(volumes: Sequence[Volume], terms: Sequence[Term]) -> list[int]:
    """How many occurrences of each term there are to follow, at most."""
    return [sum(_size(volume, term) for volume in volumes) for term in terms]


def leading(occurrences: Sequence[int]) -> list[int]:
    """Which of the terms find pieces, the rarest first."""
    followed, chosen = 0, list[int]()
    for number in sorted(range(len(occurrences)), key=occurrences.__getitem__):
        followed += occurrences[number]
        if followed > _ENOUGH and chosen:
            break
        chosen.append(number)
    return chosen


def found_by(volume: Volume, terms: Sequence[Term]) -> Pieces:
    """The pieces of a book that hold any of the terms."""
    held = np.zeros(len(volume.book.round), np.bool_)
    for term in terms:
        for form in term.forms:
            for posting in _postings(volume, form):
                held[_fitting(volume.book, form, posting.pieces)] = True
    return np.flatnonzero(held)


def tally(volume: Volume, terms: Sequence[Term], pieces: Pieces) -> Floats:
    """How often each term (a column) occurs in each of the pieces (a row), which are in order."""
    counts = np.zeros((len(pieces), len(terms)), np.float32)
    for number, term in enumerate(terms):
        for form in term.forms:
            if parts := _postings(volume, form):
                sums = _within(parts[0], pieces)
                for part in parts[1:]:
                    sums += _within(part, pieces)
                if form.languages:
                    sums *= volume.book.in_languages(form.languages)[pieces]
                np.maximum(counts[:, number], sums, out=counts[:, number])
    return counts


def frequencies(volume: Volume, pieces: Pieces, counts: Floats) -> Floats:
    """In how many rounds of a book each term occurs, which are counted in the pieces."""
    rounds = volume.book.round[pieces]
    return np.array([changes(rounds[column > 0]) for column in counts.T], np.float32)


def _postings(volume: Volume, form: Form) -> list[Posting]:
    return [posting for part in form.parts if (posting := volume.postings.get(part))]


def _size(volume: Volume, term: Term) -> int:
    parts = {part for form in term.forms for part in form.parts}
    return sum(len(posting.pieces) for part in parts if (posting := volume.postings.get(part)))


def _fitting(book: Book, form: Form, pieces: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """Those of the pieces that are in a language of the form."""
    return pieces[book.in_languages(form.languages)[pieces]] if form.languages else pieces


def _within(posting: Posting, pieces: Pieces) -> Floats:
    """How often a part of a term occurs in each of the pieces."""
    held, counts = posting
    if len(pieces) > _MANY:
        every = np.zeros(MOST, np.float32)
        every[held] = counts
        return every[pieces]
    at = np.minimum(np.searchsorted(held, pieces.astype(np.uint16)), len(held) - 1)
    return np.where(held[at] == pieces, counts[at], 0).astype(np.float32)
