"""Meaning as vectors: the embedding model, its files, and how they get here.

Here belongs everything that knows of all-MiniLM-L6-v2, ONNX Runtime or the tokenizer. It knows
nothing of conversations or of the index. ONNX Runtime and numpy are loaded with the model only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from palaver.embedding.port import Embedder
from palaver.errors import ModelMissing

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Embedder", "load_embedder"]


def load_embedder(models: Path) -> Embedder:
    """The model, from the folder for models of a home or else from the installed package.

    Takes about half a second and blocks. Raises ModelMissing or ModelDamaged.
    """
    try:
        from palaver.embedding.minilm import MiniLM
        from palaver.embedding.weights import read_model

        return MiniLM(read_model(models))
    except ImportError as error:
        raise ModelMissing(
            f"ONNX Runtime or the tokenizer cannot be loaded ({error.name or error}).",
            remedy="Install Palaver again; until then search goes by words alone.",
        ) from error
