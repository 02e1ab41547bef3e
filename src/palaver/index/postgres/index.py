"""The index of one user in PostgreSQL, made from the ledger and free to delete."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from palaver.index.faults import Incomplete, Unusable
from palaver.index.postgres.asking import PostgresAsking
from palaver.index.postgres.catchup import CatchUp, note_erasures
from palaver.index.postgres.shared import Shared
from palaver.index.postgres.site import PostgresSite
from palaver.index.stored.catchup import catch_up, compare
from palaver.index.stored.caught import CaughtUp
from palaver.index.stored.front import Front
from palaver.index.stored.info import read_info
from palaver.index.stored.rebuilds import Rebuilds
from palaver.index.stored.tables import Tables
from palaver.ledger.port import Finding
from palaver.ledger.postgres import PostgresSource

_GLANCE = 0.1
_LITTLE = 1 << 20
"""So many bytes are applied while nobody can commit."""


class PostgresIndex(Front):
    """An Index in the tables of a database; the node's committer tells its follower."""

    def __init__(self, shared: Shared, source: PostgresSource) -> None:
        self._shared = shared
        self._holding = holding = shared.holding(source.owner)
        self._books = holding.books
        site = PostgresSite(self._books, shared.locks)
        rebuilds = Rebuilds(site, source, holding.condition)
        rebuilds.on_swap = self._swapped
        self._looking = asking = PostgresAsking(
            holding, source, rebuilds, lambda: shared.settle(source.user)
        )
        super().__init__(
            source.user,
            source,
            asking,
            rebuilds=rebuilds,
            condition=holding.condition,
            meanings=holding.meanings,
        )

    async def open(self) -> CaughtUp:
        """Catches up with the ledger, or begins a rebuild; gives what that took.

        Raises StorageFailed.
        """
        return await asyncio.to_thread(self._open)

    async def close(self) -> None:
        await asyncio.to_thread(self.stop)

    def stop(self) -> None:
        """Ends a rebuild that is under way."""
        self._rebuilds.stop()

    def check(self, pause: Callable[[], None]) -> list[Finding]:
        """What is wrong with the rows, if anything. `pause` is called again and again, and may
        raise to end it. Raises IndexUnavailable."""
        try:
            return self._looking.verify(pause)
        finally:
            self._rebuilds.stop()  # one that it found to be needed is a job of its own

    def make(
        self, progress: Callable[[int, int], None], pause: Callable[[], None], *, afresh: bool
    ) -> None:
        """Makes the rows that are missing, or with `afresh` every row; `pause` may end it.

        Raises IndexDegraded.
        """
        self._rebuilds.start("The index is to be made.", afresh=afresh)
        try:
            while self._rebuilds.running:
                self._rebuilds.wait(_GLANCE)
                health = self.health()
                progress(health.done, health.total)
                pause()
        finally:
            self._rebuilds.stop()
        if self._condition.degraded:
            raise self._condition.problem()

    def _swapped(self) -> None:
        """A rebuild is done. What was erased meanwhile may still have its vectors."""
        self._holding.swept = False
        self._shared.wake()

    def _open(self) -> CaughtUp:
        try:
            return self._compare()
        except Unusable as fault:
            return CaughtUp(rebuild=self._rebuilds.start_at_once(fault))

    def _compare(self) -> CaughtUp:
        """Looks at every stream, as positions alone do not tell of lines that others wrote."""
        database, sql = self._books.database(), self._books.dialect.live
        if self._books.sets().has_new():
            raise Incomplete("A rebuild was interrupted.")
        with database.reading():
            whole = dict(database.all(sql["whole"]))
        catching = CatchUp(database, self._books.dialect)
        if whole == self._source.sizes() and catching.run():
            return catching.caught
        caught = catching.caught
        with self._source.exclusive() as pos, database.writing():
            sizes, tables = self._source.sizes(), Tables(database, sql, self._source)
            complete = read_info(database, sql).complete
            if complete and compare(tables.records(), sizes).backlog < _LITTLE:
                caught.add(catch_up(tables, self._source, sizes))
                note_erasures(tables)
                database.run(sql["set_position"], (pos,))
            else:
                database.run(sql["start_over"])
                complete = False
            self._condition.loses([name for (name,) in database.all(sql["lost_streams"])])
        if not complete:
            raise Incomplete("The index is not complete.")
        return caught
