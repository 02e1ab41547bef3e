"""The file may be deleted, replaced or damaged at any second: nobody takes that for no vectors."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest

from palaver.errors import IndexTooNew
from palaver.index.faults import Failed, Missing, Unusable
from palaver.index.vectors import VectorStore
from tests.index.vectors.other import elsewhere
from tests.index.vectors.spaces import MODEL, fill, keys, missing, opened, shorts, traces, vectors

PAGE = 4096
COUNT = 300


def execute(path: Path, statement: str) -> None:
    connection: Any = apsw.Connection(str(path))
    connection.execute(statement).fetchall()
    connection.close()


def ask(store: VectorStore) -> None:
    """Asks everything: the answers are right, or it raises."""
    every = set(shorts(0, COUNT).tolist())
    query = vectors(7, 8)[0]
    assert set(store.nearest(query, COUNT)[0].tolist()) == every
    assert store.nearest(query, 1)[0].tolist() == shorts(7, 8).tolist()
    np.testing.assert_allclose(
        store.cosines(query, shorts(0, COUNT)), vectors(0, COUNT) @ query, atol=1e-3
    )
    assert missing(store, keys(0, COUNT + 1)) == keys(COUNT, COUNT + 1)
    assert sorted(store.keys()) == sorted(keys(0, COUNT))
    assert store.models() == {MODEL: COUNT}


def check_made_again(store: VectorStore) -> None:
    """After that there are no vectors, and new ones are taken."""
    store.make_again(store.used)
    assert missing(store, keys(0, COUNT)) == keys(0, COUNT)
    fill(store, 0, COUNT)
    ask(store)


def zeros(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(bytes(3 * PAGE))


DAMAGE: dict[str, Callable[[Path], Any]] = {
    "zeros in the middle": zeros,
    "shortened": lambda path: os.truncate(path, path.stat().st_size // 2),
    "empty": lambda path: path.write_bytes(b""),
    "another header": lambda path: path.write_bytes(b"x" * 100 + path.read_bytes()[100:]),
    "one page": lambda path: path.write_bytes(path.read_bytes()[:PAGE]),
    "text": lambda path: path.write_text("vectors"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_it_is_damaged_while_nobody_looks(store: VectorStore, path: Path, damage: str) -> None:
    fill(store, 0, COUNT)
    store.close()
    DAMAGE[damage](path)
    store = VectorStore(path, MODEL, 384)
    with pytest.raises(Unusable):
        ask_after_opening(store)
    check_made_again(store)
    store.close()


def ask_after_opening(store: VectorStore) -> None:
    store.open()
    ask(store)


@pytest.mark.parametrize("damage", DAMAGE)
def test_it_is_damaged_while_it_is_used(store: VectorStore, path: Path, damage: str) -> None:
    fill(store, 0, COUNT)
    ask(store)
    execute(path, "PRAGMA wal_checkpoint(TRUNCATE)")
    DAMAGE[damage](path)
    with pytest.raises(Unusable):
        ask_anew(store)
    check_made_again(store)


def ask_anew(store: VectorStore) -> None:
    """Asks, with nothing of the file in a cache."""
    store.close()
    ask(store)
    fill(store, COUNT, COUNT + 300)
    store.keys()


def test_any_page_is_damaged(store: VectorStore, path: Path) -> None:
    fill(store, 0, COUNT)
    store.close()
    sound = path.read_bytes()
    refused = 0
    for start in range(0, len(sound), PAGE):
        path.write_bytes(sound[:start] + bytes(PAGE) + sound[start + PAGE :])
        store = VectorStore(path, MODEL, 384)
        try:
            ask_after_opening(store)
        except Unusable:
            refused += 1
        store.close()
    assert refused > 0.5 * len(sound) / PAGE  # the others hold room that nothing is in yet


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE contents SET codes = zeroblob(length(codes))",
        "UPDATE contents SET codes = X'00'",
        "UPDATE vectors SET vector = zeroblob(length(vector))",
        "UPDATE vectors SET vector = X'00'",
        "DELETE FROM vectors",
        "DELETE FROM info",
        "DROP TABLE blocks",
    ],
)
def test_damaged_rows_are_never_an_answer(store: VectorStore, path: Path, damage: str) -> None:
    fill(store, 0, COUNT)
    store.close()
    execute(path, damage)
    with pytest.raises(Unusable):
        store.nearest(vectors(0, 1)[0], 1)
    check_made_again(store)


def test_it_is_deleted_while_it_is_used(store: VectorStore, path: Path) -> None:
    fill(store, 0, COUNT)
    path.unlink()
    questions: list[Callable[[], object]] = [
        lambda: store.nearest(vectors(0, 1)[0], 1),
        lambda: store.cosines(vectors(0, 1)[0], shorts(0, 1)),
        lambda: missing(store, keys(0, 1)),
        lambda: store.put(keys(0, 1), vectors(0, 1)),
        lambda: store.delete(keys(0, 1)),
        lambda: VectorStore(path, "", 0).delete(keys(0, 1)),
        store.keys,
        store.models,
    ]
    for question in questions:
        with pytest.raises(Missing):
            question()
    check_made_again(store)


def test_another_process_has_made_it_again(store: VectorStore, path: Path) -> None:
    fill(store, 0, COUNT)
    path.unlink()
    assert elsewhere(path, "put", 500, 510) == 0
    store.make_again(store.used)
    assert sorted(store.keys()) == sorted(keys(500, 510))


def test_one_damage_is_made_good_once(store: VectorStore, path: Path) -> None:
    """Two who have seen it both say so."""
    fill(store, 0, COUNT)
    seen = store.used
    path.unlink()
    store.make_again(seen)
    fill(store, 0, 10)
    store.make_again(seen)
    assert sorted(store.keys()) == sorted(keys(0, 10))
    assert store.models() == {MODEL: 10}


def test_another_file_takes_its_place_and_is_used(store: VectorStore, path: Path) -> None:
    fill(store, 0, 10)
    other = opened(path.with_name("other.db"))
    fill(other, 500, 510)
    other.close()
    store.delete([])  # which empties the log: nobody must read it into another file
    path.with_name("other.db").replace(path)
    assert missing(store, keys(0, 510)) == keys(0, 500)
    assert store.nearest(vectors(505, 506)[0], 1)[0].tolist() == shorts(505, 506).tolist()


def test_an_older_copy_takes_its_place(store: VectorStore, path: Path) -> None:
    fill(store, 0, 10)
    store.close()
    shutil.copy(path, path.with_name("copy.db"))
    store.open()
    fill(store, 10, 20)
    store.delete(keys(0, 5))
    path.with_name("copy.db").replace(path)
    assert missing(store, keys(0, 20)) == keys(10, 20)
    assert store.nearest(vectors(2, 3)[0], 1)[0].tolist() == shorts(2, 3).tolist()


def test_what_was_in_a_damaged_file_is_not_kept(store: VectorStore, path: Path) -> None:
    fill(store, 0, COUNT)
    store.close()
    zeros(path)
    assert traces(path.parent, range(10)) == set(range(10))
    store.make_again(store.used)
    assert traces(path.parent, range(COUNT)) == set()
    assert [file.name for file in path.parent.iterdir() if "-" not in file.name] == [path.name]


def test_a_newer_version_is_left_alone(store: VectorStore, path: Path) -> None:
    fill(store, 0, 10)
    store.close()
    execute(path, "PRAGMA user_version = 99")
    before = path.read_bytes()
    works: list[Callable[[], object]] = [
        store.open,
        store.keys,
        lambda: store.make_again(store.used),
        lambda: store.delete(keys(0, 1)),
    ]
    for work in works:
        with pytest.raises(IndexTooNew) as caught:
            work()
        assert "vectors.db" in caught.value.remedy
    assert path.read_bytes() == before


def test_an_older_version_is_made_again(store: VectorStore, path: Path) -> None:
    store.close()
    execute(path, "PRAGMA user_version = 0")
    with pytest.raises(Unusable, match="older"):
        store.open()
    check_made_again(store)


def test_a_folder_stands_in_its_place(path: Path) -> None:
    path.mkdir()
    store = VectorStore(path, MODEL, 384)
    with pytest.raises(Failed):
        store.open()


def test_when_the_disk_is_full_what_is_there_still_answers(store: VectorStore) -> None:
    fill(store, 0, COUNT)
    writer: Any = vars(store)["_writer"]
    writer.one("PRAGMA max_page_count = 1")
    with pytest.raises(Failed, match="full"):
        fill(store, 1000, 3000)
    ask(store)
    fill(store, COUNT, COUNT + 1)
    assert store.models() == {MODEL: COUNT + 1}
