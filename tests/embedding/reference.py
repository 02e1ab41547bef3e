"""all-MiniLM-L6-v2 in plain numpy, after the description of BERT: slow, and easy to check."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_erf = np.vectorize(math.erf)


def vector(weights: Mapping[str, NDArray[np.float32]], tokens: list[int]) -> Floats:
    """The vector of one text, computed in double precision."""
    w = {name: tensor.astype(np.float64) for name, tensor in weights.items()}
    state = (
        w["embeddings.word_embeddings.weight"][tokens]
        + w["embeddings.position_embeddings.weight"][: len(tokens)]
        + w["embeddings.token_type_embeddings.weight"][0]
    )
    state = _normalised(w, "embeddings.LayerNorm", state)
    for layer in range(6):
        name = f"encoder.layer.{layer}"
        attended = _linear(w, f"{name}.attention.output.dense", _attention(w, name, state))
        state = _normalised(w, f"{name}.attention.output.LayerNorm", state + attended)
        inner = _linear(w, f"{name}.intermediate.dense", state)
        inner = inner * (1 + _erf(inner / math.sqrt(2))) / 2
        change = _linear(w, f"{name}.output.dense", inner)
        state = _normalised(w, f"{name}.output.LayerNorm", state + change)
    mean = state.mean(axis=0)
    return mean / np.linalg.norm(mean)


def _attention(w: Mapping[str, Floats], name: str, state: Floats) -> Floats:
    query, key, value = (
        _linear(w, f"{name}.attention.self.{part}", state).reshape(len(state), 12, 32)
        for part in ("query", "key", "value")
    )
    scores = np.einsum("qhd,khd->hqk", query, key) / math.sqrt(32)
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    return np.einsum("hqk,khd->qhd", shares, value).reshape(state.shape)


def _linear(w: Mapping[str, Floats], name: str, state: Floats) -> Floats:
    return state @ w[f"{name}.weight"].T + w[f"{name}.bias"]


def _normalised(w: Mapping[str, Floats], name: str, state: Floats) -> Floats:
    centred = state - state.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + 1e-12) * w[f"{name}.weight"] + w[f"{name}.bias"]
