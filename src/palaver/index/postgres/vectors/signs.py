"""What a node remembers of the vectors of a user: the sign of each dimension, to estimate from.

A vector never changes under its key, so what is remembered stays right. What another node deletes
is asked for no more, and is forgotten with everything else after a while.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Floats, Keys, Vector
from palaver.index.vectors.codes import Estimator, words

_LASTING = 1800.0
"""After so many seconds everything is read again."""
_REVERSED = np.packbits(np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)[:, ::-1])
"""Each byte with its bits in the other order: the server begins with the highest."""

Octets = NDArray[np.uint8]


class _Known(NamedTuple):
    keys: Keys
    """In order."""
    codes: Octets
    """A row for each."""

    def places(self, keys: Keys) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Where keys are, and which of them are there."""
        if not len(self.keys):
            return np.zeros(len(keys), np.intp), np.zeros(len(keys), np.bool_)
        where = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return where, self.keys[where] == keys


class Signs:
    """Those of one user and one model. Safe to use from any thread."""

    def __init__(
        self,
        dimensions: int,
        every: Callable[[], Iterable[bytes]],
        some: Callable[[Keys], Iterable[bytes]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`every` and `some` ask the server: eight bytes of a key, then the signs, and so on."""
        self._dimensions = dimensions
        self._every = every
        self._some = some
        self._clock = clock
        self._lock = Lock()
        self._known: _Known | None = None
        self._since = 0.0

    def estimate(self, query: Vector, keys: Keys) -> Floats:
        """About the cosine of each key; not a number where there is no vector."""
        known, where, there = self._found(keys)
        estimates = np.full(len(keys), np.nan, np.float32)
        codes = known.codes[where[there]].view("<u8").T
        estimates[there] = Estimator(query)(codes)
        return estimates

    def drop(self, keys: Keys) -> None:
        with self._lock:
            if self._known is not None:
                kept = ~np.isin(self._known.keys, keys)
                self._known = _Known(self._known.keys[kept], self._known.codes[kept])

    def _found(self, keys: Keys) -> tuple[_Known, NDArray[np.intp], NDArray[np.bool_]]:
        with self._lock:
            now = self._clock()
            if self._known is None or now - self._since > _LASTING:
                self._known, self._since = self._read(self._every()), now
            where, there = self._known.places(keys)
            if not there.all():  # they came since, or have no vector
                self._known = _joined(self._known, self._read(self._some(keys[~there])))
                where, there = self._known.places(keys)
            return self._known, where, there

    def _read(self, found: Iterable[bytes]) -> _Known:
        size = -(-self._dimensions // 8)
        row = np.dtype([("key", ">u8"), ("code", np.uint8, (size,))])
        rows = np.frombuffer(b"".join(found), row)
        rows = rows[np.argsort(rows["key"])]
        codes = np.zeros((len(rows), words(self._dimensions) * 8), np.uint8)
        codes[:, :size] = _REVERSED[rows["code"]]
        return _Known(rows["key"].astype(np.uint64), codes)


def _joined(one: _Known, other: _Known) -> _Known:
    if not len(other.keys):
        return one
    keys, first = np.unique(np.concatenate([one.keys, other.keys]), return_index=True)
    return _Known(keys, np.concatenate([one.codes, other.codes])[first])
