"""The port of the accounts: where their rows are kept.

Every engine knows the same statements by the same names, and answers with the same columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

Row = tuple[Any, ...]
Change = tuple[str, Mapping[str, object]]
"""The name of a statement, and its values."""


class Rows(Protocol):
    """The rows behind the accounts. Safe from several threads; raises StorageError."""

    def read(self, query: str, **values: object) -> list[Row]:
        """The rows of a named query, with everything that was written before."""
        ...

    def write(self, *changes: Change) -> None:
        """Runs named statements with their values, all or none."""
        ...

    def note(self, query: str, **values: object) -> None:
        """Writes what nobody relies on: it waits for nobody, and a failure does not matter."""
        ...

    def close(self) -> None: ...
