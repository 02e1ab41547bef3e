"""What a vector looks like in the file: two bytes for each dimension.

With one byte and a scale, one in a hundred of the ten nearest was another than with every digit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from palaver.index.faults import Unusable

_DIGITS = np.dtype("<f2")
_TOLERANCE = 0.01


def cell_size(dimensions: int) -> int:
    """How many bytes a vector takes."""
    return dimensions * _DIGITS.itemsize


def pack(vectors: NDArray[np.float32]) -> list[bytes]:
    """The bytes to store for each vector. Raises ValueError unless each has unit length."""
    if not have_unit_length(vectors):
        raise ValueError("A vector has to have unit length.")
    return [cell.tobytes() for cell in vectors.astype(_DIGITS)]


def cosines(query: NDArray[np.float32], cells: Sequence[bytes]) -> NDArray[np.float32]:
    """How near the stored vectors are to the query. Raises Unusable when a vector is damaged."""
    stored = unpack(cells, len(query))
    return np.einsum("ij,j->i", stored, query)  # unlike @ it wakes no threads for so little


def unpack(cells: Sequence[bytes], dimensions: int) -> NDArray[np.float32]:
    """The stored vectors. Raises Unusable when one is damaged."""
    if not {cell_size(dimensions)}.issuperset(map(len, cells)):
        raise Unusable("A stored vector is damaged.")
    stored = np.frombuffer(b"".join(cells), _DIGITS).reshape(-1, dimensions).astype(np.float32)
    if not have_unit_length(stored):
        raise Unusable("A stored vector is damaged.")
    return stored


def have_unit_length(vectors: NDArray[np.float32]) -> bool:
    """Whether each has."""
    squares = np.einsum("ij,ij->i", vectors, vectors)
    return bool(np.all(np.abs(squares - 1) < _TOLERANCE))  # also when it is not a number
