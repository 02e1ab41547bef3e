"""Finding the vectors nearest to a query: codes first, then what the codes left over.

Distances between codes choose a thousand of all places, estimates a few hundred of these, and only
of those are the vectors read from the file. With real vectors, 999 in 1000 of the ten nearest are
found so. Turning the vectors or taking their mean away before they are encoded did not help.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Keys
from palaver.index.faults import Unusable
from palaver.index.sqlite.database import Database
from palaver.index.vectors import cells
from palaver.index.vectors.codes import Estimator, distances, encode
from palaver.index.vectors.snapshot import FARTHEST, Places, Snapshot
from palaver.index.vectors.statements import QUERIES, among

_SAMPLE = 16
Cosines = NDArray[np.float32]
_BY_DISTANCE = (1000, 10)
_BY_ESTIMATE = (150, 3)
"""How many go on to the next step: the first number, and the second for each neighbour wanted."""
_FEW = 32
"""Of fewer than one in so many places the codes are fetched, rather than all of them scanned."""


def nearest(
    database: Database,
    snapshot: Snapshot,
    query: NDArray[np.float32],
    k: int,
    wanted: Keys | None,
) -> tuple[Keys, Cosines]:
    """The keys of the k nearest vectors and of all others that were read to find them, nearest
    first, and their cosines. Raises Unusable."""
    if k < 1 or not len(snapshot.keys):
        return np.empty(0, np.uint64), np.empty(0, np.float32)
    near = _near(snapshot, query, _count(_BY_DISTANCE, k), wanted)
    guesses = Estimator(query)(snapshot.codes(near))
    near = near[_largest(guesses, _count(_BY_ESTIMATE, k))]
    found = exact(database, snapshot, query, near)
    keys = snapshot.keys_at(near)
    order = np.lexsort((keys, -found))
    return keys[order], found[order]


def estimates(snapshot: Snapshot, query: NDArray[np.float32], keys: Keys) -> Cosines:
    """About the cosine of each key's vector; not a number where there is none."""
    places = snapshot.locate(keys)
    known = places >= 0
    found = np.full(len(keys), np.nan, np.float32)
    if known.any():
        found[known] = Estimator(query)(snapshot.codes(places[known]))
    return found


def cosines(
    database: Database, snapshot: Snapshot, query: NDArray[np.float32], keys: Keys
) -> Cosines:
    """The cosine of each key's vector; not a number where there is none. Raises Unusable."""
    places = snapshot.locate(keys)
    known = places >= 0
    found = np.full(len(keys), np.nan, np.float32)
    if known.any():
        found[known] = exact(database, snapshot, query, places[known])
    return found


def exact(
    database: Database, snapshot: Snapshot, query: NDArray[np.float32], places: Places
) -> Cosines:
    """The cosines of the vectors at some places, from the file. Raises Unusable."""
    return cells.cosines(query, _cells(database, snapshot, places))


def vectors(database: Database, snapshot: Snapshot, keys: Keys, dimensions: int) -> Cosines:
    """The vector of each key, a row; not numbers where there is none. Raises Unusable."""
    places = snapshot.locate(keys)
    known = places >= 0
    found = np.full((len(keys), dimensions), np.nan, np.float32)
    found[known] = cells.unpack(_cells(database, snapshot, places[known]), dimensions)
    return found


def _cells(database: Database, snapshot: Snapshot, places: Places) -> list[bytes]:
    slots: list[int] = snapshot.slots(places).tolist()
    rows: dict[int, Any] = dict(database.all(QUERIES["vectors"], (among(slots),)))
    if not rows.keys() >= set(slots):
        raise Unusable("Some vectors are gone from their file.")
    return [rows[slot] for slot in slots]


def _count(step: tuple[int, int], k: int) -> int:
    return step[0] + step[1] * k


def _near(
    snapshot: Snapshot, query: NDArray[np.float32], count: int, wanted: Keys | None
) -> Places:
    """The places whose codes are the nearest, about `count` of them."""
    code = encode(query[None])
    if wanted is None:
        return smallest(snapshot.distances(code), len(snapshot.keys), count)
    places = snapshot.locate(wanted)
    places = places[places >= 0]
    if len(places) * _FEW < len(snapshot):
        places = np.unique(places)
        near = distances(code, snapshot.codes(places))
        return places[smallest(near, len(places), count)]
    others = np.ones(len(snapshot), np.bool_)
    others[places] = False
    near = snapshot.distances(code)
    near[others] = FARTHEST
    return smallest(near, len(others) - int(np.count_nonzero(others)), count)


def smallest(values: NDArray[np.uint16], used: int, count: int) -> Places:
    """Where the `count` smallest of the `used` smallest are, and those equal to the last."""
    least = min(count, used)
    if not least:
        return np.empty(0, np.int64)
    # Every sixteenth tells how far to look, and then only what is not farther has to be counted.
    far = _distance(values[::_SAMPLE], 2 * -(-least // _SAMPLE))
    near = np.flatnonzero(values <= far)
    if len(near) < least:
        near = np.arange(len(values))
    return near[values[near] <= _distance(values[near], least)]


def _distance(values: NDArray[np.uint16], count: int) -> int:
    """How far one has to go to meet `count` of the values."""
    return int(np.searchsorted(np.cumsum(np.bincount(values)), count))


def _largest(values: Cosines, count: int) -> Places:
    if len(values) <= count:
        return np.arange(len(values))
    return np.argpartition(-values, count)[:count]
