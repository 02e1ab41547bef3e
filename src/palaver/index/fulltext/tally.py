"""Tallies: how often the terms of a question occur in pieces, from their postings.

The rarest terms find pieces and are counted in all of them. When terms are so common that they
would find a great part of everything, they are counted only where the rarer ones have led: what a
search costs is bounded, however long the question and however much was said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from palaver.index.evidence import Floats
from palaver.index.fulltext.library import Chosen, Held, Library, Pieces
from palaver.text import Form, Term


class Occurrences(NamedTuple):
    """The pieces that hold a term, in order, and how often each of them does."""

    pieces: Pieces
    counts: Floats


class Tally:
    """Counts terms in the pieces of a library."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def size(self, term: Term) -> int:
        """How many occurrences of a term there are to follow, at most."""
        return sum(len(held.pieces) for held in self._postings(term).values())

    def everywhere(self, term: Term, most: int | None = None) -> Occurrences:
        """Every piece that holds a term, or about so many of the last ones."""
        every = [held.pieces[-most if most else 0 :] for held in self._postings(term).values()]
        chosen = self._library.chosen(self.any_of(every))
        counts = self.within(term, chosen)
        held = counts > 0  # a form may stand for the term in some languages only
        return Occurrences(chosen.pieces[held], counts[held])

    def any_of(self, every: Sequence[Pieces]) -> Pieces:
        """The pieces that are in any of the lists, in order."""
        if len(every) < 2:
            return every[0] if every else np.zeros(0, np.intp)
        marked = np.zeros(len(self._library), np.bool_)
        for pieces in every:
            marked[pieces] = True
        return np.flatnonzero(marked)

    def within(self, term: Term, chosen: Chosen) -> Floats:
        """How often a term occurs in each of some pieces, which are in order."""
        postings = self._postings(term)
        found = {part: _within(held, chosen.pieces) for part, held in postings.items()}
        counts = np.zeros(len(chosen.pieces), np.float32)
        counted: list[set[str]] = []
        for form in term.forms:
            parts = {part for part in form.parts if part in found}
            if not parts or any(parts <= others for others in counted):
                continue  # a form with more parts, in more languages, counts at least as much
            np.maximum(counts, _sum(form, [found[part] for part in parts], chosen), out=counts)
            if not form.languages:
                counted.append(parts)
        return counts

    def _postings(self, term: Term) -> dict[str, Held]:
        """Where each part of a term occurs, of those that occur at all."""
        parts = dict.fromkeys(part for form in term.forms for part in form.parts)
        postings = {part: self._library.posting(part) for part in parts}
        return {part: held for part, held in postings.items() if len(held.pieces)}


def leading(occurrences: Sequence[int], most: int) -> list[int]:
    """Which of the terms find pieces, the rarest first: the first one always, and others as long as
    no more than so many occurrences have to be followed."""
    followed, chosen = 0, list[int]()
    for number in sorted(range(len(occurrences)), key=occurrences.__getitem__):
        followed += occurrences[number]
        if followed > most and chosen:
            break
        chosen.append(number)
    return chosen


def _sum(form: Form, parts: Sequence[Floats], chosen: Chosen) -> Floats:
    """How often a form occurs in each of some pieces."""
    total: Floats = np.add.reduce(parts)
    if form.languages:
        total *= chosen.column(lambda book: book.in_languages(form.languages))
    return total


def _within(held: Held, pieces: Pieces) -> Floats:
    """How often a part of a term occurs in each of some pieces: those of the two that are fewer are
    looked for among the others."""
    if held.pieces is pieces:
        return held.counts.astype(np.float32)
    found = np.zeros(len(pieces), np.float32)
    if not len(pieces):
        return found
    if len(held.pieces) < len(pieces):
        at = np.minimum(np.searchsorted(pieces, held.pieces), len(pieces) - 1)
        there = pieces[at] == held.pieces
        found[at[there]] = held.counts[there]
    else:
        at = np.minimum(np.searchsorted(held.pieces, pieces), len(held.pieces) - 1)
        there = held.pieces[at] == pieces
        found[there] = held.counts[at[there]]
    return found
