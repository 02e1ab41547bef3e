from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from palaver.app import Palaver
from palaver.settings import Settings
from tests.library import Clock


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
async def palaver(home: Path) -> AsyncIterator[Palaver]:
    """Full text only: whatever is not said is not found, however near it comes in meaning."""
    settings = Settings.load(home, user__timezone="Europe/Paris")
    async with Palaver.open(settings=settings, clock=Clock(), index_vectors=False) as palaver:
        yield palaver
