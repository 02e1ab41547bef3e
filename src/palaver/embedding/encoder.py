"""The graph of all-MiniLM-L6-v2: BERT with six layers, then the mean over the tokens.

It starts from the sum of the word and position embeddings, which are looked up outside, and reads
texts of equal length, so that no mask is needed. In the exact form every product is a float one. In
the int8 form, which measures as good and twice as fast, the weights are quantised per column and
what they are multiplied with per token; so the vector of a text never depends on which other texts
share its batch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from palaver.embedding.facts import DIMENSIONS
from palaver.embedding.onnx import CONTRIB, Graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Weights = Mapping[str, NDArray[np.float32]]

SOURCE = "embedded"
RESULT = "vectors"
_LAYERS = 6
_HEADS = 12
_EPSILON = 1e-12
_GELU_MINIMUM = -0.17
# Seven bits: two products of a byte and such a weight fit into 16 bits, in which some processors
# add them up; with eight bits those would cut the sums off.
_WEIGHT_LIMIT = 63


def embeddings(weights: Weights) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What to add up for each token: the row of its word, and the row of its position."""
    tables = "embeddings.{}_embeddings.weight".format
    kind = weights[tables("token_type")][0]
    return weights[tables("word")].copy(), weights[tables("position")] + kind


def encoder(weights: Weights, *, exact: bool = False) -> bytes:
    """The ONNX model from the embedded tokens (texts, tokens, 384) to vectors (texts, 384)."""
    build = _Encoder(Graph(), weights, exact)
    state = build.normalised(SOURCE, "embeddings.LayerNorm")
    for layer in range(_LAYERS):
        state = build.layer(state, f"encoder.layer.{layer}.")
    mean = build.graph.node("ReduceMean", state, axes=[1], keepdims=0)
    build.graph.node("LpNormalization", mean, outputs=[RESULT], axis=-1, p=2)
    return build.graph.model(
        (SOURCE, ["texts", "tokens", DIMENSIONS]), (RESULT, ["texts", DIMENSIONS])
    )


@dataclass(frozen=True, slots=True)
class _Encoder:
    graph: Graph
    weights: Weights
    exact: bool

    def layer(self, state: str, name: str) -> str:
        attended = self.linear(self._attention(state, name), f"{name}attention.output.dense")
        state = self._added(state, attended, f"{name}attention.output.LayerNorm")
        inner = self.linear(state, f"{name}intermediate.dense")
        inner = self.graph.node("Gelu", inner, domain=CONTRIB)
        output = self.linear(inner, f"{name}output.dense", minimum=_GELU_MINIMUM)
        return self._added(state, output, f"{name}output.LayerNorm")

    def normalised(self, state: str, name: str) -> str:
        scale, bias = (self.graph.constant(self.weights[f"{name}.{k}"]) for k in ("weight", "bias"))
        return self.graph.node("LayerNormalization", state, scale, bias, axis=-1, epsilon=_EPSILON)

    def linear(self, state: str, *names: str, minimum: float | None = None) -> str:
        """The product with one or several matrices side by side, and their biases added.

        `minimum` says that no value of `state` is below it.
        """
        matrix = np.concatenate([self.weights[f"{name}.weight"] for name in names]).T.copy()
        bias = np.concatenate([self.weights[f"{name}.bias"] for name in names])
        if self.exact:
            product = self.graph.node("MatMul", state, self.graph.constant(matrix))
        else:
            product, bias = self._quantised(state, matrix, bias, minimum)
        return self.graph.node("Add", product, self.graph.constant(bias))

    def _attention(self, state: str, name: str) -> str:
        parts = [f"{name}attention.self.{part}" for part in ("query", "key", "value")]
        sizes = self.graph.constant(np.full(len(parts), DIMENSIONS))
        self.graph.node("Split", self.linear(state, *parts), sizes, outputs=parts, axis=-1)
        return self.graph.node("MultiHeadAttention", *parts, domain=CONTRIB, num_heads=_HEADS)

    def _added(self, state: str, change: str, name: str) -> str:
        return self.normalised(self.graph.node("Add", state, change), name)

    def _quantised(
        self,
        state: str,
        matrix: NDArray[np.float32],
        bias: NDArray[np.float32],
        minimum: float | None,
    ) -> tuple[str, NDArray[np.float32]]:
        """A product of bytes, scaled back to floats; and the bias that goes with it."""
        whole, scales = quantise(matrix)
        zero, steps = 128, 127
        if minimum is not None:  # nothing below it: use the whole byte for what is above
            zero, steps = 0, 255
            state = self.graph.node("Sub", state, self._scalar(np.float32(minimum)))
            bias = bias + np.float32(minimum) * (whole * scales).sum(axis=0)
        largest = self.graph.node("ReduceMax", self.graph.node("Abs", state), axes=[-1], keepdims=1)
        step = self.graph.node("Div", largest, self._scalar(np.float32(steps)))
        rounded = self.graph.node("Round", self.graph.node("Div", state, step))
        shifted = self.graph.node("Add", rounded, self._scalar(np.float32(zero)))
        product = self.graph.node(
            "MatMulIntegerToFloat",
            self.graph.node("Cast", shifted, to=2),
            self.graph.constant(whole),
            self._scalar(np.float32(1)),
            self.graph.constant(scales),
            self._scalar(np.uint8(zero)),
            domain=CONTRIB,
        )
        return self.graph.node("Mul", product, step), bias

    def _scalar(self, value: np.generic[Any]) -> str:
        return self.graph.constant(np.asarray(value))


def quantise(matrix: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Whole numbers, and for each column the number to multiply them with to get it back."""
    largest = np.abs(matrix).max(axis=0)
    scales = np.where(largest > 0, largest, 1) / np.float32(_WEIGHT_LIMIT)
    return np.rint(matrix / scales).astype(np.int8), scales.astype(np.float32)
