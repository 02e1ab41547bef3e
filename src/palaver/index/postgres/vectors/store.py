"""The vectors of one user in PostgreSQL: stored, deleted, compared with a question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Floats, Keys, Vector
from palaver.index.postgres.vectors.signs import Signs
from palaver.index.postgres.vectors.statements import (
    QUERIES,
    for_model,
    listed,
    shorts_of,
    signed,
    unsigned,
    written,
)
from palaver.index.vectors.cells import have_unit_length
from palaver.postgres import Connection, Pool, Row

_PAIRS = np.dtype([("key", ">u8"), ("cosine", ">f8")])
"""Keys and cosines as the server sends them: thousands as single rows take longer to read than to
find."""
_BREADTH, _BROADEST = 150, 1000
"""A search in the graph keeps so many, and as many more as are wanted; the server allows 1000."""


class _Model(NamedTuple):
    number: int
    stamp: bytes


_NO_MODEL = _Model(0, b"")
"""No vector is of this one."""


class PostgresVectors:
    """The vectors of one user and one model; see `palaver.index.vectors.port.Vectors`.

    Every method may raise StorageFailed, DatabaseUnusable.
    """

    def __init__(self, pool: Pool, owner: int, model: str, dimensions: int) -> None:
        """Without a model (`""`, 0) the vectors of every model can be listed and deleted."""
        self._pool = pool
        self._owner = owner
        self._identity = model
        self._dimensions = dimensions
        self._known: _Model | None = None
        self._signs = Signs(dimensions, self._all_signs, self._some_signs)

    def open(self) -> None:
        self._model()

    def close(self) -> None:
        """Nothing is held: the connections are the pool's."""

    def stamp(self) -> bytes:
        self._known = None  # somebody may have put another database in its place
        return self._model().stamp

    # -- writing -----------------------------------------------------------------------------

    def put(self, keys: Sequence[bytes], vectors: Floats) -> None:
        if not have_unit_length(vectors):
            raise ValueError("A vector has to have unit length.")
        if not keys:
            return
        values = {
            "model": self._model().number,
            "shorts": shorts_of(keys),
            "keys": list(keys),
            "vectors": [written(vector) for vector in vectors],
        }
        with self._pool.connection(self._owner) as connection, connection.writing():
            connection.run(for_model("put", self._dimensions), values)

    def delete(self, keys: Sequence[bytes]) -> int:
        if not keys:
            return 0
        shorts = shorts_of(keys)
        values = {"shorts": shorts, "keys": list(keys), "owner": self._owner}
        with self._pool.connection(self._owner) as connection, connection.writing():
            _, deleted = connection.together(_plan(), (QUERIES["delete"], values))
        self._signs.drop(unsigned(shorts))
        return deleted.touched

    # -- asking ------------------------------------------------------------------------------

    def holds(self, keys: Keys) -> NDArray[np.bool_]:
        there = [short for (short,) in self._ask(QUERIES["holds"], keys=signed(keys))]
        return np.isin(keys, unsigned(there))

    def keys(self) -> list[bytes]:
        return [key for (key,) in self._read(QUERIES["keys"], {"owner": self._owner})]

    def models(self) -> dict[str, int]:
        return dict(self._read(QUERIES["counts"], {"owner": self._owner}))

    def nearest(
        self, query: Vector, k: int, among: Keys | None = None, *, beyond: bool = False
    ) -> tuple[Keys, Floats]:
        if k < 1:
            return _ranked([])
        breadth = min(_BREADTH + k, _BROADEST)
        values = {"query": written(query), "count": max(k, breadth) if beyond else k}
        if among is None:
            found = self._ask(for_model("nearest", self._dimensions), breadth, **values)
        else:
            found = self._nearest_among(signed(np.unique(among)), breadth, values)
        return _ranked(found)

    def estimate(self, query: Vector, keys: Keys) -> Floats:
        return self._signs.estimate(query, keys)

    def cosines(self, query: Vector, keys: Keys) -> Floats:
        ((found,),) = self._ask(QUERIES["cosines"], query=written(query), keys=listed(keys))
        pairs = np.frombuffer(found or b"", _PAIRS)
        pairs = pairs[np.argsort(pairs["key"])]
        where = np.minimum(np.searchsorted(pairs["key"], keys), max(len(pairs) - 1, 0))
        cosines = np.full(len(keys), nan, np.float32)
        if len(pairs):
            known = pairs["key"][where] == keys
            cosines[known] = pairs["cosine"][where[known]]
        return cosines

    def vectors(self, keys: Keys) -> Floats:
        ((found,),) = self._ask(QUERIES["vectors"], keys=listed(keys))
        rows = np.frombuffer(
            found or b"", np.dtype([("key", ">u8"), ("vector", ">f2", (self._dimensions,))])
        )
        known = dict(zip(rows["key"].tolist(), rows["vector"].astype(np.float32), strict=True))
        nothing = np.full(self._dimensions, nan, np.float32)
        return np.array([known.get(key, nothing) for key in keys.tolist()], np.float32).reshape(
            len(keys), self._dimensions
        )

    def _nearest_among(self, keys: list[int], breadth: int, values: dict[str, Any]) -> list[Row]:
        among = for_model("nearest_among", self._dimensions)
        found = self._ask(among, breadth, keys=keys, **values)
        if len(found) < min(values["count"], len(keys)):  # a graph may give up before
            found = self._ask(QUERIES["nearest_of_these"], keys=keys, **values)
        return found

    def _all_signs(self) -> Iterator[bytes]:
        return (part for (part,) in self._ask(QUERIES["every_sign"]))

    def _some_signs(self, keys: Keys) -> Iterator[bytes]:
        return (part for (part,) in self._ask(QUERIES["some_signs"], keys=listed(keys)))

    # -- connections -------------------------------------------------------------------------

    def _ask(self, sql: str, breadth: int = _BREADTH, **values: Any) -> list[Row]:
        """Asks about the vectors of this model."""
        whose = {"owner": self._owner, "model": self._model().number}
        return self._read(sql, {**values, **whose}, breadth)

    def _read(self, sql: str, values: dict[str, Any], breadth: int = _BREADTH) -> list[Row]:
        with self._pool.connection(self._owner) as connection:
            _, answer = connection.glance(_plan(breadth), (sql, values))
        return answer.rows

    def _model(self) -> _Model:
        known = self._known if self._identity else _NO_MODEL
        if known is None:
            with self._pool.connection(self._owner) as connection, connection.writing():
                known = self._known = self._found(connection) or self._added(connection)
        return known

    def _added(self, connection: Connection) -> _Model:
        connection.run(QUERIES["add_model"], (self._identity, self._dimensions))
        return self._found(connection) or _NO_MODEL

    def _found(self, connection: Connection) -> _Model | None:
        row = connection.one(QUERIES["model"], (self._identity,))
        return _Model(row[0], row[1].bytes) if row else None


def _plan(breadth: int = _BREADTH) -> tuple[str, Sequence[str]]:
    return QUERIES["plan"], (str(breadth),)


def _ranked(rows: Sequence[Row]) -> tuple[Keys, Floats]:
    """Nearest first: a graph gives them nearly in order."""
    keys = unsigned([short for short, _ in rows])
    cosines = np.array([cosine for _, cosine in rows], np.float32)
    order = np.lexsort((keys, -cosines))
    return keys[order], cosines[order]
