from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from palaver.app import Palaver
from palaver.settings import Settings
from tests.library import Clock


@pytest.fixture
async def palaver(tmp_path: Path, clock: Clock) -> AsyncIterator[Palaver]:
    settings = Settings.load(tmp_path, user__timezone="UTC")
    async with Palaver.open(settings=settings, clock=clock, index_vectors=False) as opened:
        yield opened
