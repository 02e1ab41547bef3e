"""Vectors to test with, and a search for what is left of them in files."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from palaver.index.pieces import piece_key, short_key
from palaver.index.vectors import VectorStore
from palaver.index.vectors.blocks import Keys
from palaver.index.vectors.cells import pack
from palaver.index.vectors.codes import encode
from palaver.index.vectors.port import Vectors as AnyVectors

MODEL = "test/1"
DIMENSIONS = 384

Vectors = NDArray[np.float32]


def keys(first: int, last: int) -> list[bytes]:
    """Keys of texts that say a number."""
    return [piece_key(f"text {number}") for number in range(first, last)]


def shorts(first: int, last: int) -> Keys:
    return np.array([short_key(key) for key in keys(first, last)], np.uint64)


def vectors(first: int, last: int, dimensions: int = DIMENSIONS) -> Vectors:
    """The vectors of these texts, always the same: every tenth text has a subject of its own."""
    return unit(np.stack([_vector(number, dimensions) for number in range(first, last)]))


def query(number: int) -> Vectors:
    """Something close to a text."""
    chance = np.random.default_rng(1)
    return unit(vectors(number, number + 1)[0] + 0.01 * chance.standard_normal(DIMENSIONS))


def unit(given: Vectors) -> Vectors:
    lengths = np.linalg.norm(given, axis=-1, keepdims=True)
    return (given / lengths).astype(np.float32)


@cache
def _vector(number: int, dimensions: int) -> Vectors:
    subject = np.random.default_rng(number // 10).standard_normal(dimensions)
    return (subject + np.random.default_rng([number]).standard_normal(dimensions)).astype("f4")


def fill(store: AnyVectors, first: int, last: int, at_once: int = 500) -> None:
    """Puts the vectors of these texts."""
    for start in range(first, last, at_once):
        end = min(start + at_once, last)
        store.put(keys(start, end), vectors(start, end))


def missing(store: AnyVectors, wanted: Iterable[bytes]) -> list[bytes]:
    """Those keys, each once, under which there is no vector."""
    there = set(store.keys())
    return [key for key in dict.fromkeys(wanted) if key not in there]


def opened(path: Path, model: str = MODEL, dimensions: int = DIMENSIONS) -> VectorStore:
    store = VectorStore(path, model, dimensions)
    store.open()
    return store


def traces(folder: Path, numbers: Iterable[int], dimensions: int = DIMENSIONS) -> set[int]:
    """The texts of whose key, code or vector a file in the folder still holds a part."""
    files = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    held = np.sort(np.concatenate([_everywhere(data) for data in files]))
    wanted = list(numbers)
    parts = np.stack([_parts(number, dimensions) for number in wanted])
    at = np.minimum(np.searchsorted(held, parts), len(held) - 1)
    return {wanted[row] for row in np.flatnonzero((held[at] == parts).any(axis=1))}


def _everywhere(data: bytes) -> NDArray[np.uint64]:
    """Every eight bytes in a row."""
    data += bytes(8)
    parts = [
        np.frombuffer(data[start : start + len(data) // 8 * 8 - 8], "<u8") for start in range(8)
    ]
    return np.concatenate(parts).astype(np.uint64)


def _parts(number: int, dimensions: int) -> NDArray[np.uint64]:
    """Parts of eight bytes each, which stand nowhere else."""
    vector = vectors(number, number + 1, dimensions)
    (cell,) = pack(vector)
    ends = (12, len(cell) // 2, len(cell))
    values = b"".join(cell[end - 8 : end] for end in ends)
    (key,) = keys(number, number + 1)
    return np.concatenate([np.frombuffer(values + key, "<u8"), encode(vector)[:, 0]])
