"""Notes: what became of jobs, beside the tables of the queue; and what stands in these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib.metadata import version
from importlib.resources import files
from typing import NamedTuple

from palaver.errors import PalaverError
from palaver.jobs.item import Note
from palaver.postgres import EVERYBODY, Pool
from palaver.sql import statements

_STANDS_FOR = "palaver_jobs"


class Queued(NamedTuple):
    """A job as the queue has it."""

    number: int
    running: bool


class Notes:
    """The tables of one version. Safe to use from any thread; may raise StorageFailed."""

    def __init__(self, pool: Pool, index: str) -> None:
        """`index` is the version of the index: nodes of another version have other work."""
        self._pool = pool
        library = version("procrastinate").replace(".", "_")
        self.schema = f"palaver_jobs_{library}_{index}"
        given = statements(__package__ or "", "queries.sql")
        self.sql = {
            name: text.replace(f"{_STANDS_FOR}.", f"{self.schema}.")
            .replace(f"SCHEMA {_STANDS_FOR};", f"SCHEMA {self.schema};")
            .replace(f"EXISTS {_STANDS_FOR} ", f"EXISTS {self.schema} ")
            .replace(f"search_path = {_STANDS_FOR};", f"search_path = {self.schema};")
            .replace(f"'{_STANDS_FOR}'", f"'{self.schema}'")
            for name, text in given.items()
        }

    def exist(self) -> bool:
        """Whether there is a queue of this version."""
        with self._pool.connection() as connection:
            return connection.one(self.sql["tables_exist"]) == (True,)

    def make(self, tables: str) -> None:
        """Makes the tables, `tables` being those of the library; queues that nobody uses go."""
        own = (files(__package__ or "") / "schema.sql").read_text(encoding="utf-8")
        with self._pool.connection() as connection, connection.writing():
            connection.run(self.sql["tables_lock"])
            if connection.one(self.sql["tables_exist"]) != (True,):
                connection.script(f"{self.sql['make_schema']}\n{tables}\n{own}")
            connection.script(self.sql["drop_others"])

    def all(self) -> Mapping[str, Note]:
        if not self.exist():
            return {}
        with self._pool.connection(EVERYBODY) as connection:
            (found,) = connection.glance((self.sql["notes"], ()))
        return {row[0]: Note(*row) for row in found.rows}

    def queued(self) -> Mapping[str, Queued]:
        """Of those that run and wait at once, the ones that run."""
        if not self.exist():
            return {}
        with self._pool.connection() as connection:
            found = connection.all(self.sql["queued"])
        running = {id_: Queued(number, running) for id_, number, running in found if running}
        return {id_: Queued(number, running) for id_, number, running in found} | running

    def workers(self, seconds: float) -> int:
        """How many have shown that they are alive within so many seconds."""
        if not self.exist():
            return 0
        with self._pool.connection() as connection:
            return (connection.one(self.sql["workers"], (seconds,)) or (0,))[0]

    def fail(self, owner: int, id_: str, error: PalaverError) -> int:
        """Notes what went wrong; gives how often something has by now."""
        values = {"code": error.code, "message": error.message, "remedy": error.remedy}
        with self._pool.connection(owner) as connection, connection.writing():
            row = connection.one(self.sql["note_failure"], {"owner": owner, "id": id_, **values})
        return (row or (1,))[0]

    def pause(self, owner: int, id_: str, after: datetime) -> None:
        self._run("note_pause", {"owner": owner, "id": id_, "after": after})

    def advance(self, owner: int, id_: str, done: int, total: int) -> None:
        self._run("note_progress", {"owner": owner, "id": id_, "done": done, "total": total})

    def cancel(self, owner: int, id_: str, mark: str) -> None:
        self._run("note_cancelled", {"owner": owner, "id": id_, "mark": mark})

    def forget(self, ids: Sequence[str]) -> None:
        self._run("forget", (list(ids),))

    def let_go(self, id_: str) -> None:
        self._run("let_go", (id_,))

    def _run(self, statement: str, values: Mapping[str, object] | Sequence[object]) -> None:
        with self._pool.connection(EVERYBODY) as connection, connection.writing():
            connection.run(self.sql[statement], values)
