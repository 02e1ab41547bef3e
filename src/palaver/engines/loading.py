"""Loading the model that tells what texts mean: when it is first needed, and not before."""

from __future__ import annotations

from pathlib import Path

from palaver.embedding import Embedder, load_embedder
from palaver.embedding.facts import IDENTITY


class ModelLoader:
    """Gives the model of a folder, or one that was made already."""

    def __init__(self, models: Path, embedder: Embedder | None = None) -> None:
        self._models = models
        self._embedder = embedder

    def __call__(self) -> Embedder:
        """Raises ModelMissing, ModelDamaged."""
        return self._embedder or load_embedder(self._models)

    @property
    def identity(self) -> str:
        """Which model it gives, without loading it."""
        return self._embedder.identity if self._embedder else IDENTITY

    @property
    def key(self) -> tuple[Path, int]:
        """The same for two that give the same model, as long as both are there."""
        return self._models, id(self._embedder)
