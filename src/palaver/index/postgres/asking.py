"""Asking the rows of one user in a database."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import TypeVar

from palaver.errors import PalaverError
from palaver.index.connection import Connection, Statements
from palaver.index.faults import Incomplete, Unusable
from palaver.index.postgres.database import Database
from palaver.index.postgres.holding import Holding
from palaver.index.stored.answers import Answers
from palaver.index.stored.asking import MANY, MUCH, Asking
from palaver.index.stored.rebuilds import Rebuilds
from palaver.index.stored.verify import check_rows, check_streams, check_text
from palaver.ledger.port import Finding, LineSource

T = TypeVar("T")


class PostgresAsking(Asking):
    """Puts questions to the rows of one user. Every method may raise StorageFailed."""

    def __init__(
        self,
        holding: Holding,
        source: LineSource,
        rebuilds: Rebuilds,
        kept: Callable[[], None],
    ) -> None:
        """`kept` returns when everything is kept in order that can be."""
        super().__init__(holding.condition)
        self._books = holding.books
        self._sql = holding.books.dialect.live
        self._source = source
        self._rebuilds = rebuilds
        self._shelf = holding.shelf
        self._kept = kept

    def verify(self, pause: Callable[[], None] = lambda: None) -> list[Finding]:
        """`pause` is called again and again, and may raise to end it."""
        self.ask(lambda answers: None)
        database, where = self._books.database(), self._books.dialect.schema
        database.pause = pause
        try:
            return [
                *check_streams(database, self._sql, self._source, str),
                *check_rows(database, self._sql, where),
                *check_text(database, self._sql, where),
            ]
        except Unusable as fault:
            return [Finding("index_damaged", str(fault), damage=True, file=where)]

    def settle(self) -> None:
        for _ in range(2):
            self._rebuilds.wait()
            if self._attempt(lambda answers: None, sketched=False, words=False):
                break
        else:
            self._rebuilds.wait()
            self.ask(lambda answers: None)
        self._kept()

    def _attempt(
        self, question: Callable[[Answers], T], *, sketched: bool, words: bool
    ) -> tuple[T] | None:
        database = self._books.database()
        wanted: int | None = None
        try:
            while True:
                with database.reading():
                    waiting = database.one(self._sql["words_waiting"]) if words else None
                    position, complete, listed, pos = database.standing()
                    wanted = pos if wanted is None else wanted  # what comes later is not waited for
                    crowded = waiting is not None and (waiting[0] >= MANY or waiting[1] >= MUCH)
                    stands = position >= wanted if complete else sketched and listed
                    if stands and not crowded:
                        found = (question(Answers(database, self._sql, self._shelf)),)
                        self._condition.recovers(whole=complete and not self._rebuilds.running)
                        return found
                words = False  # once is enough
                if crowded:
                    self._relieve(database)
                elif not complete or not self._books.catch_up():
                    raise Incomplete("The index is not complete.")
        except Unusable as fault:
            self._rebuilds.start_for(fault)
        return None

    @contextmanager
    def _rows(self) -> Generator[tuple[Connection, Statements]]:
        yield self._books.database(), self._sql

    def _relieve(self, database: Database) -> None:
        # What stands in the way meets the question, too, and is seen to there.
        with suppress(Unusable, PalaverError):
            while self._shelf.relieve(database, MANY, MUCH):
                pass
