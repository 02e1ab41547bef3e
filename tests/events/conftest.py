from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.events.worlds import WORLDS, World


@pytest.fixture(params=WORLDS)
async def world(request: pytest.FixtureRequest) -> AsyncIterator[World]:
    url = request.getfixturevalue("database_url") if "node" in request.param else ""
    async with WORLDS[request.param](url) as world:
        yield world
