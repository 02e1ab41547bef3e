"""Catching up with the ledger by position, in short transactions."""

from __future__ import annotations

from palaver.index.postgres.database import Database
from palaver.index.postgres.lines import TransactionLines
from palaver.index.postgres.statements import Dialect
from palaver.index.stored.catchup import catch_up_some
from palaver.index.stored.caught import CaughtUp
from palaver.index.stored.tables import Tables

_SOME = 500
"""So many lines are looked at in one transaction."""
_MOST = 20_000
"""With more lines to apply, a rebuild does it, so that nobody waits for it."""


class CatchUp:
    """Applies what was committed and not applied."""

    def __init__(self, database: Database, dialect: Dialect) -> None:
        self._database = database
        self._sql = dialect.live
        self.caught = CaughtUp()
        """What was missing, and is applied."""

    def run(self) -> bool:
        """Applies everything; False when the rows are not complete, and a rebuild has to make them.
        Raises Unusable."""
        if self._stands():  # whoever only looks keeps nobody from writing
            return True
        while (done := self._step()) is None:
            pass
        return done

    def _stands(self) -> bool:
        """Whether everything is applied."""
        with self._database.reading():
            ((position, complete, _, pos),) = self._database.all(self._sql["standing"])
        return bool(complete) and position >= pos

    def _step(self) -> bool | None:
        """Applies some lines; None when there may be more."""
        with self._database.writing():
            ((position, complete, _, pos),) = self._database.all(self._sql["standing"])
            if not complete:
                return False
            if pos - position > _MOST:
                self._database.run(self._sql["start_over"])
                return False
            if position < pos:
                self._apply(position, pos)
                return None
        return True

    def _apply(self, position: int, pos: int) -> None:
        database, sql = self._database, self._sql
        asked = {"position": position, "some": _SOME}
        found: dict[str, int] = dict(database.all(sql["streams_after"], asked))
        lines = TransactionLines(database)
        tables = Tables(database, sql, lines)
        self.caught.add(catch_up_some(tables, lines, found))
        note_erasures(tables)
        # Without lines after the position, those that had the numbers were deleted since.
        database.send(sql["set_position"], (max(found.values(), default=pos),))


def note_erasures(tables: Tables) -> None:
    """Notes what was erased, for whoever keeps vectors or makes the rows again."""
    database, sql = tables.database, tables.sql
    if tables.unsaid:
        database.many(sql["forget"], [(key,) for key in tables.unsaid])
    if tables.erased:
        database.send(sql["count_erasure"])
