"""Vectors in PostgreSQL with a graph as soon as it is worth it."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.index.evidence import Floats
from palaver.index.postgres.vectors import Graphs, PostgresVectors
from palaver.postgres import Pool


class Graphed(PostgresVectors):
    """Sees to the graph whenever something is put."""

    def __init__(self, pool: Pool, owner: int, model: str, dimensions: int) -> None:
        super().__init__(pool, owner, model, dimensions)
        self._graphs = Graphs(pool, model)
        self._whose = owner

    def put(self, keys: Sequence[bytes], vectors: Floats) -> None:
        super().put(keys, vectors)
        self._graphs.tend(self._whose)
