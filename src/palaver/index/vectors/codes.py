"""Codes: what memory holds of a vector, the sign of each dimension as one bit.

Codes stand in columns, `codes[word, vector]`, so that one instruction works on many vectors.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint64]
_WORD = 8


def words(dimensions: int) -> int:
    """How many words of 64 bits a code has."""
    return -(-dimensions // 64)


def encode(vectors: NDArray[np.float32]) -> Codes:
    """The codes of vectors."""
    bits = np.packbits(vectors > 0, axis=1, bitorder="little")
    padded = np.zeros((len(vectors), words(vectors.shape[1]) * _WORD), np.uint8)
    padded[:, : bits.shape[1]] = bits
    return np.ascontiguousarray(padded.view("<u8").T)


def distances(code: Codes, codes: Codes) -> NDArray[np.uint16]:
    """In how many dimensions each of `codes` has another sign than `code`."""
    return np.add.reduce(np.bitwise_count(codes ^ code), axis=0, dtype=np.uint16)


class Estimator:
    """Tells from codes about how near vectors are to a query, of which every digit is known."""

    def __init__(self, query: NDArray[np.float32]) -> None:
        count = words(len(query)) * _WORD
        padded = np.zeros(count * 8, np.float32)
        padded[: len(query)] = query * (_NEARNESS / np.sqrt(len(query)))
        bytes_ = np.arange(256, dtype=np.uint8)[:, None]
        signs = np.unpackbits(bytes_, axis=1, bitorder="little").astype(np.float32) * 2 - 1
        self._tables = padded.reshape(count, 8) @ signs.T
        """For each byte of a code: what each of its 256 values adds to the cosine."""

    def __call__(self, codes: Codes) -> NDArray[np.float32]:
        octets = np.ascontiguousarray(codes, "<u8").view(np.uint8).reshape(*codes.shape, _WORD)
        total = np.zeros(codes.shape[1], np.float32)
        for number, table in enumerate(self._tables):
            total += table.take(octets[number // _WORD, :, number % _WORD])
        return total


_NEARNESS = 1.26
"""1 / the usual cosine between a vector and its own signs."""
