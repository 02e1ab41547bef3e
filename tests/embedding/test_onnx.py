"""The ONNX writer and the quantisation, in small."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from palaver.embedding.encoder import encoder, quantise
from palaver.embedding.onnx import Graph
from palaver.embedding.weights import ModelFiles, tensors


def test_a_graph_runs() -> None:
    graph = Graph()
    tripled = graph.node("Mul", "source", graph.constant(np.array([3], np.float32)))
    graph.node("ReduceSum", tripled, graph.constant(np.array([-1])), outputs=["sum"], keepdims=0)
    model = graph.model(("source", ["rows", 2]), ("sum", ["rows"]))
    runtime: Any = import_module("onnxruntime")
    session = runtime.InferenceSession(model, providers=["CPUExecutionProvider"])
    (result,) = session.run(["sum"], {"source": np.array([[1, 2], [3, 4], [-1, 1]], np.float32)})
    assert result.tolist() == [9, 21, 0]


def test_the_graph_is_always_the_same(files: ModelFiles) -> None:
    weights = tensors(files.weights)
    assert encoder(weights) == encoder(weights)


def test_quantised_columns_come_back() -> None:
    matrix = np.random.default_rng(1).normal(size=(200, 30)).astype(np.float32)
    matrix[:, 3] = 0
    matrix[:, 4] *= 1000
    whole, scales = quantise(matrix)
    assert whole.dtype == np.int8
    assert np.abs(whole).max() == 63  # so that the sums fit, see _WEIGHT_LIMIT
    assert (np.abs(whole * scales - matrix) <= scales * 0.501).all()
