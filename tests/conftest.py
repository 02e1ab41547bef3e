"""What holds for the whole suite."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from palaver.settings import Settings
from tests import scratch
from tests.library import Clock
from tests.postgres.databases import Databases, databases

# A slow machine is not a failing test: pytest's own timeout is the limit.
settings.register_profile("palaver", deadline=None, print_blob=True)
settings.load_profile("palaver")

scratch.settle()

# A developer's own settings must not decide what a test sees.
for name in [name for name in os.environ if name.startswith("PALAVER_")]:
    if not name.startswith("PALAVER_TEST_"):
        del os.environ[name]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Databases]:
    """A PostgreSQL server, started when a test first asks for it."""
    with databases() as made:
        yield made


@pytest.fixture
def database_url(postgres: Databases) -> Iterator[str]:
    """A database of its own with the primary tables."""
    url = postgres.create()
    yield url
    postgres.drop(url)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["files", "database"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings of a library in files, and of one in a database."""
    url = request.getfixturevalue("database_url") if request.param == "database" else None
    return Settings.load(tmp_path, user__timezone="UTC", database__url=url)
