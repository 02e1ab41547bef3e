"""Evidence for the tests of the ranking, written down piece by piece."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from palaver.index.evidence import Evidence, Speaker, Statistics
from palaver.recall.scoring import Scored

PIECES = 10_000


class Said(NamedTuple):
    """A piece of something that was said."""

    conversation: int
    turn: int
    counts: Sequence[int]
    cosine: float = float("nan")
    speaker: Speaker = Speaker.USER
    length: int = 40
    time: int = 0
    eligible: bool = True


def evidence(*said: Said, frequencies: Sequence[int] = (5,)) -> Evidence:
    terms = len(frequencies)
    return Evidence(
        statistics=Statistics(PIECES, np.array(frequencies, np.float32)),
        conversations={one.conversation: f"conv-{one.conversation}" for one in said},
        conversation=np.array([one.conversation for one in said], np.int64),
        turn=np.array([one.turn for one in said], np.int64),
        seq=np.arange(len(said), dtype=np.int64),
        start=np.zeros(len(said), np.int64),
        end=np.full(len(said), 100, np.int64),
        speaker=np.array([one.speaker for one in said], np.uint8),
        length=np.array([one.length for one in said], np.float32),
        time=np.array([one.time for one in said], np.int64),
        counts=np.array([one.counts for one in said], np.float32).reshape(len(said), terms),
        cosine=np.array([one.cosine for one in said], np.float32),
        eligible=np.array([one.eligible for one in said], np.bool_),
        matches=len(said),
    )


def turns(scored: Scored, found: Evidence) -> list[int]:
    """The turns in the order of their rank."""
    return [int(found.turn[scored.rounds.first[one]]) for one in scored.order()]
