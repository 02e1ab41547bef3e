"""Candidates: which rounds words or meaning speak for, and the evidence about them.

By words, every piece that holds a term is weighed. The best rounds become candidates, and the best
round of each of many conversations, so that a long one does not hide the others. By meaning, the
nearest pieces lead to their rounds, and abbreviations that are as near to their conversations.
Rounds come whole, with those next to them. How they are ranked in the end is not decided here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import NO_ABBREVIATIONS, Abbreviations, Evidence, Floats, Integers, Keys
from palaver.index.fulltext.by_words import ECHO_WEIGHT, ByWords
from palaver.index.fulltext.library import Library, Mask
from palaver.index.fulltext.tally import Tally
from palaver.index.pieces import ECHO
from palaver.index.port import Question

_BY_MEANING = 60
_ALIKE = 5
"""Of rounds that say something in the very same words, the last few are candidates by meaning."""
_EXACTLY = 60
"""For so many more pieces the nearness in meaning is computed from the vectors themselves."""
_LONGEST = 256
"""So many pieces of a round, at most, are evidence: those that hold a term go before others."""


class Meaning(Protocol):
    """The vectors, asked one question."""

    def begin(self, most: int, among: Keys | None) -> None:
        """Looks for the pieces nearest in meaning, while words are looked for."""
        ...

    def nearest(self) -> tuple[Keys, Floats]:
        """The keys of these pieces, nearest first, and how near each is; after them, most of the
        next ones."""
        ...

    def estimate(self, keys: Keys) -> Callable[[], Floats]:
        """Begins to find out, and gives it when it is called: about how near pieces are, NaN where
        it is not known; to the question, a row, and to each of its clauses."""
        ...

    def cosines(self, keys: Keys, estimates: Floats, exactly: int) -> Floats:
        """How near pieces are; exactly for the nearest, and for so many more of the next."""
        ...


class _Gathered(NamedTuple):
    """Pieces, and all there is to say about them."""

    round: Integers
    seq: Integers
    start: Integers
    end: Integers
    speaker: NDArray[np.uint8]
    length: Floats
    time: Integers
    key: Keys
    eligible: Mask
    counts: Floats
    """How often each term, a row, occurs."""
    estimates: Floats
    """How near they are in meaning, about."""

    def and_(self, others: _Gathered) -> _Gathered:
        pairs = zip(self._columns(), others._columns(), strict=True)
        return _Gathered(*(np.concatenate(both, axis=-1) for both in pairs))

    def at(self, places: Integers | slice) -> _Gathered:
        return _Gathered(*(values[..., places] for values in self._columns()))

    def _columns(self) -> tuple[NDArray[Any], ...]:
        return tuple(self)


class Candidates:
    """Finds what a question may mean among all pieces."""

    def __init__(self, library: Library, question: Question, meaning: Meaning | None) -> None:
        self._library = library
        self._question = question
        self._terms = question.terms
        self._meaning = meaning
        if meaning is not None:
            meaning.begin(_BY_MEANING, self._eligible_keys())
        self._tally = Tally(library)

    def evidence(self, names: Callable[[Integers], dict[int, str]]) -> Evidence:
        """All there is to say about the candidates; `names` tells which conversations they are."""
        words = ByWords(self._library, self._tally, self._terms, self._question.reach)
        found, matches = words.rounds()
        # Most is said while the nearest are looked for: what these add is little.
        by_words = _with_neighbours(found)
        said = self._gathered(by_words)
        nearest, told = self._by_meaning()
        by_meaning = _with_neighbours(nearest)
        if len(by_meaning):
            said = said.and_(self._gathered(np.setdiff1d(by_meaning, by_words, assume_unique=True)))
        said = said.at(np.lexsort((said.start, said.seq, said.round)))
        said = said.at(_kept(said.round, np.logical_or.reduce(said.counts > 0)))
        echo = said.speaker & ECHO > 0
        said.counts[:, echo] *= ECHO_WEIGHT
        cosine = self._cosines(said)
        cosine[echo] = 0  # it means no more than what it repeats
        return Evidence(
            statistics=words.statistics,
            conversations=names(np.union1d(said.round >> 32, told.conversation)),
            conversation=said.round >> 32,
            turn=said.round & 0xFFFFFFFF,
            seq=said.seq,
            start=said.start,
            end=said.end,
            speaker=said.speaker & ~np.uint8(ECHO),
            length=said.length,
            time=said.time,
            counts=said.counts.T,
            cosine=cosine,
            eligible=said.eligible,
            matches=matches,
            abbreviations=told,
        )

    def _gathered(self, rounds: Integers) -> _Gathered:
        """The pieces of some rounds, which are in order."""
        chosen = self._library.from_books(book.of_rounds(rounds) for book in self._library.books)
        key = chosen.column(lambda book: book.key)
        estimates = self._estimates(key)
        counts = np.zeros((len(self._terms), len(chosen.pieces)), np.float32)
        for number, term in enumerate(self._terms):
            counts[number] = self._tally.within(term, chosen)
        return _Gathered(
            round=chosen.round,
            seq=chosen.column(lambda book: book.seq).astype(np.int64),
            start=chosen.column(lambda book: book.start).astype(np.int64),
            end=chosen.column(lambda book: book.end).astype(np.int64),
            speaker=chosen.column(lambda book: book.speaker),
            length=chosen.column(lambda book: book.length),
            time=chosen.column(lambda book: book.time),
            key=key,
            eligible=chosen.eligible,
            counts=counts,
            estimates=estimates(),
        )

    def _by_meaning(self) -> tuple[Integers, Abbreviations]:
        """The rounds of the nearest pieces, and the abbreviations that are as near."""
        if self._meaning is None:
            return np.zeros(0, np.int64), NO_ABBREVIATIONS
        keys, nearness = self._meaning.nearest()
        others = ~self._library.tells(keys)
        near = np.cumsum(others) <= _BY_MEANING  # abbreviations take no place away from others
        keys, nearness = keys[near], nearness[near]
        found = self._library.from_books(book.with_keys(keys) for book in self._library.books)
        key, said = found.column(lambda book: book.key), found.column(lambda book: book.said)
        may, told = found.eligible & said, np.flatnonzero(found.eligible & ~said)
        rounds = _last_alike(key[may], found.column(lambda book: book.time)[may], found.round[may])
        if not len(told):
            return rounds, NO_ABBREVIATIONS
        order = np.argsort(keys)
        where = order[np.searchsorted(keys, key[told], sorter=order)]
        return rounds, Abbreviations(found.round[told] >> 32, nearness[where])

    def _eligible_keys(self) -> Keys | None:
        """The keys of what may be found; None for all."""
        if self._library.eligible is None:
            return None
        return self._library.timely().column(lambda book: book.key)

    def _estimates(self, keys: Keys) -> Callable[[], Floats]:
        if self._meaning is None:
            return lambda: np.zeros((0, len(keys)), np.float32)
        return self._meaning.estimate(keys)

    def _cosines(self, said: _Gathered) -> Floats:
        if self._meaning is None:
            return np.full(len(said.key), np.nan, np.float32)
        return self._meaning.cosines(said.key, said.estimates, _EXACTLY)


def _last_alike(keys: Keys, times: Integers, rounds: Integers) -> Integers:
    """The rounds of some pieces; of those that say the very same, the last few."""
    order = np.lexsort((-rounds, -times, keys))
    first = np.searchsorted(keys[order], keys[order])
    return rounds[order[np.arange(len(order)) - first < _ALIKE]]


def _with_neighbours(rounds: Integers) -> Integers:
    """Rounds, and those before and after them in their conversations; in order."""
    beside = np.concatenate([rounds - 1, rounds + 1])
    beside = beside[beside >> 32 == np.tile(rounds >> 32, 2)]
    return np.unique(np.concatenate([rounds, beside]))


def _kept(rounds: Integers, held: Mask) -> Integers | slice:
    """Which pieces are evidence: all, but of very long rounds only some."""
    if len(rounds) <= _LONGEST or np.all(rounds[_LONGEST:] != rounds[:-_LONGEST]):
        return slice(None)
    first = np.searchsorted(rounds, rounds)
    order = np.lexsort((np.arange(len(rounds)), ~held, rounds))
    return np.sort(order[np.arange(len(rounds)) - first < _LONGEST])
