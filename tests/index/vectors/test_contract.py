"""What can be asked of vectors, and what comes back, wherever they are kept."""

from __future__ import annotations

import numpy as np
import pytest

from palaver.index.evidence import Keys
from palaver.index.vectors.port import Vectors
from tests.index.vectors.conftest import Opening
from tests.index.vectors.spaces import (
    DIMENSIONS,
    MODEL,
    fill,
    keys,
    missing,
    query,
    shorts,
    vectors,
)


@pytest.fixture
def store(opening: Opening) -> Vectors:
    return opening(MODEL, DIMENSIONS)


def check_nearest(
    store: Vectors, number: int, among: tuple[int, int], k: int, keys: Keys | None = None
) -> None:
    """What is found near a text are the nearest of the texts `among`."""
    found, cosines = store.nearest(query(number), k, keys)
    true = dict(zip(shorts(*among).tolist(), vectors(*among) @ query(number), strict=True))
    np.testing.assert_allclose(cosines, [true[key] for key in found.tolist()], atol=4e-3)
    np.testing.assert_allclose(cosines, sorted(true.values(), reverse=True)[:k], atol=4e-3)
    assert len(set(found.tolist())) == len(found)


def test_an_empty_store_has_nothing(store: Vectors) -> None:
    asked = query(1)
    found, cosines = store.nearest(asked, 10)
    assert (len(found), len(cosines)) == (0, 0)
    assert missing(store, keys(0, 3)) == keys(0, 3)
    assert np.isnan(store.estimate(asked, shorts(0, 3))).all()
    assert np.isnan(store.cosines(asked, shorts(0, 3))).all()
    assert not store.holds(shorts(0, 3)).any()
    assert (store.keys(), store.models(), store.delete(keys(0, 3))) == ([], {}, 0)


def test_nothing_is_asked(store: Vectors) -> None:
    fill(store, 0, 20)
    none = shorts(0, 0)
    assert missing(store, []) == []
    assert store.delete([]) == 0
    store.put([], vectors(0, 1)[:0])
    assert len(store.nearest(query(1), 0)[0]) == 0
    assert len(store.nearest(query(1), 5, none)[0]) == 0
    assert len(store.estimate(query(1), none)) == len(store.cosines(query(1), none)) == 0
    assert store.models() == {MODEL: 20}


