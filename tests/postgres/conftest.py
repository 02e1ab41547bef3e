"""Connections to a database of one's own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from palaver.postgres import Pool


@pytest.fixture
def pool(database_url: str) -> Iterator[Pool]:
    pool = Pool(database_url, size=4, wait_seconds=0.2, lock_seconds=0.2, statement_seconds=0.5)
    yield pool
    pool.close()
