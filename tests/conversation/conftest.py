from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from palaver.app import Palaver
from tests.conversation.nodes import Nodes, opened
from tests.library import Clock, library


@pytest.fixture
async def palaver(tmp_path: Path, clock: Clock) -> AsyncIterator[Palaver]:
    async with library(tmp_path, clock) as opened:
        yield opened


@pytest.fixture
async def nodes(tmp_path: Path, database_url: str) -> AsyncIterator[Nodes]:
    """Each has a clock of its own: otherwise they would be one node."""
    async with AsyncExitStack() as stack:
        here, there = [
            await stack.enter_async_context(opened(tmp_path / name, database_url))
            for name in ("here", "there")
        ]
        yield Nodes(here, there, database_url)
