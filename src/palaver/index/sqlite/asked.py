"""The vectors, asked for what is near in meaning; without them, nothing is known to be near."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from palaver.index.evidence import Floats, Keys, Vector
from palaver.index.port import Question
from palaver.index.vectors import VectorStore

Attempt = Callable[[Callable[[], Any]], Any]


class Asked:
    """The vectors, asked for what is near to one of them."""

    def __init__(
        self, store: VectorStore, question: Question, vector: Vector, attempt: Attempt
    ) -> None:
        """`vector` is what the whole question means. `attempt` does some work with the vectors, and
        gives None when they do not allow it."""
        self._store = store
        self._question = question
        self._vector = vector
        self._attempt = attempt
        self._known = np.zeros(0, np.uint64), np.zeros(0, np.float32)
        """What was read to find the nearest, in the order of the keys, and how near it is."""

    def nearest(self, most: int, among: Keys | None) -> Keys:
        found = self._attempt(lambda: self._store.nearest(self._vector, most, among, beyond=True))
        if found is None:
            return np.zeros(0, np.uint64)
        keys, cosines = found
        order = np.argsort(keys)
        self._known = keys[order], cosines[order]
        return keys[:most]

    def cosines(self, keys: Keys, exactly: int) -> Floats:
        found = self._attempt(lambda: self._cosines(keys, exactly))
        return np.full(len(keys), np.nan, np.float32) if found is None else found

    def _cosines(self, keys: Keys, exactly: int) -> Floats:
        """How near pieces are to the question, or a little less to one of its clauses."""
        cosines = self._to_question(keys, exactly)
        for clause in self._question.clauses:
            weight = np.float32(self._question.clause_weight)
            nearness = weight * self._store.estimate(clause, keys)
            better = np.flatnonzero(nearness > cosines)
            best = better[np.argsort(-nearness[better], kind="stable")[:exactly]]
            nearness[best] = weight * self._store.cosines(clause, keys[best])
            cosines = np.fmax(cosines, nearness)
        return cosines

    def _to_question(self, keys: Keys, exactly: int) -> Floats:
        cosines = self._store.estimate(self._vector, keys)
        near, nearness = self._known
        where = np.minimum(np.searchsorted(near, keys), max(len(near) - 1, 0))
        known = near[where] == keys if len(near) else np.zeros(len(keys), np.bool_)
        cosines[known] = nearness[where[known]]
        unsure = np.flatnonzero(~known & ~np.isnan(cosines))
        best = unsure[np.argsort(-cosines[unsure], kind="stable")[:exactly]]
        cosines[best] = self._store.cosines(self._vector, keys[best])
        return cosines
