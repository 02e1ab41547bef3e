"""The port of the vectors: kept under the hash of their text, searched by nearness.

They are derived, but costly: a rebuild of the index leaves them alone. Nothing here knows of
messages; whoever deletes a text deletes the vector under its key. A key has sixteen bytes. Searches
take and give its first eight, as a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Floats, Keys, Vector


class Vectors(Protocol):
    """The vectors of one user and one model. Safe to use from any thread."""

    def open(self) -> None:
        """Makes the place for them, if there is none."""
        ...

    def close(self) -> None: ...

    def stamp(self) -> bytes:
        """What tells the place from every other: in another one, all of them may be missing."""
        ...

    def put(self, keys: Sequence[bytes], vectors: Floats) -> None:
        """Stores a vector of unit length under each key, all or none; what is there stays.
        Raises ValueError when a vector has another length."""
        ...

    def delete(self, keys: Sequence[bytes]) -> int:
        """Deletes the vectors of every model; returns how many there were."""
        ...

    def holds(self, keys: Keys) -> NDArray[np.bool_]:
        """Which of the keys have a vector of this model."""
        ...

    def keys(self) -> list[bytes]:
        """Every key under which there is a vector, of whatever model."""
        ...

    def models(self) -> dict[str, int]:
        """How many vectors there are of each model."""
        ...

    def nearest(
        self, query: Vector, k: int, among: Keys | None = None, *, beyond: bool = False
    ) -> tuple[Keys, Floats]:
        """The k vectors nearest to a query of unit length, nearest first: keys and cosines.

        Nearly always the true ones. With `among`, of these keys only. With `beyond`, also others
        that were met on the way: most of the next ones, but not all.
        """
        ...

    def estimate(self, query: Vector, keys: Keys) -> Floats:
        """About the cosine of each key; not a number where there is no vector."""
        ...

    def cosines(self, query: Vector, keys: Keys) -> Floats:
        """The cosine of each key; not a number where there is no vector."""
        ...

    def vectors(self, keys: Keys) -> Floats:
        """The vector of each key, a row; not numbers where there is none."""
        ...
