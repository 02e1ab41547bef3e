from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.channels.world import World, world
from tests.library import Clock


@pytest.fixture(params=["files", "database"])
def database(request: pytest.FixtureRequest) -> str | None:
    """Where it is kept: in files of the home when it is None."""
    return request.getfixturevalue("database_url") if request.param == "database" else None


@pytest.fixture
async def here(tmp_path: Path, clock: Clock, database: str | None) -> AsyncIterator[World]:
    async with world(tmp_path, clock, database_url=database) as opened:
        yield opened


@pytest.fixture
def clock() -> Clock:
    return Clock()
