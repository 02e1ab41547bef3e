"""Loading the model that tells what texts mean: when it is first needed, and not before."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from weakref import WeakValueDictionary

from palaver.embedding import Embedder, load_embedder
from palaver.embedding.facts import IDENTITY

_loading = Lock()
_loaded: WeakValueDictionary[Path, Embedder] = WeakValueDictionary()
"""Those of this process, as long as somebody uses them: many homes share one."""


class ModelLoader:
    """Gives the model of a folder, or one that was made already."""

    def __init__(self, models: Path, embedder: Embedder | None = None) -> None:
        self._models = models
        self._embedder = embedder

    def __call__(self) -> Embedder:
        """Raises ModelMissing, ModelDamaged."""
        return self._embedder or _shared(self._models)

    @property
    def identity(self) -> str:
        """Which model it gives, without loading it."""
        return self._embedder.identity if self._embedder else IDENTITY

    @property
    def key(self) -> tuple[Path, int]:
        """The same for two that give the same model, as long as both are there."""
        return self._models, id(self._embedder)


def _shared(models: Path) -> Embedder:
    """Raises ModelMissing, ModelDamaged."""
    with _loading:
        found = _loaded.get(models)
        if found is None:
            found = _loaded[models] = load_embedder(models)
        return found
