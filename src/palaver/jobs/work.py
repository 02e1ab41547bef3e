"""The port for work that other rooms bring: what they see of the engine that runs it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from palaver.errors import NotFound
from palaver.index.port import After, Index, Owed, OwedFilter
from palaver.jobs.kind import Kind
from palaver.leases import Leases
from palaver.ledger.port import Ledger

_PAGE = 100


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
        self,
        wanted: OwedFilter,
        *,
        user: str | None = None,
        after: After | None = None,
        limit: int,
    ) -> Sequence[OwedTo]:
        """What conversations are owed, of one user or of all, in the order (heard, id)."""
        ...

    def desk(self, user: str) -> Desk:
        """Its methods may be awaited in any event loop."""
        ...

    def wake(self) -> None:
        """Has it looked for what is due, soon."""
        ...


class Onlooker:
    """What a Site is to somebody who runs nothing."""

    def desk(self, user: str) -> Desk:
        raise NotFound(f"Nobody works for {user} here.")

    def wake(self) -> None:
        """Nobody is there to be woken."""


class Work(Protocol):
    """Kinds of jobs that somebody brings to an engine.

    Two that are made from the same are equal, and have the same hash: those who bring equal work to
    a database share a node, which uses what the first of them brought.
    """

    def kinds(self, site: Site) -> Iterable[Kind]:
        """Asked once; nothing is begun yet."""
        ...

    def close(self) -> None:
        """Ends what it has begun; nothing of it runs any more. The engine that uses it calls it,
        after its last job."""
        ...


def kinds_of(work: Sequence[Work], site: Site) -> list[Kind]:
    return [kind for one in work for kind in one.kinds(site)]


def all_owed(
    site: Site, wanted: OwedFilter, user: str | None = None, after: After | None = None
) -> Iterator[OwedTo]:
    """What conversations are owed, from `after` on, read as far as somebody needs it."""
    while found := site.owed(wanted, user=user, after=after, limit=_PAGE):
        yield from found
        last = found[-1].owed
        after = After(last.heard, last.conversation.id)
