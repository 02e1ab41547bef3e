"""Asking: gets an answer from rows, or from the ledger, or says why there is none."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeVar

from palaver.index.condition import Condition
from palaver.index.stored.answers import Answers
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