@pytest.mark.parametrize("count", [1, 255, 256, 257, 3000])
def test_what_was_put_is_found(store: Vectors, count: int) -> None:
    fill(store, 0, count)
    check_nearest(store, count // 2, (0, count), 10)
    assert store.models() == {MODEL: count}


def test_more_neighbours_than_there_are_vectors(store: Vectors) -> None:
    fill(store, 0, 30)
    store.delete(keys(0, 10))
    assert set(store.nearest(query(15), 1000)[0].tolist()) == set(shorts(10, 30).tolist())


@pytest.mark.parametrize(("first", "last"), [(100, 103), (0, 50), (0, 1500), (1400, 2100)])
def test_neighbours_among_some_only(store: Vectors, first: int, last: int) -> None:
    fill(store, 0, 2000)
    twice = np.repeat(shorts(first, last), 2)
    check_nearest(store, first + 2, (first, min(last, 2000)), 8, twice)


def test_putting_again_changes_nothing(store: Vectors) -> None:
    fill(store, 0, 10)
    store.put(keys(0, 10), vectors(50, 60))
    assert store.cosines(vectors(3, 4)[0], shorts(3, 4))[0] == pytest.approx(1, abs=0.01)
    store.put(keys(9, 11) + keys(10, 11), np.concatenate([vectors(9, 11), vectors(10, 11)]))
    assert store.models() == {MODEL: 11}
    assert store.cosines(vectors(10, 11)[0], shorts(10, 11))[0] == pytest.approx(1, abs=0.01)


def test_missing_holds_and_keys(store: Vectors) -> None:
    fill(store, 0, 700)
    assert missing(store, [*keys(698, 702), *keys(701, 702)]) == keys(700, 702)
    assert store.holds(shorts(698, 702)).tolist() == [True, True, False, False]
    assert sorted(store.keys()) == sorted(keys(0, 700))


def test_vectors_are_read_as_they_were_put(store: Vectors) -> None:
    assert np.isnan(store.vectors(shorts(0, 2))).all()
    fill(store, 0, 300)
    read = store.vectors(shorts(298, 302))
    assert np.allclose(read[:2], vectors(298, 300), atol=0.001)
    assert np.isnan(read[2:]).all()
    assert store.vectors(shorts(0, 0)).shape == (0, read.shape[1])


def test_two_texts_that_share_the_first_half_of_their_key(store: Vectors) -> None:
    (one,) = keys(1, 2)
    other = one[:8] + bytes(8)
    store.put([one], vectors(1, 2))
    assert missing(store, [one, other]) == [other]
    store.put([other], vectors(2, 3))
    assert missing(store, [one, other]) == []
    assert store.delete([one]) == 1
    assert missing(store, [one, other]) == [one]


def test_estimates_are_near_and_cosines_exact(store: Vectors) -> None:
    fill(store, 0, 1000)
    asked = query(500)
    wanted = shorts(0, 1100)
    estimates, cosines = store.estimate(asked, wanted), store.cosines(asked, wanted)
    assert np.isnan(estimates[1000:]).all()
    assert np.isnan(cosines[1000:]).all()
    true = vectors(0, 1000) @ asked
    np.testing.assert_allclose(cosines[:1000], true, atol=4e-3)
    assert np.abs(estimates[:1000] - true).mean() < 0.04
    assert np.corrcoef(estimates[:1000], true)[0, 1] > 0.9


def test_models_are_apart(store: Vectors, opening: Opening) -> None:
    other = opening("other/2", 100)
    for start in range(0, 900, 300):
        fill(store, start, start + 300)
        other.put(keys(start, start + 300), vectors(start, start + 300, 100))
    assert store.models() == other.models() == {MODEL: 900, "other/2": 900}
    found, cosines = other.nearest(vectors(5, 6, 100)[0], 3)
    assert found[0] == shorts(5, 6)[0]
    assert cosines[0] == pytest.approx(1, abs=0.01)
    assert store.nearest(query(5), 3)[0][0] == shorts(5, 6)[0]
    assert other.delete(keys(0, 10)) == 20
    assert missing(store, keys(0, 11)) == keys(0, 10)
    assert store.models() == {MODEL: 890, "other/2": 890}
    other.put(keys(0, 10), vectors(0, 10, 100))
    assert set(store.keys()) == set(keys(0, 900))
    other.close()


@pytest.mark.parametrize("factor", [0, 0.5, np.nan, np.inf])
def test_only_vectors_of_unit_length_are_taken(store: Vectors, factor: float) -> None:
    given = vectors(0, 3)
    given[1] *= factor
    with pytest.raises(ValueError, match="unit length"):
        store.put(keys(0, 3), given)
    assert missing(store, keys(0, 3)) == keys(0, 3)


def test_what_was_met_on_the_way_is_told_too(store: Vectors) -> None:
    fill(store, 0, 3000)
    asked = query(7)
    near, _ = store.nearest(asked, 10)
    found, cosines = store.nearest(asked, 10, beyond=True)
    assert found[:10].tolist() == near.tolist()
    assert len(set(found.tolist())) == len(found) > 50
    assert cosines.tolist() == sorted(cosines.tolist(), reverse=True)
    np.testing.assert_allclose(cosines, store.cosines(asked, found), atol=1e-6)


def test_deleted_vectors_are_not_found(store: Vectors) -> None:
    fill(store, 0, 600)
    assert store.delete(keys(100, 300)) == 200
    assert missing(store, keys(99, 301)) == keys(100, 300)
    assert not set(store.nearest(query(150), 400)[0].tolist()) & set(shorts(100, 300).tolist())
    assert len(store.keys()) == 400
    assert store.delete(keys(100, 300)) == 0
    fill(store, 1000, 1200)
    assert store.nearest(query(1100), 1)[0].tolist() == shorts(1100, 1101).tolist()
    assert store.nearest(query(50), 1)[0].tolist() == shorts(50, 51).tolist()


def test_it_is_found_again_after_a_restart(store: Vectors, opening: Opening) -> None:
    fill(store, 0, 600)
    before, stamp = store.nearest(query(7), 20), store.stamp()
    store.close()
    store = opening(MODEL, DIMENSIONS)
    after = store.nearest(query(7), 20)
    assert [part.tolist() for part in after] == [part.tolist() for part in before]
    assert store.stamp() == stamp


def test_without_a_model_they_can_be_listed_and_deleted(store: Vectors, opening: Opening) -> None:
    fill(store, 0, 20)
    nameless = opening("", 0)
    assert sorted(nameless.keys()) == sorted(keys(0, 20))
    assert nameless.delete(keys(0, 10)) == 10
    assert nameless.models() == {MODEL: 10}
