"""The books of one user: the one that answers, the one that is filled, those that were replaced."""

from __future__ import annotations

from palaver.index.postgres.database import Database
from palaver.index.postgres.statements import Dialect
from palaver.index.stored.sets import Pause

_EMPTYING = (
    "empty_postings",
    "empty_segments",
    "empty_waiting",
    "empty_messages",
    "empty_conversations",
    "empty_sources",
    "empty_summaries",
    "empty_days",
    "empty_preferences",
    "empty_memories",
    "empty_uses",
    "empty_oblivion",
    "empty_deliveries",
    "empty_externals",
    "empty_external_messages",
    "empty_external_words",
    "empty_states",
    "empty_streams",
)
_SOME = 2000


class PostgresSets:
    """The books of one user."""

    def __init__(self, database: Database, dialect: Dialect) -> None:
        self.live = dialect.live
        self.new = dialect.new
        self._old = dialect.old
        self._database = database

    def has_new(self) -> bool:
        with self._database.reading():
            return self._database.one(self.live["has_new"]) is not None

    def begin_new(self) -> None:
        self._database.run(self.live["begin_new"])

    def swap(self) -> None:
        self._database.run(self.live["swap"])

    def sweep_new(self, pause: Pause) -> None:
        with self._database.writing():
            self._database.run(self.live["discard_new"])
        self.sweep_old(pause)

    def sweep_old(self, pause: Pause) -> None:
        while self.sweep_some():
            pause()

    def sweep_some(self) -> bool:
        """Empties what was replaced a little; False when nothing is left of it."""
        with self._database.reading():
            if self._database.one(self.live["has_old"]) is None:
                return False
        with self._database.writing():
            for statement in _EMPTYING:
                if self._database.run(self._old[statement], {"some": _SOME}):
                    return True
            self._database.run(self._old["drop_old"])
        return True
