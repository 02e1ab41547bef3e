"""By words: the rounds that hold the terms of a question, each piece weighed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Floats, Integers, Statistics
from palaver.index.fulltext.book import changes
from palaver.index.fulltext.library import Library, Pieces
from palaver.index.fulltext.tally import Tally, leading
from palaver.index.pieces import ECHO
from palaver.index.port import Reach
from palaver.text import Term

ECHO_WEIGHT = 0.01
"""What the words of a reply count that only repeats what was said elsewhere."""
_CONVERSATIONS = 200
_K1, _B, _USUAL_LENGTH = 1.2, 0.75, 75
"""How candidates are weighed by words; the ranking has weights of its own."""


class ByWords:
    """Weighs the pieces that hold the terms which lead; without terms, all that the filter lets
    through, alike, and nothing without a filter."""

    def __init__(self, library: Library, tally: Tally, terms: Sequence[Term], reach: Reach) -> None:
        self._library = library
        self._reach = reach
        occurrences = [tally.size(term) for term in terms]
        lead = leading(occurrences, reach.occurrences)
        held = [tally.everywhere(terms[number], reach.alone) for number in lead]
        holding = tally.any_of([one.pieces for one in held])
        self._found = library.chosen(holding if terms else library.timely().said())
        self._group = self._found.groups(self._found.round)
        """The number of each piece's round, in its book."""
        places = np.empty(len(library), np.intp)
        places[self._found.pieces] = np.arange(len(self._found.pieces))
        self._held = [(places[one.pieces], one.counts) for one in held]
        rounds = sum(book.rounds for book in library.books)
        # A term that is too common to be followed is in about as many rounds as it occurs.
        often = np.minimum(np.array(occurrences, np.float32), rounds)
        for number, (where, _) in zip(lead, self._held, strict=True):
            if reach.alone is None or occurrences[number] <= reach.alone:
                often[number] = changes(self._group[where])
        self._often = often[lead]
        self.statistics = Statistics(rounds, often)

    def rounds(self) -> tuple[Integers, int]:
        """The best rounds, and the best round of each of many conversations; and how many messages
        were weighed."""
        found, group, score = self._found, self._group, self._scores()
        if not found.eligible.all():
            may = found.eligible
            found, group, score = self._library.chosen(found.pieces[may]), group[may], score[may]
        best = _best_of_each(group, score)
        one_each = _best_of_each(found.groups(found.round >> 32)[best], score[best])
        rounds, times = found.round[best], found.column(lambda book: book.time)[best]
        chosen = [
            _most(self._reach.rounds, score[best], times, rounds),
            _most(_CONVERSATIONS, score[best][one_each], times[one_each], rounds[one_each]),
        ]
        return np.concatenate(chosen), _messages(group, found.column(lambda book: book.seq))

    def _scores(self) -> Floats:
        """What speaks for each of the pieces."""
        length = self._found.column(lambda book: book.length)
        fulness = (_K1 * (1 - _B + _B * length / _USUAL_LENGTH)).astype(np.float32)
        rarity = np.log1p((self.statistics.rounds - self._often + 0.5) / (self._often + 0.5))
        score = np.zeros(len(length), np.float32)
        for (where, counts), weight in zip(self._held, rarity, strict=True):
            score[where] += counts * np.float32(_K1 + 1) / (counts + fulness[where]) * weight
        score[self._found.column(lambda book: book.speaker) & ECHO > 0] *= ECHO_WEIGHT
        return score


def _best_of_each(groups: Integers, scores: Floats) -> Pieces:
    """Of each group, which stand together, the place of the best; of equal ones the last."""
    if not len(groups):
        return np.zeros(0, np.intp)
    opens = np.diff(groups, prepend=groups[0] - 1) != 0
    most = np.maximum.reduceat(scores, np.flatnonzero(opens))
    number = np.cumsum(opens) - 1
    best = np.flatnonzero(scores == most[number])
    return best[np.append(np.diff(number[best]) != 0, True)]


def _most(count: int, scores: Floats, times: Integers, rounds: Integers) -> Integers:
    """The rounds that score best; of those that score alike, the newest."""
    if len(scores) <= count:
        return rounds
    least = np.partition(scores, -count)[-count]
    better, alike = np.flatnonzero(scores > least), np.flatnonzero(scores == least)
    newest = np.lexsort((rounds[alike], times[alike]))[len(better) - count :]
    return rounds[np.concatenate([better, alike[newest]])]


def _messages(rounds: Integers, seqs: NDArray[np.uint32]) -> int:
    """How many messages pieces are parts of; pieces of a message stand together."""
    if not len(rounds):
        return 0
    return 1 + int(np.count_nonzero((np.diff(rounds) != 0) | (np.diff(seqs) != 0)))
