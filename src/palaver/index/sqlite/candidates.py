"""Candidates: which rounds words or meaning speak for, and the evidence about them.

By words, every piece that holds a term is weighed. The best rounds become candidates, and the best
round of each of many conversations, so that a long one does not hide the others. By meaning, the
nearest pieces lead to their rounds. Candidates come whole, with the rounds next to them. How they
are ranked in the end is not decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Evidence, Floats, Integers, Keys, Statistics
from palaver.index.pieces import ECHO
from palaver.index.port import Question
from palaver.index.sqlite.shelf import Book, Volume
from palaver.index.sqlite.tally import Pieces, found_by, frequencies, leading, sizes, tally

_ROUNDS = 250
_CONVERSATIONS = 200
_BY_MEANING = 60
_ALIKE = 5
"""Of rounds that say something in the very same words, the last few are candidates by meaning."""
_EXACTLY = 60
"""For so many more pieces the nearness in meaning is computed from the vectors themselves."""
_LONGEST = 256
"""So many pieces of a round, at most, are evidence: those that hold a term go before others."""
_ECHO = 0.01
"""What the words of a reply count that only repeats what was said elsewhere."""
_K1, _B, _USUAL_LENGTH = 1.2, 0.75, 75
"""How candidates are weighed by words; the ranking has weights of its own."""

Mask = NDArray[np.bool_]
Kind = TypeVar("Kind", bound=np.generic)


class Meaning(Protocol):
    """The vectors, asked one question."""

    def nearest(self, most: int, among: Keys | None) -> Keys:
        """The keys of the pieces nearest in meaning."""
        ...

    def cosines(self, keys: Keys, exactly: int) -> Floats:
        """How near pieces are, NaN where it is not known; exactly for the nearest, and for so many
        more of the next."""
        ...


@dataclass(frozen=True, slots=True)
class _Shelved:
    """A book with the postings of the terms, and which of its pieces may be found."""

    volume: Volume
    eligible: Mask | None

    @property
    def book(self) -> Book:
        return self.volume.book

    def may(self, pieces: Pieces) -> Pieces:
        return pieces if self.eligible is None else pieces[self.eligible[pieces]]


class Candidates:
    """Finds what a question may mean among all pieces."""

    def __init__(
        self,
        volumes: Sequence[Volume],
        question: Question,
        eligible: Callable[[Book], Mask | None],
        meaning: Meaning | None,
    ) -> None:
        self._terms = question.terms
        self._meaning = meaning
        self._shelved = [_Shelved(one, eligible(one.book)) for one in volumes]
        occurrences = sizes(volumes, question.terms)
        self._leading = leading(occurrences)
        terms = [question.terms[number] for number in self._leading]
        held = [found_by(one, terms) for one in volumes]
        self._held = [
            (found, tally(one, terms, found)) for one, found in zip(volumes, held, strict=True)
        ]
        rounds = sum(one.book.rounds for one in volumes)
        # A term that is too common to be followed is in about as many rounds as it occurs.
        often = np.minimum(np.array(occurrences, np.float32), rounds)
        counted = [frequencies(one, *held) for one, held in zip(volumes, self._held, strict=True)]
        often[self._leading] = np.sum(counted, axis=0) if counted else 0
        self._statistics = Statistics(rounds, often)
        self._matches = 0

    def evidence(self, names: Callable[[Integers], dict[int, str]]) -> Evidence:
        """All there is to say about the candidates; `names` tells which conversations they are."""
        rounds = np.unique(np.concatenate([self._by_words(), self._by_meaning()]))
        near = np.unique(np.concatenate([rounds - 1, rounds, rounds + 1]))
        near = near[np.isin(near >> 32, rounds >> 32)]
        parts = [(one, np.sort(one.book.of_rounds(near))) for one in self._shelved]
        return self._gathered([(one, where) for one, where in parts if len(where)], names)

    # -- by words ----------------------------------------------------------------------------

    def _by_words(self) -> Integers:
        """The best rounds, and the best round of each of many conversations."""
        rounds, conversations = _Best(_ROUNDS), _Best(_CONVERSATIONS)
        for one, found, weight in self._weighed() if self._terms else self._timely():
            self._matches += _messages(one.book, found)
            best = _best_of_each(one.book.round[found], weight)
            pieces, score = found[best], weight[best]
            rounds.add(score, one.book, pieces)
            best = _best_of_each(one.book.round[pieces] >> 32, score)
            conversations.add(score[best], one.book, pieces[best])
        return np.concatenate([rounds.rounds, conversations.rounds])

    def _timely(self) -> Iterator[tuple[_Shelved, Pieces, Floats]]:
        """Without words, all that the filter lets through, alike; nothing without a filter."""
        for one in self._shelved:
            if one.eligible is not None:
                pieces = one.may(np.flatnonzero(one.book.here))
                yield one, pieces, np.zeros(len(pieces), np.float32)

    def _weighed(self) -> Iterator[tuple[_Shelved, Pieces, Floats]]:
        """The pieces of each book that hold a leading term, and what speaks for them."""
        often = self._statistics.frequencies[self._leading]
        rarity = np.log1p((self._statistics.rounds - often + 0.5) / (often + 0.5))
        for one, (pieces, counts) in zip(self._shelved, self._held, strict=True):
            usual = _B * one.book.length[pieces] / _USUAL_LENGTH
            fulness = (_K1 * (1 - _B + usual)).astype(np.float32)[:, None]
            score = (counts * np.float32(_K1 + 1) / (counts + fulness)) @ rarity
            score[one.book.speaker[pieces] & ECHO > 0] *= _ECHO
            may = slice(None) if one.eligible is None else one.eligible[pieces]
            yield one, pieces[may], score[may].astype(np.float32)

    # -- by meaning --------------------------------------------------------------------------

    def _by_meaning(self) -> Integers:
        none = np.zeros(0, np.int64)
        if self._meaning is None:
            return none
        among = None
        if any(one.eligible is not None for one in self._shelved):
            among = np.concatenate([np.zeros(0, np.uint64), *map(_eligible_keys, self._shelved)])
        keys = self._meaning.nearest(_BY_MEANING, among)
        found = [(one.book, one.may(one.book.with_keys(keys))) for one in self._shelved]
        said = np.concatenate([keys[:0], *(book.key[pieces] for book, pieces in found)])
        times = np.concatenate([none, *(book.time[pieces] for book, pieces in found)])
        rounds = np.concatenate([none, *(book.round[pieces] for book, pieces in found)])
        order = np.lexsort((-rounds, -times, said))
        first = np.searchsorted(said[order], said[order])
        return rounds[order[np.arange(len(order)) - first < _ALIKE]]

    # -- all there is to say -----------------------------------------------------------------

    def _gathered(
        self,
        parts: Sequence[tuple[_Shelved, Pieces]],
        names: Callable[[Integers], dict[int, str]],
    ) -> Evidence:
        def column(name: str, kind: type[Kind]) -> NDArray[Kind]:
            every = [getattr(one.book, name)[where].astype(kind) for one, where in parts]
            return np.concatenate([np.zeros(0, kind), *every])

        every = [tally(one.volume, self._terms, where) for one, where in parts]
        counts = np.concatenate([np.zeros((0, len(self._terms)), np.float32), *every])
        rounds, seq, start = (column(name, np.int64) for name in ("round", "seq", "start"))
        order = np.lexsort((start, seq, rounds))
        order = order[_kept(rounds[order], counts[order].max(axis=1, initial=0) > 0)]
        rounds, counts = rounds[order], counts[order]
        speaker, keys = column("speaker", np.uint8)[order], column("key", np.uint64)[order]
        counts[speaker & ECHO > 0] *= _ECHO
        eligible = [
            np.ones(len(where), np.bool_) if one.eligible is None else one.eligible[where]
            for one, where in parts
        ]
        return Evidence(
            statistics=self._statistics,
            conversations=names(np.unique(rounds >> 32)),
            conversation=rounds >> 32,
            turn=rounds & 0xFFFFFFFF,
            seq=seq[order],
            start=start[order],
            end=column("end", np.int64)[order],
            speaker=speaker & ~np.uint8(ECHO),
            length=column("length", np.float32)[order],
            time=column("time", np.int64)[order],
            counts=counts,
            cosine=self._cosines(keys, speaker),
            eligible=np.concatenate([np.zeros(0, np.bool_), *eligible])[order],
            matches=self._matches,
        )

    def _cosines(self, keys: Keys, speaker: NDArray[np.uint8]) -> Floats:
        if self._meaning is None:
            return np.full(len(keys), np.nan, np.float32)
        cosines = self._meaning.cosines(keys, _EXACTLY)
        cosines[speaker & ECHO > 0] = 0  # it means no more than what it repeats
        return cosines


class _Best:
    """The rounds that score best; of those that score alike, the newest."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._scores: Floats = np.zeros(0, np.float32)
        self._times: Integers = np.zeros(0, np.int64)
        self.rounds: Integers = np.zeros(0, np.int64)

    def add(self, scores: Floats, book: Book, pieces: Pieces) -> None:
        """Takes one piece of each of some rounds."""
        scores = np.concatenate([self._scores, scores])
        times = np.concatenate([self._times, book.time[pieces]])
        rounds = np.concatenate([self.rounds, book.round[pieces]])
        if len(scores) > self._most:
            least = np.partition(scores, -self._most)[-self._most]
            better, alike = np.flatnonzero(scores > least), np.flatnonzero(scores == least)
            newest = np.lexsort((rounds[alike], times[alike]))[len(better) - self._most :]
            kept = np.concatenate([better, alike[newest]])
            scores, times, rounds = scores[kept], times[kept], rounds[kept]
        self._scores, self._times, self.rounds = scores, times, rounds


