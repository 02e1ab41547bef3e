"""Homes and users of a database to copy between."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palaver.postgres import Pool
from tests.portability.copies import Database, Folders


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders(tmp_path)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    pool = Pool(database_url, lock_seconds=0.2)
    yield Database(pool)
    pool.close()


@pytest.fixture(params=["files", "postgres"])
def places(request: pytest.FixtureRequest) -> Folders | Database:
    return request.getfixturevalue("folders" if request.param == "files" else "database")
