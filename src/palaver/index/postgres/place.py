"""The vectors of one user in the database, as whoever finds out what texts mean uses them."""

from __future__ import annotations

from palaver.index.faults import Failed
from palaver.index.postgres.vectors import PostgresVectors
from palaver.postgres import Pool


class _Store(PostgresVectors):
    used = b"database"
    """It is the same place always."""

    def make_again(self, seen: bytes) -> None:
        raise Failed("The vectors in the database are damaged.", VectorsTable.remedy)


class VectorsTable:
    """Where the vectors of a user are kept."""

    remedy = "Look into the log of the database."

    def __init__(self, pool: Pool, owner: int) -> None:
        self._pool = pool
        self._owner = owner

    def exists(self) -> bool:
        return True

    def vectors(self, model: str, dimensions: int) -> _Store:
        return _Store(self._pool, self._owner, model, dimensions)
