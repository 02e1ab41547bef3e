"""A store to test with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palaver.index.vectors import VectorStore
from tests.index.vectors.spaces import opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "vectors.db"


@pytest.fixture
def store(path: Path) -> Iterator[VectorStore]:
    store = opened(path)
    yield store
    store.close()
