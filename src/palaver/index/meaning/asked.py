"""The vectors, asked for what is near in meaning; without them, nothing is known to be near.

What the question means is found out in threads of its own, while words are looked for.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Floats, Keys, Vector
from palaver.index.port import Question
from palaver.index.vectors.port import Vectors


class Model(Protocol):
    """The model and its vectors."""

    def vector(self, text: str) -> Vector | None:
        """What a text means; None when nobody can tell."""
        ...

    def attempt(self, work: Callable[[Vectors], Any]) -> Any:
        """Does some work with the vectors; None when they do not allow it."""
        ...

    def start(self, work: Callable[..., Any], *given: Any) -> Future[Any]:
        """Has it done by a thread; those begun first go first."""
        ...


class _Near(NamedTuple):
    """What is nearest in meaning, and all else that was read to find it; nearest first."""

    keys: Keys
    cosines: Floats
    order: NDArray[np.intp]
    """That of the keys."""


_NOTHING = _Near(np.zeros(0, np.uint64), np.zeros(0, np.float32), np.zeros(0, np.intp))


class Asked:
    """The vectors, asked for what is near to one question."""

    def __init__(self, model: Model, question: Question) -> None:
        self._model = model
        self._weight = np.float32(question.clause_weight)
        self._meant: list[Future[Vector | None]] = [
            model.start(model.vector, text) for text in (question.text, *question.clauses)
        ]
        """What the whole question means, and each of its clauses."""
        self._near: Future[_Near] | None = None

    def begin(self, most: int, among: Keys | None) -> None:
        # It waits for the vector, which was begun before it: so it never waits in vain.
        self._near = self._model.start(self._nearest, most, among)

    def nearest(self) -> tuple[Keys, Floats]:
        found = self._found()
        return found.keys, found.cosines

    def estimate(self, keys: Keys) -> Callable[[], Floats]:
        begun = [self._model.start(self._estimate, meant, keys) for meant in self._meant]
        return lambda: np.stack([one.result() for one in begun])

    def cosines(self, keys: Keys, estimates: Floats, exactly: int) -> Floats:
        found = self._model.attempt(lambda store: self._cosines(store, keys, estimates, exactly))
        return np.full(len(keys), np.nan, np.float32) if found is None else found

    def _nearest(self, most: int, among: Keys | None) -> _Near:
        vector, found = self._meant[0].result(), None
        if vector is not None:
            found = self._model.attempt(
                lambda store: store.nearest(vector, most, among, beyond=True)
            )
        if found is None:
            return _NOTHING
        keys, cosines = found
        return _Near(keys, cosines, np.argsort(keys))

    def _found(self) -> _Near:
        return _NOTHING if self._near is None else self._near.result()

    def _estimate(self, meant: Future[Vector | None], keys: Keys) -> Floats:
        vector, found = meant.result(), None
        if vector is not None:
            found = self._model.attempt(lambda store: store.estimate(vector, keys))
        return np.full(len(keys), np.nan, np.float32) if found is None else found

    def _cosines(
        self, store: Vectors, keys: Keys, estimates: Floats, exactly: int
    ) -> Floats | None:
        """How near pieces are to the question, or a little less to one of its clauses."""
        vector = self._meant[0].result()
        if vector is None:
            return None
        cosines = self._to_question(store, vector, keys, estimates[0], exactly)
        for meant, about in zip(self._meant[1:], estimates[1:], strict=True):
            clause = meant.result()
            if clause is not None:
                nearness = self._weight * about
                better = np.flatnonzero(nearness > cosines)
                best = better[np.argsort(-nearness[better], kind="stable")[:exactly]]
                nearness[best] = self._weight * store.cosines(clause, keys[best])
                cosines = np.fmax(cosines, nearness)
        return cosines

    def _to_question(
        self, store: Vectors, vector: Vector, keys: Keys, about: Floats, exactly: int
    ) -> Floats:
        cosines = about.copy()
        found = self._found()
        read, nearness = found.keys[found.order], found.cosines[found.order]
        where = np.minimum(np.searchsorted(read, keys), max(len(read) - 1, 0))
        known = read[where] == keys if len(read) else np.zeros(len(keys), np.bool_)
        cosines[known] = nearness[where[known]]
        unsure = np.flatnonzero(~known & ~np.isnan(cosines))
        best = unsure[np.argsort(-cosines[unsure], kind="stable")[:exactly]]
        cosines[best] = store.cosines(vector, keys[best])
        return cosines
