"""Whom a commit in PostgreSQL tells: the index in its transaction, everybody else after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from palaver.ledger.lines import Line
from palaver.postgres import Connection


@dataclass(frozen=True, slots=True)
class Commit:
    """What one commit adds for one user."""

    owner: int
    user: str
    before: int
    """The user's position before it."""
    lines: Sequence[Line]

    @property
    def pos(self) -> int:
        return self.lines[-1].pos


class PostgresFollower(Protocol):
    """Who follows every commit inside its transaction: the index."""

    def apply(self, connection: Connection, commits: Sequence[Commit]) -> None:
        """Writes what follows from the lines, which are written already.

        `connection` sees nobody's rows until `act_for` says whose. Whatever this raises, what it
        wrote is taken back, and the lines are committed all the same.
        """
        ...

    def behind(self, commits: Sequence[Commit], error: Exception) -> None:
        """The commits are there, but `apply` raised. Called after the transaction; never raises."""
        ...


Committed = Callable[[Commit], None]
"""Told after each commit, in the thread that commits: it must neither wait nor raise."""
