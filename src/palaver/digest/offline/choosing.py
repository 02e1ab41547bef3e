"""Choosing: the few lines that stand best for all of them, in so many tokens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from palaver.digest.offline.lines import Line
from palaver.digest.offline.weighing import Matrix

_WORTH = 1.0
"""How much what a line is worth counts beside how many others it stands for."""
_LENGTH = 0.5
"""How much less a long line counts: 1 would weigh each token, 0 none of them."""


def chosen(
    lines: Sequence[Line], alike: Matrix, costs: Sequence[int], room: int, sure: Sequence[int]
) -> list[int]:
    """The numbers of the lines that are kept: those of `sure` first, as long as there is room.

    Each of the others is taken for what it tells beyond the ones that are taken already, so that
    nothing is said twice.
    """
    weights = np.array([line.weight for line in lines], np.float32)
    worth = 1 + np.array([_WORTH * line.worth for line in lines], np.float32)
    prices = np.array(costs, np.float32)
    rates = weights * worth / np.maximum(prices, 1) ** np.float32(_LENGTH)
    covered = np.zeros(len(lines), np.float32)
    free = np.ones(len(lines), np.bool_)
    kept: list[int] = []
    waiting = list(reversed(sure))
    while (fitting := free & (prices <= room)).any():
        best = waiting.pop() if waiting else _best(alike, covered, weights, rates, fitting)
        if fitting[best]:
            kept.append(best)
            room -= costs[best]
            covered = np.maximum(covered, alike[best])
        free[best] = False
    return kept


def _best(
    alike: Matrix, covered: Matrix, weights: Matrix, rates: Matrix, fitting: NDArray[np.bool_]
) -> int:
    told = np.maximum(alike - covered, 0) @ weights
    return int(np.where(fitting, told * rates, -1).argmax())
