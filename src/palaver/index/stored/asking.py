"""Asking: gets an answer from rows, or from the ledger, or says why there is none."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from typing import TypeVar

from palaver.errors import PalaverError
from palaver.index.condition import Condition
from palaver.index.connection import Connection, Statements
from palaver.index.faults import Failed, Unusable
from palaver.index.port import Kept, Unfolded
from palaver.index.stored.answers import Answers
from palaver.index.stored.info import read_info
from palaver.index.stored.states import KeptStates
from palaver.ledger.port import Finding

T = TypeVar("T")
_PATIENCE = 30.0
_GLANCE = 0.01
MANY, MUCH = 1024, 2 << 20
"""When so many messages wait, or so many bytes of text, a search takes their words in first."""


class Asking(ABC):
    """Puts questions to the index of one user. Synchronous; every method may wait."""

    def __init__(self, condition: Condition) -> None:
        self._condition = condition

    def ask(
        self,
        question: Callable[[Answers], T],
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

    def attempt(self, question: Callable[[Answers], T]) -> tuple[T] | None:
        """The answer from complete rows, or None when they cannot give it now."""
        return self._attempt(question, sketched=False, words=False)

    def keep(self, conversation_id: str, state: Kept, read: Unfolded) -> bool:
        """Keeps a state; False when what it was folded from has changed, or nothing can be kept."""
        # What stands in the way meets whoever asks, too, and is seen to there.
        with suppress(Unusable, Failed, PalaverError), self._rows() as (database, sql):
            return _keep(database, sql, conversation_id, state, read)
        return False

    @abstractmethod
    def _rows(self) -> AbstractContextManager[tuple[Connection, Statements]]:
        """The live rows, to write to them. Raises Unusable, Failed, IndexTooNew."""

    @abstractmethod
    def verify(self) -> list[Finding]:
        """What is wrong with the rows. Raises IndexUnavailable when there are none to look at."""

    @abstractmethod
    def settle(self) -> None:
        """Waits until everything is applied, and kept. Raises IndexUnavailable when it cannot."""

    @abstractmethod
    def _attempt(
        self, question: Callable[[Answers], T], *, sketched: bool, words: bool
    ) -> tuple[T] | None:
        """The answer, or None when the rows cannot give it now."""


def _keep(
    database: Connection, sql: Statements, conversation_id: str, state: Kept, read: Unfolded
) -> bool:
    with database.writing():
        row = database.one(sql["number_of_conversation"], (conversation_id,))
        if row is None or not read_info(database, sql).complete:
            return False
        return KeptStates(database, sql).keep(row[0], conversation_id, state, read)
