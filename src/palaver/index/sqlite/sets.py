"""The sets of tables in SQLite: the same tables under other names."""

from __future__ import annotations

from palaver.index.sqlite.database import Database
from palaver.index.sqlite.statements import NEW, OLD, QUERIES, QUERIES_OF, SCHEMA, SCHEMAS
from palaver.index.sqlite.sweep import exists, sweep
from palaver.index.stored.sets import Pause


class SqliteSets:
    """The sets of tables in one file."""

    live = QUERIES
    new = QUERIES_OF[NEW]

    def __init__(self, database: Database) -> None:
        self._database = database

    def has_new(self) -> bool:
        return exists(self._database, NEW)

    def begin_new(self) -> None:
        self._database.run(SCHEMAS[NEW]["tables"])

    def swap(self) -> None:
        for step in ("retire", "promote"):
            self._database.run(SCHEMA[step])

    def sweep_new(self, pause: Pause) -> None:
        sweep(self._database, NEW, pause)

    def sweep_old(self, pause: Pause) -> None:
        sweep(self._database, OLD, pause)
