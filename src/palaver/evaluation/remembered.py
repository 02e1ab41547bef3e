"""A model that every home of an evaluation shares: loaded once, and no text is read twice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from palaver.embedding import Embedder
from palaver.errors import BadValue
from palaver.index.pieces import KEY_BYTES, piece_key


class Remembered:
    """An embedding model that remembers the vectors it gave."""

    def __init__(self, model: Embedder) -> None:
        self._model = model
        self._known: dict[bytes, NDArray[np.float32]] = {}

    @property
    def identity(self) -> str:
        return self._model.identity

    @property
    def dimensions(self) -> int:
        return self._model.dimensions

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row per text, as the model itself gives it."""
        keys = [piece_key(text) for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if new:
            self._known.update(zip(new, self._model.embed(list(new.values())), strict=True))
        given = np.empty((len(texts), self.dimensions), np.float32)
        for row, key in enumerate(keys):
            given[row] = self._known[key]
        return given

    def reads(self, text: str) -> bool:
        return self._model.reads(text)

    def split(self, text: str) -> list[str]:
        return self._model.split(text)

    def read(self, path: Path) -> None:
        """Remembers what was written to a file, if it is there. Raises BadValue."""
        if not path.exists():
            return
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                model, keys, vectors = str(kept["model"]), kept["keys"], kept["vectors"]
        except (OSError, EOFError, TypeError, ValueError, KeyError, BadZipFile):
            raise BadValue(f"{path} holds no vectors.", remedy="Name another file.") from None
        if model != self.identity or vectors.shape != (len(keys), self.dimensions):
            raise BadValue(f"{path} holds vectors of another model.", remedy="Name another file.")
        self._known.update(zip(map(bytes, keys), vectors, strict=True))

    def write(self, path: Path) -> None:
        """Writes everything that is remembered to a file. Raises OSError."""
        keys = np.frombuffer(b"".join(self._known), np.uint8).reshape(-1, KEY_BYTES)
        vectors = np.array(list(self._known.values()), np.float32).reshape(-1, self.dimensions)
        half = path.with_name(f"{path.name}.tmp")
        with half.open("wb") as file:
            np.savez(file, model=np.array(self.identity), keys=keys, vectors=vectors)
        half.replace(path)
