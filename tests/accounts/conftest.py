from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palaver.accounts import Accounts
from tests.accounts.clock import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "accounts.db"


@pytest.fixture
def accounts(path: Path, clock: Clock) -> Iterator[Accounts]:
    accounts = Accounts(path, clock)
    yield accounts
    accounts.close()
