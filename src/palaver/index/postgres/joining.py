"""The rows of one user, written in a transaction in which those of others are written, too.

What everybody needs is read for all at once, and what can be written without looking first is
written for all at the end: a commit of many users costs few round trips.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from palaver.index.connection import Row, Values
from palaver.postgres import Connection

Statement = tuple[str, Values]


class Sent(NamedTuple):
    """What is to be written, without looking first."""

    sql: str
    rows: Sequence[Values]
    at_once: bool = False
    """The statement takes an array for each column."""

    def statement(self) -> Statement:
        if self.at_once:
            return self.sql, [list(column) for column in zip(*self.rows, strict=True)]
        return self.sql, self.rows[0]


class Joining:
    """A connection whose transaction somebody else has begun, for one user."""

    def __init__(
        self, connection: Connection, act: Statement, read: Mapping[tuple[str, str], Row | None]
    ) -> None:
        """`act` lets the transaction act for the user. `read` holds what was read already, by the
        statement and its value."""
        self.wrote = False
        """Whether something was written that cannot be left unsaid any more."""
        self.rest: list[Sent] = []
        """What is still to be written."""
        self._connection = connection
        self._act = act
        self._read = dict(read)
        self._acting = False

    def run(self, sql: str, values: Values = ()) -> int:
        self._flush()
        self.wrote = True
        return self._connection.run(sql, values)

    def send(self, sql: str, values: Values = ()) -> None:
        self.rest.append(Sent(sql, [values]))

    def many(self, sql: str, rows: Iterable[Values]) -> None:
        if given := list(rows):
            self.rest.append(Sent(sql, given, at_once=True))

    def one(self, sql: str, values: Values = ()) -> Row | None:
        if not isinstance(values, Mapping) and len(values) == 1:
            known = (sql, str(values[0]))
            if known in self._read:  # only once: later it may be another
                return self._read.pop(known)
        self._flush()
        return self._connection.one(sql, values)

    def all(self, sql: str, values: Values = ()) -> list[Row]:
        self._flush()
        return self._connection.all(sql, values)

    def all_of(self, *asked: Statement) -> list[list[Row]]:
        self._flush()
        return [answer.rows for answer in self._connection.together(*asked)]

    def each(self, sql: str, values: Values = ()) -> Iterator[Row]:
        self._flush()
        return self._connection.each(sql, values)

    @contextmanager
    def reading(self) -> Generator[None]:
        yield

    @contextmanager
    def writing(self) -> Generator[None]:
        yield

    def statements(self) -> list[Statement]:
        """What is still to be written, as statements about this user."""
        return [self._act, *(sent.statement() for sent in self.rest)] if self.rest else []

    def _flush(self) -> None:
        sent, self.rest = self.rest, []
        self.wrote = self.wrote or bool(sent)
        before = [] if self._acting else [self._act]
        self._acting = True
        if before or sent:
            self._connection.together(*before, *(one.statement() for one in sent))
