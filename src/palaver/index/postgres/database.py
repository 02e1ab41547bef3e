"""A connection to the tables of one user's index, as the shared code uses it.

PostgreSQL keeps no text with a NUL character in it, so such a character is written in another way.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from palaver.index.connection import Row, Statements, Values
from palaver.index.faults import Missing
from palaver.postgres import Connection, Pool

_NUL, _ESCAPE = "\0", "\1"


class Database:
    """The rows of one user; used by one thread at a time. Every method may raise StorageFailed."""

    def __init__(self, pool: Pool, owner: int, sql: Statements) -> None:
        self.owner = owner
        self._pool = pool
        self._sql = sql
        self._connection: Connection | None = None

    # -- statements: inside `reading` or `writing` -------------------------------------------

    def run(self, sql: str, values: Values = ()) -> int:
        return self.connection.run(sql, _stored(values))

    def many(self, sql: str, rows: Iterable[Values]) -> int:
        """Hands all rows over at once: the statement takes an array for each column."""
        columns = [list(column) for column in zip(*rows, strict=True)]
        return self.run(sql, columns) if columns else 0

    def one(self, sql: str, values: Values = ()) -> Row | None:
        row = self.connection.one(sql, _stored(values))
        return _read(row) if row else None

    def all(self, sql: str, values: Values = ()) -> list[Row]:
        return [_read(row) for row in self.connection.all(sql, _stored(values))]

    def each(self, sql: str, values: Values = ()) -> Iterator[Row]:
        return map(_read, self.connection.each(sql, _stored(values)))

    # -- transactions ------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Generator[None]:
        """One state of the index. Raises Missing when the user has no book."""
        with self._pool.connection(self.owner) as used, used.reading(), self.inside(used):
            self._enter("enter")
            yield

    @contextmanager
    def writing(self) -> Generator[None]:
        """All or nothing; nobody else writes rows of this user meanwhile. Raises Missing."""
        with self._pool.connection(self.owner) as used, used.writing(), self.inside(used):
            self._enter("enter_writing")
            yield

    @contextmanager
    def inside(self, connection: Connection) -> Generator[None]:
        """Uses a connection whose transaction somebody else has begun."""
        self._connection = connection
        try:
            yield
        finally:
            self._connection = None

    @property
    def connection(self) -> Connection:
        """That of the transaction."""
        if self._connection is None:
            raise RuntimeError("There is no transaction.")
        return self._connection

    def _enter(self, statement: str) -> None:
        if self.one(self._sql[statement]) is None:
            raise Missing("There is no index of this user yet.")


def _stored(values: Values) -> Values:
    """Values as they are stored."""
    if isinstance(values, dict):
        return {name: _store(value) for name, value in values.items()}
    return [_store(value) for value in values]


def _store(value: Any) -> Any:
    if isinstance(value, list):
        return [_store(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, str) and (_NUL in value or _ESCAPE in value):
        return value.replace(_ESCAPE, f"{_ESCAPE}1").replace(_NUL, f"{_ESCAPE}0")
    return value


def _read(row: Row) -> Row:
    """A row as it was before it was stored."""
    for value in row:
        if isinstance(value, str) and _ESCAPE in value:
            return tuple(map(_restored, row))
    return row


def _restored(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace(f"{_ESCAPE}0", _NUL).replace(f"{_ESCAPE}1", _ESCAPE)
    return value
