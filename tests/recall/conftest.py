from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from palaver.app import Palaver
from tests.library import Clock, library


@pytest.fixture
async def palaver(tmp_path: Path, clock: Clock) -> AsyncIterator[Palaver]:
    async with library(tmp_path, clock) as opened:
        yield opened
