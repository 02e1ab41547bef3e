"""The index in SQLite: one file per user, made from the ledger and free to delete."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from palaver.errors import IndexTooNew, IndexUnavailable, StorageFailed
from palaver.index.condition import Condition
from palaver.index.faults import Failed, Unusable
from palaver.index.fulltext.shelf import Shelf
from palaver.index.meaning.meaning import Load, Meanings
from palaver.index.port import After, Owed, OwedFilter
from palaver.index.sqlite.asking import SqliteAsking
from palaver.index.sqlite.effort import Effort
from palaver.index.sqlite.keeper import Keeper
from palaver.index.sqlite.readers import Readers
from palaver.index.sqlite.site import SqliteSite
from palaver.index.sqlite.statements import QUERIES
from palaver.index.sqlite.vectors_file import VectorsFile
from palaver.index.sqlite.writer import Writer
from palaver.index.stored.caught import CaughtUp
from palaver.index.stored.front import Front
from palaver.index.stored.rebuilds import Rebuilds
from palaver.ledger.lines import Line
from palaver.ledger.port import Finding, KeyHit, LineSource

T = TypeVar("T")


class SqliteIndex(Front):
    """An Index and a Follower for the home of one user."""

    def __init__(
        self,
        path: Path,
        user: str,
        source: LineSource,
        *,
        vectors: Path | None = None,
        load: Load | None = None,
    ) -> None:
        """`path` is that of the file, in a folder of the home. `load` gives the model that tells
        what texts mean; without it there is full text only. Vectors are kept in `vectors`, in the
        home unless told otherwise."""
        condition = Condition()
        home = path.parent.parent
        rebuilds = Rebuilds(SqliteSite(path, home / "jobs.lock", condition), source, condition)
        self._readers = Readers(path)
        shelf = Shelf(QUERIES)
        self._meanings = Meanings(VectorsFile(vectors or home / "vectors.db"), load, condition)
        self._keeper = Keeper(self._readers, shelf, self._meanings)
        self._writer = Writer(path, source, condition, rebuilds, self._keeper.forget)
        rebuilds.on_swap = self._swapped
        asking = SqliteAsking(
            source,
            self._writer,
            self._readers,
            rebuilds,
            condition=condition,
            shelf=shelf,
            keeper=self._keeper,
        )
        super().__init__(
            user,
            source,
            asking,
            rebuilds=rebuilds,
            condition=condition,
            meanings=self._meanings,
        )

    # -- Follower ----------------------------------------------------------------------------

    def seen(self) -> Mapping[str, int]:
        return self._writer.seen()

    def position(self) -> int:
        return self._writer.position()

    def lost(self, stream: str) -> bool:
        return self._writer.lost(stream)

    def find_key(self, digest: str, pos: int) -> KeyHit | None:
        return self._writer.find_key(digest, pos)

    def apply(self, lines: Sequence[Line], pos: int) -> None:
        self._writer.apply(lines, pos)
        self._keeper.hear(len(lines))

    # -- what is done in the background ------------------------------------------------------

    @property
    def rebuilds(self) -> Rebuilds:
        return self._rebuilds

    @property
    def effort(self) -> Effort:
        """What becomes of the vectors."""
        return self._keeper.effort

    def problem(self) -> IndexUnavailable | None:
        """Why not every question can be answered, if so."""
        ailing = self._condition.degraded or self._condition.rebuilding
        return self._condition.problem() if ailing else None

    def check(self) -> list[Finding]:
        """What is wrong with the rows, if anything. Raises IndexUnavailable."""
        return self._asking.verify()

    def undigested(
        self, wanted: OwedFilter, *, after: After | None = None, limit: int
    ) -> list[Owed]:
        """What conversations are owed, as `owed` tells it. Raises IndexUnavailable."""
        return self._owed(wanted, after, limit)

    def learned(self) -> tuple[int, int]:
        """How many pieces have a vector, and how many are to have one; none when nobody can tell
        now."""
        if not self._meanings.wanted:
            return 0, 0
        with suppress(Unusable, Failed, IndexTooNew), closing(self._readers.connect()) as database:
            return self._keeper.count(database)
        return 0, 0

    def learn(self) -> None:
        """Has the vectors that are missing made at once."""
        self._keeper.try_again()

    def leave_unlearned(self) -> None:
        """Has them made when there are others, or somebody wants them. Raises StorageFailed."""
        try:
            with closing(self._readers.connect()) as database:
                self._keeper.leave(database)
        except (Unusable, Failed) as fault:
            raise StorageFailed(str(fault)) from fault

    # -- opening and closing -----------------------------------------------------------------

    async def open(self) -> CaughtUp:
        """Catches up with the ledger, or begins a rebuild; gives what that took.

        Raises IndexTooNew.
        """
        return await asyncio.to_thread(self._open)

    def _open(self) -> CaughtUp:
        caught = self._writer.caught
        try:
            self._writer.open()
        except Unusable as fault:
            caught.rebuild = self._rebuilds.start_at_once(fault)
        except Failed as fault:
            self._condition.fails(fault)
        self._keeper.start()
        return caught

    def _swapped(self) -> None:
        """A rebuild is done. What was erased meanwhile may still have its vectors."""
        self._writer.swapped()
        self._keeper.wake()

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._keeper.stop()
        self._rebuilds.stop()
        self._readers.close()
        self._writer.close()
        self._meanings.close()
