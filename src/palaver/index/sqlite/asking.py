"""Asking: gets an answer from the live tables, or from the ledger, or says why there is none."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing, suppress
from typing import TypeVar

from palaver.errors import IndexTooNew
from palaver.index.condition import Condition
from palaver.index.faults import Failed, Incomplete, Missing, Unusable
from palaver.index.fulltext.shelf import Shelf
from palaver.index.sqlite.faults import faults
from palaver.index.sqlite.keeper import Keeper
from palaver.index.sqlite.readers import Readers
from palaver.index.sqlite.statements import QUERIES
from palaver.index.sqlite.verify import FILE, verify
from palaver.index.sqlite.writer import Writer
from palaver.index.stored.answers import Answers
from palaver.index.stored.info import Info, read_info
from palaver.index.stored.rebuilds import Rebuilds
from palaver.ledger.port import Finding, LineSource

T = TypeVar("T")
_PATIENCE = 30.0
_GLANCE = 0.01
_MANY, _MUCH = 1024, 2 << 20
"""When so many messages wait, or so many bytes of text, a search takes their words in first."""

Question = Callable[[Answers], T]


class Asking:
    """Puts questions to the index. Synchronous; every method may wait."""

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
        self._source = source
        self._writer = writer
        self._readers = readers
        self._rebuilds = rebuilds
        self._condition = condition
        self._shelf = shelf
        self._keeper = keeper

    def ask(
        self,
        question: Question[T],
        folded: Callable[[], T] | None = None,
        *,
        sketched: bool = False,
        words: bool = False,
    ) -> T:
        """The answer from complete rows; otherwise what `folded` makes from the ledger.

        With `sketched`, sketches are enough, and are waited for. With `words`, the question is
        about words: when very many wait they are taken in first, so that the next question does
        not have to read them again. Raises IndexUnavailable.
        """
        if words:
            self._relieve()
        deadline = time.monotonic() + _PATIENCE
        while True:
            found = self._attempt(question, sketched=sketched)
            if found is not None:
                return found[0]
            if folded is not None:
                return folded()
            if not (sketched and self._condition.rebuilding) or time.monotonic() > deadline:
                raise self._condition.problem()
            time.sleep(_GLANCE)

    def verify(self) -> list[Finding]:
        """What is wrong with the rows. Raises IndexUnavailable when there are none to look at."""
        self.ask(lambda answers: None)
        try:
            with closing(self._readers.connect()) as database:
                return list(verify(database, self._source))
        except (Unusable, Failed) as fault:
            return [Finding("index_damaged", str(fault), damage=True, file=FILE)]

    def settle(self) -> None:
        """Waits until everything is applied, and kept. Raises IndexUnavailable when it cannot."""
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

    def _relieve(self) -> None:
        # What stands in the way meets the question, too, and is seen to there.
        with suppress(Unusable, Failed, IndexTooNew):
            with self._readers.reading() as database:
                complete = read_info(database, QUERIES).complete
                if not (complete and self._shelf.crowded(database, _MANY, _MUCH)):
                    return
            with closing(self._readers.connect()) as database:
                while self._shelf.relieve(database, _MANY, _MUCH):
                    pass

    def _caught_up(self) -> bool:
        try:
            with faults(), self._source.exclusive() as pos:
                return self._writer.current(pos)
        except Failed as fault:
            self._condition.fails(fault)
            return False

    def _attempt(self, question: Question[T], *, sketched: bool) -> tuple[T] | None:
        """The answer, or None when the rows cannot give it now."""
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