def _best_of_each(groups: Integers, scores: Floats) -> Pieces:
    """Of each group, which stand together, the place of the best; of equal ones the last."""
    if not len(groups):
        return np.zeros(0, np.intp)
    opens = np.diff(groups, prepend=groups[0] - 1) != 0
    most = np.maximum.reduceat(scores, np.flatnonzero(opens))
    number = np.cumsum(opens) - 1
    best = np.flatnonzero(scores == most[number])
    return best[np.append(np.diff(number[best]) != 0, True)]


def _kept(rounds: Integers, held: Mask) -> Mask:
    """Which pieces are evidence: all, but of very long rounds only some."""
    first = np.searchsorted(rounds, rounds)
    if not len(rounds) or np.max(np.arange(len(rounds)) - first) < _LONGEST:
        return np.ones(len(rounds), np.bool_)
    order = np.lexsort((np.arange(len(rounds)), ~held, rounds))
    kept = np.empty(len(rounds), np.bool_)
    kept[order] = np.arange(len(rounds)) - first < _LONGEST
    return kept


def _messages(book: Book, pieces: Pieces) -> int:
    """How many messages the pieces are parts of; pieces of a message stand together."""
    if not len(pieces):
        return 0
    rounds, seqs = np.diff(book.round[pieces]) != 0, np.diff(book.seq[pieces]) != 0
    return 1 + int(np.count_nonzero(rounds | seqs))


def _eligible_keys(one: _Shelved) -> Keys:
    return one.book.key[one.book.here if one.eligible is None else one.eligible & one.book.here]
