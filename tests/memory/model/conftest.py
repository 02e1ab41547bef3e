from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.models.server import ModelServer


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model's provider on this machine."""
    with ModelServer() as running:
        yield running
