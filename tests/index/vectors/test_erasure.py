"""Deleted vectors are in no file: not their key, not their code, not a part of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from palaver.index.pieces import piece_key
from palaver.index.vectors import VectorStore, changes, file
from tests.index.vectors.spaces import fill, keys, missing, opened, traces, vectors


def delete(store: VectorStore, numbers: Sequence[int]) -> int:
    return store.delete([piece_key(f"text {number}") for number in numbers])


def test_deleted_vectors_are_gone(store: VectorStore, path: Path) -> None:
    fill(store, 0, 1000)
    assert traces(path.parent, range(0, 1000, 50)) == set(range(0, 1000, 50))
    gone = range(0, 1000, 3)
    assert delete(store, gone) == len(gone)
    assert traces(path.parent, gone) == set()
    kept = set(range(100)) - set(gone)
    assert traces(path.parent, kept) == kept


def test_each_one_is_gone_however_they_came_and_went(store: VectorStore, path: Path) -> None:
    """One by one and many at once, in freed room, between vectors of another model."""
    chance = random.Random(7)
    other = opened(path, "other/2", 128)
    there: set[int] = set()
    gone: set[int] = set()
    following = 0
    for _ in range(40):
        count = chance.choice([1, 3, 40, 200])
        fill(store, following, following + count)
        other.put(keys(following, following + count), vectors(following, following + count, 128))
        there |= set(range(following, following + count))
        following += count
        leaving = chance.sample(sorted(there), chance.randint(1, len(there) // 2 + 1))
        assert delete(chance.choice([store, other]), leaving) == 2 * len(leaving)
        there -= set(leaving)
        gone |= set(leaving)
    assert set(store.keys()) == {piece_key(f"text {number}") for number in there}
    assert traces(path.parent, gone) == set()
    assert traces(path.parent, gone, 128) == set()
    assert traces(path.parent, there) == there
    other.close()


def test_whoever_has_no_model_can_delete(store: VectorStore, path: Path) -> None:
    fill(store, 0, 20)
    store.close()
    with closing(VectorStore(path, "", 0)) as nameless:
        assert nameless.delete(keys(0, 10)) == 10
    assert traces(path.parent, range(20)) == set(range(10, 20))


def test_the_log_is_emptied_as_soon_as_nobody_reads(store: VectorStore, path: Path) -> None:
    fill(store, 0, 20)
    reader = file.connect(path)
    with reader.reading():
        reader.all("SELECT * FROM info")
        store.delete(keys(0, 10))
        assert missing(store, keys(0, 10)) == keys(0, 10)
    assert traces(path.parent, range(10)) == set(range(10))
    fill(store, 100, 101)
    assert traces(path.parent, range(10)) == set()
    reader.close()


def test_what_a_dead_process_left_in_the_log_is_gone_at_the_next_start(
    store: VectorStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 0, 20)
    with monkeypatch.context() as patch:
        patch.setattr(file.VectorFile, "checkpoint", lambda self: False)  # pyright: ignore
        store.delete(keys(0, 10))
    assert traces(path.parent, range(10)) == set(range(10))
    opened(path).close()
    assert traces(path.parent, range(10)) == set()


# -- planted faults: the search for traces finds them --------------------------------------------


def test_a_log_that_is_not_emptied_is_noticed(
    store: VectorStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 0, 20)
    monkeypatch.setattr(file.VectorFile, "checkpoint", lambda self: True)  # pyright: ignore
    store.delete(keys(0, 10))
    assert traces(path.parent, range(10)) != set()


def test_vectors_whose_key_alone_is_erased_are_noticed(
    store: VectorStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 0, 20)
    statements: Any = vars(changes)["QUERIES"]
    monkeypatch.setitem(statements, "set_vector", "SELECT ?, ?")
    store.delete(keys(0, 10))
    assert traces(path.parent, range(10)) != set()


def test_rows_that_are_deleted_without_being_overwritten_are_noticed(
    store: VectorStore, path: Path
) -> None:
    fill(store, 0, 20)
    store.close()
    writer = file.connect(path)
    writer.one("PRAGMA secure_delete = 0")
    with writer.writing():
        writer.run("DELETE FROM vectors WHERE slot % 256 < 10")
    assert writer.checkpoint()
    writer.close()
    assert traces(path.parent, range(10)) == set(range(10))
