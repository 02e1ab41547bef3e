"""Asking the live tables of a home."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing, contextmanager, suppress
from typing import TypeVar

from palaver.errors import IndexTooNew
from palaver.index.condition import Condition
from palaver.index.connection import Connection, Statements
from palaver.index.faults import Failed, Incomplete, Missing, Unusable
from palaver.index.fulltext.shelf import Shelf
from palaver.index.sqlite.faults import faults
from palaver.index.sqlite.keeper import Keeper
from palaver.index.sqlite.readers import Readers
from palaver.index.sqlite.statements import QUERIES
from palaver.index.sqlite.verify import FILE, verify
from palaver.index.sqlite.writer import Writer
from palaver.index.stored.answers import Answers
from palaver.index.stored.asking import MANY, MUCH, Asking
from palaver.index.stored.info import Info, read_info
from palaver.index.stored.rebuilds import Rebuilds
from palaver.ledger.port import Finding, LineSource

T = TypeVar("T")


class SqliteAsking(Asking):
    """Puts questions to the live tables."""

    def __init__(
        self,
        source: LineSource,
        writer: Writer,
        readers: Readers,
        rebuilds: Rebuilds,
        *,
        condition: Condition,
        shelf: Shelf,
        keeper: Keeper,
    ) -> None:
        super().__init__(condition)
        self._source = source
        self._writer = writer
        self._readers = readers
        self._rebuilds = rebuilds
        self._shelf = shelf
        self._keeper = keeper

    def verify(self) -> list[Finding]:
        self.ask(lambda answers: None)
        try:
            with closing(self._readers.connect()) as database:
                return list(verify(database, self._source))
        except (Unusable, Failed) as fault:
            return [Finding("index_damaged", str(fault), damage=True, file=FILE)]

    def settle(self) -> None:
        self._settle()
        self._keeper.settle()

    def _settle(self) -> None:
        for _ in range(2):
            self._rebuilds.wait()
            if self._caught_up():
                return
        self._rebuilds.wait()
        if not self._caught_up():
            raise self._condition.problem()

    @contextmanager
    def _rows(self) -> Generator[tuple[Connection, Statements]]:
        with closing(self._readers.connect()) as database:
            yield database, QUERIES

    def _relieve(self) -> None:
        # What stands in the way meets the question, too, and is seen to there.
        with suppress(Unusable, Failed, IndexTooNew):
            with self._readers.reading() as database:
                complete = read_info(database, QUERIES).complete
                if not (complete and self._shelf.crowded(database, MANY, MUCH)):
                    return
            with closing(self._readers.connect()) as database:
                while self._shelf.relieve(database, MANY, MUCH):
                    pass

    def _caught_up(self) -> bool:
        try:
            with faults(), self._source.exclusive() as pos:
                return self._writer.current(pos)
        except Failed as fault:
            self._condition.fails(fault)
            return False

    def _attempt(
        self, question: Callable[[Answers], T], *, sketched: bool, words: bool
    ) -> tuple[T] | None:
        if words:
            self._relieve()
        if self._writer.behind and not self._condition.rebuilding and not self._caught_up():
            return None
        try:
            with self._readers.reading() as database:
                info = read_info(database, QUERIES)
                if info.complete and database.identity != self._condition.trusted:
                    raise Missing("Another file has taken the place of the index.")
                if self._suffices(info, sketched=sketched):
                    found = (question(Answers(database, QUERIES, self._shelf)),)
                    self._condition.recovers()
                    return found
            self._rebuilds.start_for(Incomplete("The index is not complete."))
        except Unusable as fault:
            self._rebuilds.start_for(fault)
        except Failed as fault:
            self._condition.fails(fault)
        return None

    def _suffices(self, info: Info, *, sketched: bool) -> bool:
        if info.complete:
            return not self._writer.behind
        return sketched and bool(info.listed)
