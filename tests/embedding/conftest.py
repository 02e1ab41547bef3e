"""The real model, read once."""

from __future__ import annotations

from pathlib import Path

import pytest

from palaver.embedding.minilm import MiniLM
from palaver.embedding.weights import ModelFiles, read_model

NOWHERE = Path("no", "such", "models")


@pytest.fixture(scope="session")
def files() -> ModelFiles:
    return read_model(NOWHERE)


@pytest.fixture(scope="session")
def model(files: ModelFiles) -> MiniLM:
    return MiniLM(files)


@pytest.fixture(scope="session")
def exact(files: ModelFiles) -> MiniLM:
    return MiniLM(files, exact=True)
