"""What is known of the index as a whole."""

from __future__ import annotations

from typing import NamedTuple

from palaver.index.connection import Connection, Statements


class Info(NamedTuple):
    """The one row that says what the other rows are worth."""

    position: int
    """The highest `pos` that has been applied."""
    complete: int
    """Whether every row is there."""
    listed: int
    """Whether every conversation has at least a sketch."""
    erasures: int
    """How often something was erased."""


def read_info(database: Connection, sql: Statements) -> Info:
    (row,) = database.all(sql["info"])
    return Info(*row)
