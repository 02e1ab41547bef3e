"""A library to test in, in files and in a database."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from palaver.app import Palaver
from palaver.settings import Settings
from tests.library import Clock


@pytest.fixture
async def palaver(kept: Settings, clock: Clock) -> AsyncIterator[Palaver]:
    """Nobody digests in it but who a test has do it."""
    opening = Palaver.open(settings=kept, clock=clock, index_vectors=False, digests=False)
    async with opening as opened:
        yield opened
