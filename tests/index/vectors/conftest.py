"""Vectors to test with, wherever they are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from palaver.index.postgres.vectors import PostgresVectors, graph
from palaver.index.vectors import VectorStore
from palaver.index.vectors.port import Vectors
from palaver.ledger.postgres import PostgresSource
from palaver.postgres import Pool
from tests.index.vectors.graphed import Graphed
from tests.index.vectors.spaces import opened

Opening = Callable[[str, int], Vectors]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "vectors.db"


@pytest.fixture(name="store")
def file_store(path: Path) -> Iterator[VectorStore]:
    store = opened(path)
    yield store
    store.close()


@pytest.fixture
def pool(database_url: str) -> Iterator[Pool]:
    pool = Pool(database_url)
    yield pool
    pool.close()


@pytest.fixture
def owner(pool: Pool) -> int:
    """Not the first user: so nobody takes the number of a user for that of a model."""
    PostgresSource(pool, "somebody")
    return PostgresSource(pool, "local").owner


@pytest.fixture
def graphs_are_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for those who have few vectors."""
    monkeypatch.setattr(graph, "MANY", 200)


@pytest.fixture(params=["file", "postgres", "postgres with a graph"])
def opening(request: pytest.FixtureRequest, path: Path) -> Iterator[Opening]:
    """Opens the vectors of a model."""

    def make(model: str, dimensions: int) -> Vectors:
        if request.param == "file":
            return VectorStore(path, model, dimensions)
        kind = Graphed if request.param == "postgres with a graph" else PostgresVectors
        pool, owner = map(request.getfixturevalue, ("pool", "owner"))
        return kind(pool, owner, model, dimensions)

    def open_one(model: str, dimensions: int) -> Vectors:
        made = make(model, dimensions)
        made.open()
        stack.callback(made.close)
        return made

    if request.param == "postgres with a graph":
        request.getfixturevalue("graphs_are_worth_it")
    with ExitStack() as stack:
        yield open_one
