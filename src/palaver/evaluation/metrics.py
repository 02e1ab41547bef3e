"""Metrics of a ranking: pure functions of what was found and of what should have been."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")
Scores = dict[str, float]


def any_at(found: Sequence[T], relevant: Collection[T], k: int) -> float:
    """1 when any of the relevant ones is among the first `k`, else 0."""
    return float(not set(relevant).isdisjoint(found[:k]))


def all_at(found: Sequence[T], relevant: Collection[T], k: int) -> float:
    """1 when every relevant one is among the first `k`, else 0."""
    return float(set(relevant).issubset(found[:k]))


def reciprocal_rank(found: Sequence[T], relevant: Collection[T]) -> float:
    """1 over the place of the first relevant one, 0 when there is none."""
    places = (place for place, one in enumerate(found, 1) if one in relevant)
    return 1 / next(places, float("inf"))


def conversation_scores(found: Sequence[T], relevant: Collection[T]) -> Scores:
    """How well conversations were found."""
    return {
        "any@5": any_at(found, relevant, 5),
        "all@5": all_at(found, relevant, 5),
        "all@10": all_at(found, relevant, 10),
    }


def round_scores(found: Sequence[T], relevant: Collection[T]) -> Scores:
    """How well rounds were found."""
    return {
        "all@5": all_at(found, relevant, 5),
        "all@10": all_at(found, relevant, 10),
        "mrr": reciprocal_rank(found, relevant),
    }


def mean_scores(scores: Iterable[Mapping[str, float]]) -> Scores:
    """The mean of each metric over questions; empty when there are none."""
    counted = list(scores)
    names = counted[0] if counted else ()
    return {name: sum(one[name] for one in counted) / len(counted) for name in names}


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of `values` that `share` of them do not exceed."""
    ordered = sorted(values)
    return ordered[max(-(-len(ordered) * round(share * 100) // 100) - 1, 0)]
