"""Sets of tables: those that answer, those that a rebuild fills, and those it has replaced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from palaver.index.connection import Statements

Pause = Callable[[], None]


class Sets(Protocol):
    """The sets of one index; each engine keeps them apart in its own way."""

    live: Statements
    """The statements about the rows that answer."""
    new: Statements
    """The same about the rows that a rebuild fills."""

    def has_new(self) -> bool:
        """Whether a rebuild was begun and not finished. In a transaction of its own."""
        ...

    def begin_new(self) -> None:
        """Makes room for the rows of a rebuild. Inside `writing`."""
        ...

    def swap(self) -> None:
        """The new rows take the place of those that answer. Inside `writing`."""
        ...

    def sweep_new(self, pause: Pause) -> None:
        """What an earlier rebuild has left goes, in short steps; `pause` is called after each."""
        ...

    def sweep_old(self, pause: Pause) -> None:
        """What was replaced goes, in the same way."""
        ...
