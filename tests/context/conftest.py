from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from palaver.app import Palaver
from palaver.settings import Settings
from tests.library import Clock


@pytest.fixture
async def palaver(kept: Settings, clock: Clock) -> AsyncIterator[Palaver]:
    async with Palaver.open(settings=kept, clock=clock, index_vectors=False) as opened:
        yield opened
