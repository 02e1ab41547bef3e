"""The file of the vectors: how its room is used, who may read it, what a search reads of it."""

from __future__ import annotations

import stat
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from palaver.index.vectors import VectorStore, file
from palaver.index.vectors.search import smallest
from tests.index.vectors.spaces import fill, keys, query


def test_so_many_are_read_on_the_way(store: VectorStore) -> None:
    fill(store, 0, 3000)
    found, _ = store.nearest(query(7), 10, beyond=True)
    assert len(set(found.tolist())) == len(found) == 180


@pytest.mark.parametrize("count", [1, 100, 1000, 5000])
@pytest.mark.parametrize("where", [slice(None, None, 16), slice(1, None, 16), slice(0, 2000)])
def test_the_smallest_are_found_wherever_they_are(where: slice, count: int) -> None:
    values = np.random.default_rng(1).integers(100, 300, 20_000).astype(np.uint16)
    values[where] -= 100
    found = smallest(values, len(values), count)
    limit = np.sort(values)[count - 1]
    assert found.tolist() == np.flatnonzero(values <= limit).tolist()


def pages(path: Path) -> int:
    with closing(file.connect(path)) as connection:
        ((count,),) = connection.all("PRAGMA page_count")
    return count


def test_the_room_of_deleted_vectors_is_used_again(store: VectorStore, path: Path) -> None:
    fill(store, 0, 600)
    size = pages(path)
    assert store.delete(keys(100, 300)) == 200
    fill(store, 1000, 1200)
    assert pages(path) == size


def test_nobody_else_may_read_it(store: VectorStore, path: Path) -> None:
    fill(store, 0, 3)
    files = list(path.parent.iterdir())
    assert {file.name for file in files} == {"vectors.db", "vectors.db-wal", "vectors.db-shm"}
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
