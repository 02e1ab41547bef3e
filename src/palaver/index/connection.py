"""A connection to the tables of an index: what the shared code needs of every engine.

Statements go by name, in a mapping that the engine hands in: engines spell them differently, but
each takes the same values and gives the same columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

Row = tuple[Any, ...]
Values = Sequence[Any] | Mapping[str, Any]
Statements = Mapping[str, str]


class Connection(Protocol):
    """One connection, used by one thread at a time."""

    # -- statements: inside `reading` or `writing` -------------------------------------------

    def run(self, sql: str, values: Values = ()) -> int:
        """How many rows it touched."""
        ...

    def send(self, sql: str, values: Values = ()) -> None:
        """Runs it, before anything else is asked; nobody waits for an answer."""
        ...

    def many(self, sql: str, rows: Iterable[Values]) -> None:
        """Runs it for each of the rows, in the same way."""
        ...

    def one(self, sql: str, values: Values = ()) -> Row | None:
        """The first row, if there is one."""
        ...

    def all(self, sql: str, values: Values = ()) -> list[Row]: ...

    def all_of(self, *asked: tuple[str, Values]) -> list[list[Row]]:
        """The rows of several statements, asked together."""
        ...

    def each(self, sql: str, values: Values = ()) -> Iterator[Row]:
        """The rows one by one, for those who must not hold them all."""
        ...

    # -- transactions ------------------------------------------------------------------------

    def reading(self) -> AbstractContextManager[None]:
        """One state of the index."""
        ...

    def writing(self) -> AbstractContextManager[None]:
        """All or nothing; nobody else writes rows of this index meanwhile."""
        ...
