"""Several processes and threads use the same vectors at once."""

from __future__ import annotations

import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from palaver.index.vectors import VectorStore
from tests.index.vectors.other import begin, elsewhere
from tests.index.vectors.spaces import MODEL, fill, keys, missing, opened, shorts, traces, vectors


def test_what_another_process_puts_and_deletes_is_noticed(store: VectorStore, path: Path) -> None:
    fill(store, 0, 300)
    assert len(store.nearest(vectors(5, 6)[0], 500)[0]) == 300
    assert elsewhere(path, "put", 300, 340) == 0
    assert store.nearest(vectors(333, 334)[0], 1)[0].tolist() == shorts(333, 334).tolist()
    assert missing(store, keys(298, 341)) == keys(340, 341)
    assert elsewhere(path, "delete", 0, 100) == 0
    assert len(store.nearest(vectors(5, 6)[0], 500)[0]) == 240
    assert not store.holds(shorts(0, 100)).any()
    assert np.isnan(store.cosines(vectors(5, 6)[0], shorts(0, 100))).all()
    assert traces(path.parent, range(100)) == set()


def test_two_processes_put_the_same_and_other_texts(path: Path) -> None:
    others = [begin(path, "put", first, first + 200) for first in (0, 100)]
    assert [other.wait() for other in others] == [0, 0]
    store = opened(path)
    assert store.models() == {MODEL: 300}
    assert sorted(store.keys()) == sorted(keys(0, 300))
    found = [store.cosines(vectors(n, n + 1)[0], shorts(n, n + 1))[0] for n in range(300)]
    np.testing.assert_allclose(found, 1, atol=1e-3)
    store.close()


@pytest.mark.parametrize("statement", ["add_content", "set_block"])
def test_of_a_put_that_was_cut_short_nothing_is_there(
    store: VectorStore, path: Path, statement: str
) -> None:
    fill(store, 0, 250)
    assert elsewhere(path, statement, 250, 300) == -signal.SIGKILL
    assert missing(store, keys(0, 300)) == keys(250, 300)
    assert len(store.nearest(vectors(260, 261)[0], 300)[0]) == 250
    fill(store, 250, 300)
    assert store.nearest(vectors(260, 261)[0], 1)[0].tolist() == shorts(260, 261).tolist()


def test_searches_while_others_write(store: VectorStore) -> None:
    """What is always there is always found, and what is found is never half written."""
    fill(store, 0, 1000)
    over = Event()

    def write() -> None:
        for start in range(1000, 2000, 50):
            fill(store, start, start + 50)
            store.delete(keys(start - 25, start + 25) if start > 1000 else [])
        over.set()

    def search() -> int:
        asked = 0
        while not over.is_set() or not asked:
            number = asked * 7 % 900
            query = vectors(number, number + 1)[0]
            found, cosines = store.nearest(query, 3)
            assert found[0] == shorts(number, number + 1)[0]
            assert cosines[0] == pytest.approx(1, abs=1e-3)
            assert not np.isnan(store.estimate(query, shorts(0, 900))).any()
            moving = store.cosines(query, shorts(900, 1500))
            assert not np.isnan(moving[:50]).any()
            asked += 1
        return asked

    work: list[Callable[[], object]] = [write, search, search, search]
    with ThreadPoolExecutor(len(work)) as threads:
        for done in [threads.submit(one) for one in work]:
            done.result()
