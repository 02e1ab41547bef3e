"""Pieces: how much the words and the meaning of each one have of the question, in 0..1."""

from __future__ import annotations

import numpy as np

from palaver.index.evidence import Evidence, Floats, Integers
from palaver.recall.scoring_rounds import Scores

SATURATION = 1.2
"""BM25's k1: how soon repeating a word stops to count."""
SHORTNESS = 0.75
"""BM25's b: how much more a word counts in a shorter piece."""
USUAL_LENGTH = 75
"""In words. Not the average of what the user has: between people, whose messages are short, that
would make a message of thirty words a long one.
"""
NEAR = 0.2
"""What holds none of the words is found only if it is at least this near in meaning."""
LONGEST = 100
"""So many words, at most, are read as one."""


class Wording:
    """How much the words of each piece, alone or with the next ones, have of the question.

    It is BM25 as a share of the most that it could be, with every term over and over. That is a
    scale of its own: it needs no other candidate to be compared with, and a term that is nowhere to
    be found makes the words of the question count for less.
    """

    def __init__(self, evidence: Evidence) -> None:
        rarity = _rarity(evidence)
        most = rarity.sum() * (SATURATION + 1)
        self._share = rarity / most if most > 0 else rarity
        self._alone = _bm25(evidence.counts, evidence.length, self._share)
        self._length = np.append(0.0, np.cumsum(evidence.length, dtype=np.float64))
        self._counts = np.zeros((len(self._length), len(rarity)))
        np.cumsum(evidence.counts, axis=0, dtype=np.float64, out=self._counts[1:])

    def within(self, numbers: Integers) -> Scores:
        """Short pieces are read on into the next ones as long as they share a number, so that what
        is said in three short sentences counts as if it were said in one.
        """
        first, length = np.arange(len(numbers)), self._length
        end = np.searchsorted(length, length[:-1] + LONGEST, side="right") - 1
        end = np.minimum(end, np.searchsorted(numbers, numbers, side="right"))
        first = first[end > first + 1]
        end = end[first]
        counts = (self._counts[end] - self._counts[first]).astype(np.float32)
        read_on = _bm25(counts, length[end] - length[first], self._share)
        best = self._alone.copy()
        best[first] = np.maximum(best[first], read_on)
        return best


def bm25(evidence: Evidence) -> Scores:
    """BM25 of each piece, unbounded."""
    return _bm25(evidence.counts, evidence.length, _rarity(evidence))


def _bm25(counts: Floats, length: Floats | Scores, rarity: Scores) -> Scores:
    fulness = SATURATION * (1 - SHORTNESS + SHORTNESS * length / USUAL_LENGTH)
    saturated = counts / (counts + fulness[:, None].astype(np.float32))
    return (saturated @ (rarity * (SATURATION + 1)).astype(np.float32)).astype(np.float64)


def nearness(evidence: Evidence) -> Scores:
    """The cosine, where it is known; where not, what the others have on average.

    A message that has no vector yet is neither pushed down for it nor lifted up.
    """
    known = np.isfinite(evidence.cosine)
    cosine = np.clip(np.where(known, evidence.cosine, 0.0).astype(np.float64), 0.0, 1.0)
    return np.where(known, cosine, cosine[known].mean() if known.any() else 0.0)


def _rarity(evidence: Evidence) -> Scores:
    """BM25's weight of each term: the rarer, the more it tells."""
    holding = evidence.statistics.frequencies.astype(np.float64)
    without = np.maximum(evidence.statistics.rounds - holding, 0.0)
    return np.log1p((without + 0.5) / (holding + 0.5))
