"""Scoring: how well each round answers the question, in 0..1, from the evidence of any engine.

A round is as good as its best piece, in words and in meaning. Where an assistant answers at
length, the best piece of the user's own words has a say too: six hundred words of a reply hold
something of most questions, while the user's thirty words tell what the round was about. Between
people, whose messages are as long as their replies, it has none. The rounds next to a round count
a little, because an answer may need its question to be understood.

What was tried and what it gave is told in `docs/explanation/ranking.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Abbreviations, Evidence, Integers, Speaker
from palaver.recall.scoring_pieces import NEAR, Wording, nearness
from palaver.recall.scoring_rounds import Rounds, Scores, rounds_of


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each signal counts."""

    meaning: float = 1.0
    """Meaning, where words count 1."""
    own: float = 0.75
    """The user's own words, where replies are long and any of the words count the rest of 1."""
    beside: float = 0.05
    """The better one of the rounds before and after, where the round itself counts 1."""
    others: float = 0.3
    """The three best rounds of a conversation, on average, where its best one counts 1."""
    abbreviation: float = 1.0
    """An abbreviation, where a round that is as near in meaning counts 1."""
    covered: float = 0.85
    """What is left of the score of a round that the summary of its day covers, where such summaries
    are looked for, too."""


@dataclass(frozen=True, slots=True)
class Scored:
    """The rounds and the conversations of the evidence, in its order."""

    rounds: Rounds
    score: Scores
    """Of each round."""
    parts: Mapping[str, Scores]
    """What each signal adds to the score of each round."""
    conversations: Scores
    """The score of each conversation, by the numbers that `rounds.conversation` gives."""
    pieces: Scores
    """How much each piece by itself has of the question."""
    time: Integers
    """When each round was last spoken in, in milliseconds since 1970."""
    eligible: NDArray[np.bool_]
    """Whether each round may be found."""
    covered: NDArray[np.bool_] | None = None
    """Which pieces the summary of their day covers, where such summaries are looked for, too."""
    told: Mapping[int, float] = field(default_factory=dict[int, float])
    """How well abbreviations answer that are near enough to be found by themselves, by the numbers
    of their conversations in the evidence."""

    def order(self) -> Integers:
        """The rounds that may be found, best first; of equal ones the newer."""
        ranked = np.lexsort((-self.time, -self.score))
        return ranked[self.eligible[ranked]]


def score(evidence: Evidence, weights: Weights | None = None) -> Scored:
    """How well each round, and each conversation, answers the question."""
    weights = weights or Weights()
    rounds = rounds_of(evidence)
    said = (evidence.speaker == Speaker.USER) | (evidence.speaker == Speaker.PAGE)
    wording = Wording(evidence)
    words = wording.within(rounds.of)
    own_words = wording.within(_stretches(rounds, said)) * said
    meaning = weights.meaning * nearness(evidence)
    own = weights.own * _terseness(evidence, rounds)
    signals = {
        "words": (1 - own) * rounds.best(words),
        "ownWords": own * rounds.best(own_words),
        "meaning": (1 - own) * rounds.best(meaning),
        "ownMeaning": own * rounds.best(meaning * said),
    }
    signals["beside"] = weights.beside * rounds.beside(_total(signals))
    most = (1 + weights.meaning) * (1 + weights.beside)
    pieces = (words + meaning) / (1 + weights.meaning)
    covered = covered_by_summary(evidence)
    kept = _kept(rounds, pieces * evidence.eligible, covered, weights.covered)
    parts = {name: signal / most * kept for name, signal in signals.items()}
    eligible = rounds.best(evidence.eligible)
    total = _total(parts)
    return Scored(
        rounds=rounds,
        score=total,
        parts=parts,
        conversations=rounds.by_conversation(total * eligible, weights.others),
        pieces=pieces,
        time=rounds.best(evidence.time),
        eligible=eligible,
        covered=covered,
        told=_told(evidence.abbreviations, weights.abbreviation * weights.meaning / most),
    )


def _told(found: Abbreviations, weight: float) -> dict[int, float]:
    """How well abbreviations answer, of those that are near enough."""
    best: dict[int, float] = {}
    for number, cosine in zip(found.conversation.tolist(), found.cosine.tolist(), strict=True):
        if cosine >= NEAR:
            best[number] = max(best.get(number, 0.0), weight * cosine)
    return best


def covered_by_summary(evidence: Evidence) -> NDArray[np.bool_] | None:
    """Which pieces stand before the end of what the summary of their day tells; None where no such
    summaries were looked for."""
    if evidence.days is None:
        return None
    day = evidence.days.of(evidence.turn)
    told = np.append(evidence.days.covers, -1)[day]  # what is of no day finds the last one
    return (evidence.speaker != Speaker.PAGE) & (evidence.seq <= told)


def _kept(
    rounds: Rounds, pieces: Scores, covered: NDArray[np.bool_] | None, share: float
) -> Scores | float:
    """What is left of the score of each round: less, if its best piece is covered."""
    if covered is None:
        return 1.0
    return np.where(covered[rounds.where_best(pieces)], share, 1.0)


def _terseness(evidence: Evidence, rounds: Rounds) -> Scores:
    """How much shorter the user is than the replies in the conversation of each round, in 0..1:
    nothing where they speak alike, almost all where the replies are ten times as long.
    """
    conversation = rounds.conversation[rounds.of]
    total = np.bincount(conversation, evidence.length * (evidence.speaker != Speaker.PAGE))
    user = np.bincount(conversation, evidence.length * (evidence.speaker == Speaker.USER))
    terse = np.clip(1 - 2 * user / np.maximum(total, 1.0), 0.0, 1.0)
    return terse[rounds.conversation]


def _stretches(rounds: Rounds, said: NDArray[np.bool_]) -> Integers:
    """Numbers that pieces share as long as the user goes on, or somebody else does, in a round."""
    changes = np.diff(rounds.of, prepend=0) | np.diff(said, prepend=False)
    return np.cumsum(changes != 0)


def _total(signals: Mapping[str, Scores]) -> Scores:
    return np.sum(list(signals.values()), axis=0)
