"""A home, as those see it who bring work to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from palaver.errors import NotFound
from palaver.index.port import After, OwedFilter
from palaver.index.sqlite.index import SqliteIndex
from palaver.jobs.work import Desk, OwedTo
from palaver.leases import Leases
from palaver.ledger.port import Ledger

_OWNER = 0
"""Rows of a home carry no number: all of them are of one user."""


@dataclass(frozen=True, slots=True)
class HomeSite:
    """The Site of the one user of a home."""

    user: str
    ledger: Ledger
    index: SqliteIndex
    leases: Leases
    waken: Callable[[], None]

    def owed(
        self,
        wanted: OwedFilter,
        *,
        user: str | None = None,
        after: After | None = None,
        limit: int,
    ) -> Sequence[OwedTo]:
        if user not in (None, self.user) or self.index.problem():
            return []  # one who only looks does not have the index made again and again
        found = self.index.undigested(wanted, after=after, limit=limit)
        return [OwedTo(_OWNER, self.user, one) for one in found]

    def desk(self, user: str) -> Desk:
        """Raises NotFound for anybody else."""
        if user != self.user:
            raise NotFound(f"There is no user {user} in this home.")
        return Desk(user, self.ledger, self.index, self.leases)

    def wake(self) -> None:
        self.waken()
