"""The file of a home in which vectors are kept."""

from __future__ import annotations

from pathlib import Path

from palaver.index.vectors import VectorStore


class VectorsFile:
    """Where the vectors of a home are kept."""

    remedy = "Delete vectors.db."

    def __init__(self, path: Path) -> None:
        self._path = path

    def exists(self) -> bool:
        return self._path.exists()

    def vectors(self, model: str, dimensions: int) -> VectorStore:
        return VectorStore(self._path, model, dimensions)
