"""Ledgers to test with: the same suite runs against every adapter."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from palaver.ledger.files import FileLedger, FileStore, Home
from palaver.ledger.memory import MemoryLedger
from palaver.ledger.port import Ledger


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


@pytest.fixture(params=["memory", "files"])
async def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Ledger]:
    made: dict[str, Callable[[], MemoryLedger | FileLedger]] = {
        "memory": lambda: MemoryLedger(clock=Ticking()),
        "files": lambda: FileLedger(FileStore(_home(tmp_path)), clock=Ticking()),
    }
    ledger = made[request.param]()
    if isinstance(ledger, FileLedger):
        await ledger.open()
    yield ledger
    await ledger.close()


def _home(path: Path) -> Home:
    home = Home(path / "home")
    home.create()
    return home
