"""The port of the engines: what the library needs of wherever conversations are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from palaver.engines.starting import StartReport
from palaver.events import Events, Relay
from palaver.index.port import Index
from palaver.jobs import Jobs
from palaver.jobs.work import Work
from palaver.leases import Leases
from palaver.ledger.port import Finding, Ledger


class Engine(Protocol):
    """The ledger and the index of one user; there once `open` has returned."""

    @property
    def ledger(self) -> Ledger: ...

    @property
    def index(self) -> Index: ...

    @property
    def events(self) -> Events: ...

    @property
    def relay(self) -> Relay:
        """Carries the user's replies to other nodes, where there are any."""
        ...

    @property
    def jobs(self) -> Jobs:
        """Those of the home, or of everybody in the database."""
        ...

    @property
    def leases(self) -> Leases:
        """Those of everybody who uses the home, or the database."""
        ...

    @property
    def work(self) -> Sequence[Work]:
        """What others bring to be done, and this uses: that of somebody else who brought the same,
        where they share a node."""
        ...

    @property
    def remains(self) -> Sequence[str]:
        """What is left of erased words where Palaver does not reach, in sentences."""
        ...

    async def open(self) -> StartReport:
        """Gives what that took. Raises HomeUnusable, DatabaseUnusable, DatabaseTooNew,
        StorageFailed, IndexTooNew."""
        ...

    async def ready(self) -> None:
        """Raises StorageFailed, IndexUnavailable when nothing can be read or written now."""
        ...

    async def settle(self) -> None:
        """Waits until the index has everything the ledger has, and everything is done that is due
        now and can be. Raises StorageFailed, IndexUnavailable."""
        ...

    def wake(self) -> None:
        """Has it looked for what is due, soon; returns at once."""
        ...

    async def verify(self) -> list[Finding]:
        """Reads every line and every row, and says what is wrong with them."""
        ...

    async def close(self) -> None:
        """Returns when everything that was begun is done; nothing happens if it is not open."""
        ...
