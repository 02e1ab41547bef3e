"""One connection to the database, with the same few methods as that of the embedded index."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from itertools import count
from typing import Any, Final, Literal, LiteralString, NamedTuple, cast

import psycopg
from psycopg.pq import TransactionStatus

from palaver.errors import StorageFailed, StorageUncertain, StorageUnreachable
from palaver.postgres.faults import fault, faults
from palaver.sql import statements

QUERIES = statements(__package__ or "", "queries.sql")
_FETCHED = 500
_IN_TRANSACTION = (TransactionStatus.INTRANS, TransactionStatus.INERROR)

EVERYBODY: Final = "*"
"""Instead of an owner: what is due, or for whom credentials are. What was said is not seen then."""

Owner = int | Literal["*"]
Row = tuple[Any, ...]
Values = Sequence[Any] | Mapping[str, Any]
Raw = psycopg.Connection[Row]


class Answer(NamedTuple):
    """What one of several statements gave."""

    rows: list[Row]
    touched: int
    """How many rows it wrote, or gave."""


class Connection:
    """Used by one thread at a time. Every method may raise StorageFailed, DatabaseUnusable."""

    def __init__(self, raw: Raw) -> None:
        self._raw = raw
        self._numbers = count()
        self._cursors: list[psycopg.ServerCursor[Row]] = []
        """Those that somebody reads, or has left in the middle."""
        self._ahead: list[tuple[str, Values]] = []
        """What goes with the next statement, before it, in one round trip."""
        self.owner: Owner | None = None
        """Whose rows its transactions see. Without one, a statement about rows fails."""

    # -- statements: inside `reading` or `writing` -------------------------------------------

    def run(self, sql: str, values: Values = ()) -> int:
        """How many rows it touched."""
        with faults():
            return self._ask(sql, values).rowcount

    def many(self, sql: str, rows: Iterable[Values]) -> int:
        """Runs it for each of the rows, all in one go; how many rows that touched."""
        self.together()
        with faults(), self._raw.cursor(binary=True) as cursor:
            cursor.executemany(_sql(sql), rows)
            return cursor.rowcount

    def one(self, sql: str, values: Values = ()) -> Row | None:
        """The first row, if there is one."""
        with faults():
            return self._ask(sql, values).fetchone()

    def all(self, sql: str, values: Values = ()) -> list[Row]:
        with faults():
            return self._ask(sql, values).fetchall()

    def each(self, sql: str, values: Values = ()) -> Generator[Row]:
        """The rows one by one, for those who must not hold them all."""
        self.together()
        with faults(), self._raw.cursor(f"each{next(self._numbers)}", binary=True) as cursor:
            self._cursors.append(cursor)
            cursor.itersize = _FETCHED
            yield from cursor.execute(_sql(sql), values)

    def together(self, *asked: tuple[str, Values]) -> list[Answer]:
        """Runs several statements in one round trip."""
        statements, self._ahead = [*self._ahead, *asked], []
        if not statements:
            return []
        with faults():
            with self._raw.pipeline() if len(statements) > 1 else nullcontext():
                cursors = [self._execute(sql, values) for sql, values in statements]
            return [
                Answer(cursor.fetchall() if _gives_rows(cursor) else [], cursor.rowcount)
                for cursor in cursors[len(cursors) - len(asked) :]
            ]

    def glance(self, *asked: tuple[str, Values]) -> list[Answer]:
        """Runs several statements in a transaction of their own, which only reads, all of it in one
        round trip."""
        with self.reading():
            return self.together(*asked, (QUERIES["commit"], ()))[:-1]

    def act_for(self, owner: int) -> None:
        """Sees the rows of `owner` to the end of the transaction."""
        self.run(QUERIES["act_for"], (str(owner),))

    # -- transactions ------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Generator[None]:
        """One state of the tables."""
        with self._transaction("begin_reading", StorageUnreachable):
            yield

    @contextmanager
    def writing(self) -> Generator[None]:
        """All or nothing. Raises StorageUncertain when nobody can tell which of them."""
        with self._transaction("begin_writing", StorageUncertain):
            yield

    @contextmanager
    def aside(self) -> Generator[None]:
        """Takes back what is done inside, and nothing else, if that raises or fails."""
        savepoint = (QUERIES["savepoint"], ())
        self._ahead.append(savepoint)
        try:
            yield
            if self._raw.info.transaction_status == TransactionStatus.INERROR:
                raise StorageFailed("A statement failed, and nobody looked.")
        except BaseException:
            with faults():
                self._close_cursors()
            if savepoint not in self._ahead:
                self.run(QUERIES["back_to_savepoint"])
            raise
        finally:
            self._ahead = [one for one in self._ahead if one is not savepoint]

    def script(self, sql: str) -> None:
        """Runs a text of several statements without values."""
        self.together()
        with faults():
            self._raw.execute(_sql(sql))

    @property
    def usable(self) -> bool:
        """Whether it can be used again by somebody else."""
        return not self._raw.closed and self._raw.info.transaction_status == TransactionStatus.IDLE

    @property
    def process(self) -> int:
        """The number of the server's process behind it."""
        return self._raw.info.backend_pid

    def fileno(self) -> int:
        return self._raw.fileno()

    def close(self) -> None:
        self._raw.close()

    def _ask(self, sql: str, values: Values) -> psycopg.Cursor[Row]:
        ahead, self._ahead = self._ahead, []
        if not ahead:
            return self._execute(sql, values)
        with self._raw.pipeline():
            for statement in ahead:
                self._execute(*statement)
            return self._execute(sql, values)

    def _execute(self, sql: str, values: Values) -> psycopg.Cursor[Row]:
        return self._raw.execute(_sql(sql), values, binary=True)

    @contextmanager
    def _transaction(self, begin: str, cut: type[StorageFailed]) -> Generator[None]:
        """`cut` is what it means when the answer to COMMIT gets lost."""
        owner = "" if self.owner is None else str(self.owner)
        with faults():
            self._ahead = [(QUERIES[begin], ()), (QUERIES["act_for"], (owner,))]
            try:
                yield
                self._close_cursors()
                if self._raw.info.transaction_status != TransactionStatus.IDLE:
                    self._commit(cut)  # else nothing was asked, or it is committed already
            finally:
                self._ahead.clear()
                if self._raw.info.transaction_status in _IN_TRANSACTION:
                    self._close_cursors()
                    self._raw.execute(_sql(QUERIES["rollback"]), prepare=False)

    def _close_cursors(self) -> None:
        """None is left to be closed in the transaction of whoever comes next."""
        while self._cursors:
            self._cursors.pop().close()

    def _commit(self, cut: type[StorageFailed]) -> None:
        try:
            done = self._raw.execute(_sql(QUERIES["commit"]), prepare=False).statusmessage
        except psycopg.Error as error:
            known = fault(error)
            if self._raw.closed or isinstance(known, StorageUnreachable):
                raise cut from error
            raise known from error
        if done != "COMMIT":  # the server says ROLLBACK, without an error, when a statement failed
            raise StorageFailed("A statement failed, so nothing was stored.")


def _sql(text: str) -> LiteralString:
    """The driver takes literals only, to keep values out; ours come from `.sql` files."""
    return cast("LiteralString", text)


def _gives_rows(cursor: psycopg.Cursor[Row]) -> bool:
    """As its `description` tells, which would look up the type of every column for that."""
    return cursor.pgresult is not None and cursor.pgresult.nfields > 0
