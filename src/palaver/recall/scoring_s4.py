"""Scoring as the specification of the continuous conversation has it, to the digit.

A piece has 0.7 of its cosine and 0.3 of raw/(raw+1), where raw is what full text gives; a piece
without a vector has only the latter. What a summary covers has 0.85 of that. A round is as good as
its best piece, and a conversation as its best round; of equal ones the newer comes first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Evidence
from palaver.recall.scoring import Scored, covered_by_summary
from palaver.recall.scoring_pieces import bm25
from palaver.recall.scoring_rounds import rounds_of


@dataclass(frozen=True, slots=True)
class S4Weights:
    """How much each signal counts."""

    vector: float = 0.7
    lexical: float = 0.3
    covered: float = 0.85
    """What is left of the score of a piece that a summary covers."""


def score_s4(
    evidence: Evidence, weights: S4Weights | None = None, covered: NDArray[np.bool_] | None = None
) -> Scored:
    """How well each round answers; `covered` are the pieces that a summary covers, if that is not
    to be seen from the evidence."""
    weights = weights or S4Weights()
    covered = covered_by_summary(evidence) if covered is None else covered
    rounds = rounds_of(evidence)
    raw = bm25(evidence)
    lexical = weights.lexical * raw / (raw + 1)
    vector = weights.vector * np.clip(np.nan_to_num(evidence.cosine.astype(np.float64)), 0.0, 1.0)
    kept = np.where(covered, weights.covered, 1.0) if covered is not None else 1.0
    pieces = kept * (vector + lexical) * evidence.eligible
    best = rounds.where_best(pieces)
    total = pieces[best]
    eligible = rounds.best(evidence.eligible)
    return Scored(
        rounds=rounds,
        score=total,
        parts={"vector": (kept * vector)[best], "lexical": (kept * lexical)[best]},
        conversations=rounds.by_conversation(total * eligible, 0.0),
        pieces=pieces,
        time=rounds.best(evidence.time),
        eligible=eligible,
        covered=covered,
    )
