"""Rounds: the pieces of the evidence, gathered by the turn that they were said in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Evidence, Integers

Scores = NDArray[np.float64]
Value = TypeVar("Value", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Rounds:
    """Where each round begins among the pieces, and which rounds stand next to it."""

    first: Integers
    """The first piece of each round; its pieces stand together."""
    of: Integers
    """The round of each piece."""
    conversation: Integers
    """Conversations, numbered from 0 without a gap."""
    before: Integers
    """The round of the turn before in the same conversation, or -1."""
    after: Integers

    def best(self, pieces: NDArray[Value]) -> NDArray[Value]:
        """For each round, the largest value among its pieces."""
        return np.maximum.reduceat(pieces, self.first) if len(self.first) else pieces

    def where_best(self, pieces: Scores) -> Integers:
        """For each round, which of its pieces has the largest value; of equal ones the first."""
        return np.lexsort((-pieces, self.of))[self.first]

    def beside(self, rounds: Scores) -> Scores:
        """For each round, the larger value of the two next to it; nothing where there is none."""
        padded = np.append(rounds, 0.0)
        return np.maximum(padded[self.before], padded[self.after])

    def by_conversation(self, rounds: Scores, others: float) -> Scores:
        """For each conversation, its best value, and by `others` the mean of its best three."""
        order = np.lexsort((-rounds, self.conversation))
        number = self.conversation[order]
        place = np.arange(len(order)) - np.searchsorted(number, number)
        shares = np.where(place == 0, 1 + others / 3, np.where(place < 3, others / 3, 0.0))
        return np.bincount(number, shares * rounds[order]) / (1 + others)


def rounds_of(evidence: Evidence) -> Rounds:
    """The rounds of the evidence, in its order."""
    conversation, turn = evidence.conversation, evidence.turn
    opens = np.ones(len(turn), dtype=bool)
    opens[1:] = (conversation[1:] != conversation[:-1]) | (turn[1:] != turn[:-1])
    first = np.flatnonzero(opens)
    _, numbers = np.unique(conversation[first], return_inverse=True)
    places = _places(numbers, turn[first])
    return Rounds(
        first=first,
        of=np.cumsum(opens) - 1,
        conversation=numbers,
        before=_found(places, places - 1),
        after=_found(places, places + 1),
    )


def _places(conversation: Integers, turn: Integers) -> Integers:
    """One number per round: turns of one conversation in a row, and a gap before the next one."""
    if not len(turn):
        return turn
    low = turn.min()
    return conversation * (turn.max() - low + 2) + (turn - low)


def _found(places: Integers, wanted: Integers) -> Integers:
    """Which of `places` each of the wanted ones is, or -1."""
    if not len(places):
        return places
    order = np.argsort(places)
    at = np.minimum(np.searchsorted(places, wanted, sorter=order), len(places) - 1)
    return np.where(places[order[at]] == wanted, order[at], -1)
