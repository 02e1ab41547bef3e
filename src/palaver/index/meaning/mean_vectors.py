"""What a model makes of texts, brought into the form in which vectors are kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from palaver.embedding import Embedder
from palaver.index.evidence import Floats


def mean_vectors(embedder: Embedder, texts: Sequence[str]) -> Floats:
    """The vector of each text, of unit length. One that the model cannot read whole is read in
    parts, and its vector is their mean: nothing is cut off. Raises whatever the model raises, and
    ValueError when it gives no vectors."""
    parts = [embedder.split(text) for text in texts]
    counts = [len(some) for some in parts]
    made = embedder.embed([part for some in parts for part in some])
    vectors = np.asarray(made, np.float32)
    if vectors.shape != (sum(counts), embedder.dimensions) or not np.isfinite(vectors).all():
        raise ValueError("it gives something else than vectors")
    vectors = _unit(vectors)
    if max(counts, default=1) == 1 == min(counts, default=1):
        return vectors
    ends = np.cumsum(counts)
    return _unit(np.stack([some.sum(axis=0) for some in np.split(vectors, ends[:-1])]))


def _unit(vectors: Floats) -> Floats:
    """Vectors of unit length; one of no length gets a direction all the same."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    nowhere = np.eye(1, vectors.shape[1], dtype=np.float32)
    return np.where(lengths > 0, vectors / np.maximum(lengths, 1e-30), nowhere).astype(np.float32)
