"""Worlds to test in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.index.worlds import ENGINES, FileWorld, World, files


@pytest.fixture(params=list(ENGINES))
async def world(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[World]:
    def url() -> str:
        return request.getfixturevalue("database_url")

    async with ENGINES[request.param](tmp_path, url) as world:
        yield world


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[FileWorld]:
    async with files(tmp_path) as world:
        yield world
