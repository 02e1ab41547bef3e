"""Where vectors are kept: in a file of the home, or in a database."""

from __future__ import annotations

from typing import Protocol

from palaver.index.vectors.port import Vectors


class Store(Vectors, Protocol):
    """Vectors in a place that may be damaged, or replaced by another."""

    used: bytes
    """The stamp of the place that was used last."""

    def make_again(self, seen: bytes) -> None:
        """Makes an empty place, unless it is another by now than the one in which damage was seen.
        Raises Unusable, Failed, IndexTooNew."""
        ...


class Place(Protocol):
    """Where the vectors of one user are kept, of whatever model."""

    remedy: str
    """What to do when they cannot be used."""

    def exists(self) -> bool:
        """Whether there may be any."""
        ...

    def vectors(self, model: str, dimensions: int) -> Store:
        """Those of a model; without one (`""`, 0) they can be listed and deleted."""
        ...
