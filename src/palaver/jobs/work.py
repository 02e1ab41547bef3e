"""The port for work that other rooms bring: what they see of the engine that runs it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from palaver.index.port import After, Index, Owed, OwedFilter
from palaver.jobs.kind import Kind
from palaver.leases import Leases
from palaver.ledger.port import Ledger


@dataclass(frozen=True, slots=True)
class OwedTo:
    """Something that a conversation of somebody is owed."""

    owner: int
    """The number that the rows of the user carry."""
    user: str
    owed: Owed


@dataclass(frozen=True, slots=True)
class Desk:
    """The books of one user, for whoever works in them."""

    user: str
    ledger: Ledger
    index: Index
    leases: Leases


class Site(Protocol):
    """An engine: everybody in a database, or the one user of a home. Safe to use from any thread;
    may raise StorageFailed."""

    def owed(
        self, wanted: OwedFilter, *, after: After | None = None, limit: int
    ) -> Sequence[OwedTo]:
        """What conversations are owed, in the order (heard, id)."""
        ...

    def desk(self, user: str) -> Desk:
        """Its methods may be awaited in any event loop."""
        ...

    def wake(self) -> None:
        """Has it looked for what is due, soon."""
        ...


class Work(Protocol):
    """Kinds of jobs that somebody brings to an engine."""

    def kinds(self, site: Site) -> Iterable[Kind]: ...

    def close(self) -> None:
        """Ends what it has begun; nothing of it runs any more."""
        ...
