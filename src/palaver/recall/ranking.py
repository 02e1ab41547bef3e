"""Ranking: the rounds and the conversations that evidence speaks for, best first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Evidence
from palaver.recall.results import MAX_RESULTS, Kind
from palaver.recall.scoring import Scored, Weights, score
from palaver.recall.scoring_s4 import S4Weights, score_s4
from palaver.settings import IndexSettings

_TOLD = 20
"""So many rounds of a conversation, and so many messages of a round, are told at most."""
_MEANT = 0.2
"""What holds none of the words is found only if it is at least this near in meaning."""

Ranking = Weights | S4Weights


def ranking_of(settings: IndexSettings) -> Ranking:
    """The ranking that the settings ask for; weights that are not set are the usual ones."""
    if settings.ranking == "s4":
        usual = S4Weights()
        vector = _given(settings.vector_weight, usual.vector)
        lexical = _given(settings.lexical_weight, usual.lexical)
        most = max(vector + lexical, 1.0)  # a score is 1 at most
        return S4Weights(vector / most, lexical / most, settings.covered_penalty)
    meaning = Weights().meaning
    vector = _given(settings.vector_weight, meaning / (1 + meaning))
    lexical = _given(settings.lexical_weight, 1 / (1 + meaning))
    return Weights(meaning=vector / lexical)


def _given(value: float | None, usual: float) -> float:
    return usual if value is None else value


@dataclass(frozen=True, slots=True)
class FoundRound:
    """A round that was found."""

    conversation_id: str
    turn: int
    score: float
    places: Sequence[tuple[str, int]]
    """The messages of it that matched, best first: conversation and line."""
    span: tuple[int, int]
    """Where the best piece of the best message begins and ends."""
    explanation: dict[str, float]

    @property
    def best(self) -> tuple[str, int]:
        return self.places[0]


@dataclass(frozen=True, slots=True)
class FoundUnit:
    """What a result is made of: a conversation, or a round alone."""

    conversation_id: str
    score: float
    turns: Sequence[int]
    """The turns that matched, best first."""
    rounds: Sequence[FoundRound]
    """The best of them."""

    @property
    def explanation(self) -> dict[str, float]:
        """Every part of the score: those of the best round, and what the others make of it."""
        best = self.rounds[0]
        return {**best.explanation, "otherRounds": self.score - best.score}


class Found:
    """All that was found, best first. Only what is asked for is told in full."""

    def __init__(self, evidence: Evidence, scored: Scored) -> None:
        self.matches = evidence.matches
        """How many messages hold any of the words."""
        self._evidence = evidence
        self._scored = scored
        matching = _matching(evidence)
        self._matching = matching.tolist()
        self._bounds = [*scored.rounds.first.tolist(), len(self._matching)]
        order = scored.order()
        self._order = order[scored.rounds.best(matching)[order]].tolist()
        """The rounds, best first."""

    def __bool__(self) -> bool:
        return bool(self._order)

    def rounds(self, most: int) -> list[FoundRound]:
        """The best rounds."""
        return [self._round(number) for number in self._order[:most]]

    def units(self, kind: Kind) -> dict[str, Callable[[], FoundUnit]]:
        """What can become a result, best first, each by a name of its own."""
        return self._conversations() if kind == "conversation" else self._alone()

    def _alone(self) -> dict[str, Callable[[], FoundUnit]]:
        turn, score = self._evidence.turn, self._scored.score
        return {
            f"{self._name(number)}:{turn[self._bounds[number]]}": partial(
                self._unit, [number], float(score[number])
            )
            for number in self._order[:MAX_RESULTS]
        }

    def _conversations(self) -> dict[str, Callable[[], FoundUnit]]:
        held: dict[int, list[int]] = {}
        numbers = self._scored.rounds.conversation.tolist()
        for number in self._order:
            held.setdefault(numbers[number], []).append(number)
        scores = self._scored.conversations.tolist()
        best = sorted(held, key=lambda number: -scores[number])[:MAX_RESULTS]
        return {
            self._name(held[number][0]): partial(self._unit, held[number], scores[number])
            for number in best
        }

    def _name(self, number: int) -> str:
        piece = self._bounds[number]
        return self._evidence.conversations[int(self._evidence.conversation[piece])]

    def _unit(self, rounds: Sequence[int], score: float) -> FoundUnit:
        turns = [int(self._evidence.turn[self._bounds[number]]) for number in rounds]
        told = [self._round(number) for number in rounds[:_TOLD]]
        return FoundUnit(told[0].conversation_id, score, turns, told)

    def _round(self, number: int) -> FoundRound:
        evidence, scored = self._evidence, self._scored
        first, last = self._bounds[number : number + 2]
        held = [piece for piece in range(first, last) if self._matching[piece]]
        held.sort(key=lambda piece: -scored.pieces[piece])
        best, name = held[0], self._name(number)
        seqs = dict.fromkeys(int(evidence.seq[one]) for one in held)
        return FoundRound(
            conversation_id=name,
            turn=int(evidence.turn[best]),
            score=float(scored.score[number]),
            places=[(name, seq) for seq in islice(seqs, _TOLD)],
            span=(int(evidence.start[best]), int(evidence.end[best])),
            explanation={name: float(part[number]) for name, part in scored.parts.items()},
        )


def rank(evidence: Evidence, ranking: Ranking) -> Found:
    """Everything that the evidence speaks for."""
    if isinstance(ranking, S4Weights):
        return Found(evidence, score_s4(evidence, ranking))
    return Found(evidence, score(evidence, ranking))


def _matching(evidence: Evidence) -> NDArray[np.bool_]:
    """The pieces that may be found, and that hold a word or are near in meaning.

    Without words to look for, all that may be found.
    """
    if not evidence.counts.shape[1]:
        return evidence.eligible
    said = evidence.counts.any(axis=1)
    return evidence.eligible & (said | (np.nan_to_num(evidence.cosine) >= _MEANT))
