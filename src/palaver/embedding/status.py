"""What there is of the embedding model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from palaver.embedding.facts import ARITHMETIC, DIMENSIONS, MAX_TOKENS, MODEL
from palaver.embedding.weights import read_model
from palaver.errors import ModelDamaged, ModelMissing


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """Whether the model can be used; if it can, where it lies, and otherwise why not."""

    state: Literal["ok", "missing", "damaged"]
    folder: Path | None = None
    problem: ModelMissing | ModelDamaged | None = None

    def to_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {
            "model": MODEL,
            "state": self.state,
            "folder": self.folder and str(self.folder),
            "dimensions": DIMENSIONS,
            "maxTokens": MAX_TOKENS,
            "arithmetic": ARITHMETIC,
        }
        if self.problem:
            told |= {"message": self.problem.message, "remedy": self.problem.remedy}
        return told


def model_status(models: Path) -> ModelStatus:
    """Reads the files of the model and checks them, but does not load it."""
    try:
        folder = read_model(models).folder
    except ModelMissing as error:
        return ModelStatus("missing", problem=error)
    except ModelDamaged as error:
        return ModelStatus("damaged", problem=error)
    return ModelStatus("ok", folder)
