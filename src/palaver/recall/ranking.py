"""Ranking: the rounds and the conversations that evidence speaks for, best first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Evidence, Speaker
from palaver.recall.results import MAX_RESULTS, Kind
from palaver.recall.scoring import Scored, Weights, score
from palaver.recall.scoring_pieces import NEAR
from palaver.recall.scoring_s4 import S4Weights, score_s4
from palaver.settings import IndexSettings

_TOLD = 20
"""So many rounds of a conversation, and so many messages of a round, are told at most."""

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
    return Weights(meaning=vector / lexical, covered=settings.covered_penalty)


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
    day: tuple[str, str] | None = None
    """The label and the id of its day, where days were looked through."""
    covered: bool = False
    """Whether the summary of its day tells of it."""
    is_page: bool = False
    """Whether it is no round but the summary of a day; its place is that of the event."""

    @property
    def best(self) -> tuple[str, int]:
        return self.places[0]


@dataclass(frozen=True, slots=True)
class FoundUnit:
    """What a result is made of: a conversation, or a round alone."""

    conversation_id: str
    score: float
    turns: Sequence[int] = ()
    """The turns that matched, best first; none if only the abbreviation did."""
    rounds: Sequence[FoundRound] = ()
    """The best of them."""
    lifted: float = 0.0
    """How much of the score is there for the abbreviation alone."""

    @property
    def best(self) -> FoundRound | None:
        return self.rounds[0] if self.rounds else None

    @property
    def explanation(self) -> dict[str, float]:
        """Every part of the score: those of the best round, and what the others make of it."""
        lifted = {"abbreviation": self.lifted} if self.lifted else {}
        if self.best is None:
            return lifted
        others = self.score - self.lifted - self.best.score
        return {**self.best.explanation, "otherRounds": others, **lifted}


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
        self._told = scored.told
        """How well abbreviations answer, by the numbers of their conversations."""

    def __bool__(self) -> bool:
        return bool(self._order)

    def turns(self, most: int) -> list[tuple[str, int]]:
        """The conversations and the turns of the best rounds."""
        return [self._turn(number) for number in self._order[:most]]

    def weighed(self, weights: Mapping[tuple[str, int], float], usual: float) -> Found:
        """The same, scored by what is known of turns; whatever nothing is known of is `usual`."""
        scored = self._scored
        turns = map(self._turn, range(len(scored.score)))
        score = np.array([weights.get(turn, usual) for turn in turns])
        parts = {"time": np.full(len(score), usual), "told": score - usual}
        best = scored.rounds.by_conversation(score * scored.eligible, others=0.0)
        return Found(self._evidence, replace(scored, score=score, parts=parts, conversations=best))

    def rounds(self, most: int) -> list[FoundRound]:
        """The best rounds."""
        return [self._round(number) for number in self._order[:most]]

    def units(self, kind: Kind) -> dict[str, Callable[[], FoundUnit]]:
        """What can become a result, best first, each by a name of its own."""
        return self._conversations() if kind == "conversation" else self._alone()

    def _alone(self) -> dict[str, Callable[[], FoundUnit]]:
        turn, score = self._evidence.turn, self._scored.score
        return {
            f"{(name := self._name(number))}:{turn[self._bounds[number]]}": partial(
                self._unit, name, [number], float(score[number])
            )
            for number in self._order[:MAX_RESULTS]
        }

    def _conversations(self) -> dict[str, Callable[[], FoundUnit]]:
        held: dict[int, list[int]] = {}
        numbers = self._evidence.conversation[self._scored.rounds.first].tolist()
        for number in self._order:
            held.setdefault(numbers[number], []).append(number)
        said = {one: self._said(rounds) for one, rounds in held.items()}
        scores = said | {one: max(said.get(one, 0.0), told) for one, told in self._told.items()}
        best = sorted(scores, key=lambda number: -scores[number])[:MAX_RESULTS]
        return {
            (name := self._evidence.conversations[one]): partial(
                self._unit, name, held.get(one, ()), scores[one], scores[one] - said.get(one, 0.0)
            )
            for one in best
        }

    def _said(self, rounds: Sequence[int]) -> float:
        """How well a conversation answers by its rounds."""
        return float(self._scored.conversations[self._scored.rounds.conversation[rounds[0]]])

    def _name(self, number: int) -> str:
        piece = self._bounds[number]
        return self._evidence.conversations[int(self._evidence.conversation[piece])]

    def _turn(self, number: int) -> tuple[str, int]:
        return self._name(number), int(self._evidence.turn[self._bounds[number]])

    def _unit(
        self, name: str, rounds: Sequence[int], score: float, lifted: float = 0.0
    ) -> FoundUnit:
        turns = [int(self._evidence.turn[self._bounds[number]]) for number in rounds]
        told = [self._round(number) for number in rounds[:_TOLD]]
        return FoundUnit(name, score, turns, told, lifted)

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
            day=self._day(int(evidence.turn[best])),
            covered=scored.covered is not None and bool(scored.covered[best]),
            is_page=bool(evidence.speaker[best] == Speaker.PAGE),
        )

    def _day(self, turn: int) -> tuple[str, str] | None:
        days = self._evidence.days
        number = int(days.of(np.array([turn]))[0]) if days else -1
        return (days.labels[number], days.ids[number]) if days and number >= 0 else None


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
    return evidence.eligible & (said | (np.nan_to_num(evidence.cosine) >= NEAR))
