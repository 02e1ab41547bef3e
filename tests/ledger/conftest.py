"""Ledgers to test with: the same suite runs against every adapter."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from palaver.ledger.files import FileLedger, FileStore, Home
from palaver.ledger.memory import MemoryLedger
from palaver.ledger.port import Ledger
from tests.ledger.nodes import Node, Nodes


class Ticking:
    """A clock that goes on by a second at each look."""

    def __init__(self) -> None:
        self.now = datetime(2026, 2, 14, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.create()
    return home


@pytest.fixture
def store(home: Home) -> FileStore:
    return FileStore(home)


@pytest.fixture
async def files(store: FileStore) -> AsyncIterator[FileLedger]:
    ledger = FileLedger(store, clock=Ticking())
    await ledger.open()
    yield ledger
    await ledger.close()


@pytest.fixture(params=["memory", "files", "postgres"])
async def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Ledger]:
    made = {"memory": _memory, "files": _files, "postgres": _postgres}
    async with made[request.param](request, tmp_path) as ledger:
        yield ledger
        await ledger.close()


@pytest.fixture
def nodes(database_url: str) -> Iterator[Nodes]:
    with ExitStack() as stack:
        yield Nodes(database_url, stack)


@asynccontextmanager
async def _memory(request: pytest.FixtureRequest, path: Path) -> AsyncGenerator[Ledger]:
    yield MemoryLedger(clock=Ticking())


@asynccontextmanager
async def _files(request: pytest.FixtureRequest, path: Path) -> AsyncGenerator[Ledger]:
    home = Home(path / "home")
    home.create()
    ledger = FileLedger(FileStore(home), clock=Ticking())
    await ledger.open()
    yield ledger


@asynccontextmanager
async def _postgres(request: pytest.FixtureRequest, path: Path) -> AsyncGenerator[Ledger]:
    node = Node(request.getfixturevalue("database_url"), clock=Ticking())
    yield node.ledger()
    node.close()
