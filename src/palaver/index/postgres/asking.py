"""Asking: gets an answer from the rows of a user, or from the ledger, or says why there is none."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from palaver.errors import PalaverError
from palaver.index.faults import Incomplete, Unusable
from palaver.index.postgres.database import Database
from palaver.index.postgres.holding import Holding
from palaver.index.stored.answers import Answers
from palaver.index.stored.rebuilds import Rebuilds
from palaver.index.stored.verify import check_rows, check_streams, check_text
from palaver.ledger.port import Finding, LineSource

T = TypeVar("T")
_PATIENCE = 30.0
_GLANCE = 0.01
_MANY, _MUCH = 1024, 2 << 20
"""When so many messages wait, or so many bytes of text, a search takes their words in first."""


class Asking:
    """Puts questions to the index of one user. Every method may raise StorageFailed."""

    def __init__(
        self,
        holding: Holding,
        source: LineSource,
        rebuilds: Rebuilds,
        kept: Callable[[], None],
    ) -> None:
        """`kept` returns when everything is kept in order that can be."""
        self._books = holding.books
        self._sql = holding.books.dialect.live
        self._source = source
        self._rebuilds = rebuilds
        self._condition = holding.condition
        self._shelf = holding.shelf
        self._kept = kept

    def ask(
        self,
        question: Callable[[Answers], T],
        folded: Callable[[], T] | None = None,
        *,
        sketched: bool = False,
        words: bool = False,
    ) -> T:
        deadline = time.monotonic() + _PATIENCE
        while True:
            found = self._attempt(question, sketched=sketched, words=words)
            if found is not None:
                return found[0]
            if folded is not None:
                return folded()
            if not (sketched and self._condition.rebuilding) or time.monotonic() > deadline:
                raise self._condition.problem()
            time.sleep(_GLANCE)

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
            if self._attempt(lambda answers: None, sketched=False):
                break
        else:
            self._rebuilds.wait()
            self.ask(lambda answers: None)
        self._kept()

    def _attempt(
        self, question: Callable[[Answers], T], *, sketched: bool, words: bool = False
    ) -> tuple[T] | None:
        """The answer, or None when the rows cannot give it now."""
        database = self._books.database()
        wanted: int | None = None
        try:
            while True:
                with database.reading():
                    statement = "standing_of_words" if words else "standing"
                    ((position, complete, listed, pos, *waiting),) = database.all(
                        self._sql[statement]
                    )
                    wanted = pos if wanted is None else wanted  # what comes later is not waited for
                    crowded = bool(waiting) and (waiting[0] >= _MANY or waiting[1] >= _MUCH)
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

    def _relieve(self, database: Database) -> None:
        # What stands in the way meets the question, too, and is seen to there.
        with suppress(Unusable, PalaverError):
            while self._shelf.relieve(database, _MANY, _MUCH):
                pass
