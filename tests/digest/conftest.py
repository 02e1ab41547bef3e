"""A library to test in, in files and in a database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from palaver.app import Palaver
from palaver.settings import Settings
from tests.library import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["files", "database"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings of a library in files, and of one in a database."""
    url = request.getfixturevalue("database_url") if request.param == "database" else None
    return Settings.load(tmp_path, user__timezone="UTC", database__url=url)


@pytest.fixture
async def palaver(kept: Settings, clock: Clock) -> AsyncIterator[Palaver]:
    """Nobody digests in it but who a test has do it."""
    opening = Palaver.open(settings=kept, clock=clock, index_vectors=False, digests=False)
    async with opening as opened:
        yield opened
