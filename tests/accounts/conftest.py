"""Accounts to test with: the same suite runs against every engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from palaver.accounts import Accounts
from palaver.accounts.postgres import PostgresRows
from palaver.postgres import Pool
from tests.accounts.clock import Clock

Open = Callable[[], Accounts]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "accounts.db"


@pytest.fixture(params=["file", "database"])
def opened(request: pytest.FixtureRequest, clock: Clock) -> Open:
    """Opens the same accounts, as often as it is called."""
    if request.param == "file":
        path: Path = request.getfixturevalue("path")
        return lambda: Accounts.in_file(path, clock)
    url: str = request.getfixturevalue("database_url")
    return lambda: Accounts(PostgresRows(Pool(url)), clock)


@pytest.fixture
def accounts(opened: Open) -> Iterator[Accounts]:
    accounts = opened()
    yield accounts
    accounts.close()


@pytest.fixture
def other(opened: Open) -> Iterator[Accounts]:
    """The same accounts, as another process or another node has them."""
    accounts = opened()
    yield accounts
    accounts.close()


@pytest.fixture
def in_file(path: Path, clock: Clock) -> Iterator[Accounts]:
    accounts = Accounts.in_file(path, clock)
    yield accounts
    accounts.close()
