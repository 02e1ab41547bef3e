"""A connection to the tables of one user's index, as the shared code uses it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from palaver.errors import StorageUncertain, StorageUnreachable
from palaver.index.connection import Row, Statements, Values
from palaver.index.faults import Missing
from palaver.postgres import Answer, Connection, Pool


class Database:
    """The rows of one user; used by one thread at a time. Every method may raise StorageFailed."""

    def __init__(self, pool: Pool, owner: int, sql: Statements) -> None:
        self.owner = owner
        self.pause: Callable[[], None] = lambda: None
        """Called before each look: whoever looks for long can end there, by raising."""
        self._pool = pool
        self._sql = sql
        self._connection: Connection | None = None
        self._sent: list[tuple[str, Values]] = []
        self._entering = False
        """Whether the first of what was sent tells if there is a book."""
        self._standing: Row = ()

    # -- statements: inside `reading` or `writing` -------------------------------------------

    def run(self, sql: str, values: Values = ()) -> int:
        return self._ask(sql, values).touched

    def send(self, sql: str, values: Values = ()) -> None:
        """Goes with the next statement that is waited for, in one round trip with others."""
        self._sent.append((sql, values))

    def many(self, sql: str, rows: Iterable[Values]) -> None:
        """Hands all rows over at once: the statement takes an array for each column."""
        columns = [list(column) for column in zip(*rows, strict=True)]
        if columns:
            self.send(sql, columns)

    def one(self, sql: str, values: Values = ()) -> Row | None:
        rows = self.all(sql, values)
        return rows[0] if rows else None

    def all(self, sql: str, values: Values = ()) -> list[Row]:
        return self._ask(sql, _asked(values)).rows

    def all_of(self, *asked: tuple[str, Values]) -> list[list[Row]]:
        answers = self._together(*((sql, _asked(values)) for sql, values in asked))
        return [answer.rows for answer in answers[-len(asked) :]]

    def each(self, sql: str, values: Values = ()) -> Iterator[Row]:
        self._flush()
        return self._used.each(sql, values)

    def standing(self) -> Row:
        """Inside `reading`: what has been applied, whether that is all, whether every conversation
        is listed, and what was committed."""
        self._flush()
        return self._standing

    # -- transactions ------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Generator[None]:
        """One state of the index. Raises Missing when the user has no book."""
        self.pause()
        with self._pool.connection(self.owner) as used, used.reading(), self._inside(used):
            self._entering = True
            self.send(self._sql["enter"])
            yield

    @contextmanager
    def writing(self) -> Generator[None]:
        """All or nothing; nobody else writes rows of this user meanwhile. Raises Missing."""
        try:
            with self._pool.connection(self.owner) as used, used.writing(), self._inside(used):
                if self.one(self._sql["enter_writing"]) is None:
                    raise _missing()
                yield
        except StorageUncertain as lost:  # rows can be made again: nobody need ask which
            raise StorageUnreachable from lost

    @contextmanager
    def _inside(self, connection: Connection) -> Generator[None]:
        self._connection = connection
        try:
            yield
            self._flush()
        finally:
            self._connection = None
            self._entering = False
            self._sent.clear()

    @property
    def _used(self) -> Connection:
        """That of the transaction."""
        if self._connection is None:
            raise RuntimeError("There is no transaction.")
        return self._connection

    def _flush(self) -> None:
        if self._sent:
            self._together()

    def _ask(self, sql: str, values: Values) -> Answer:
        return self._together((sql, values))[-1]

    def _together(self, *asked: tuple[str, Values]) -> list[Answer]:
        """Runs statements after those that were sent, all in one round trip."""
        sent, self._sent = self._sent, []
        entering, self._entering = self._entering, False
        answers = self._used.together(*sent, *asked)
        if entering:
            book, _, _, *standing = answers[0].rows[0]
            if book == "0":  # then the others saw nobody's rows
                raise _missing()
            self._standing = tuple(standing)
        return answers


def _missing() -> Missing:
    return Missing("There is no index of this user yet.")


def _asked(values: Values) -> Values:
    """PostgreSQL takes no NUL; no row holds one, nor what stands in its place here."""
    if isinstance(values, Mapping):
        return {name: _without_nul(value) for name, value in values.items()}
    return [_without_nul(value) for value in values]


def _without_nul(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return value.replace("\0", "\ufffe").replace("\\u0000", "\\ufffe")  # as such, and in JSON
