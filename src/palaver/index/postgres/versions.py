"""Versions: a node says which one it uses, and the tables of those that nobody uses go.

Nobody would take out of these what is erased. Whoever uses a version holds a lock in its name, with
all others who do, on a connection that is kept for that. When it is cut, it is taken again, and the
tables are made again if they went meanwhile.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from threading import Event, Thread

from palaver.errors import PalaverError
from palaver.index.postgres.schema import make_tables
from palaver.index.postgres.statements import Dialect
from palaver.postgres import Connection, Pool

_LOOK = 5.0
_SPARED = 60.0
"""So many seconds a version is unused before it goes: whoever was cut off has come back by then."""

log = logging.getLogger(__name__)


class Versions:
    """One thread that holds the version of a node, and looks for those that nobody uses."""

    def __init__(
        self,
        pool: Pool,
        dialect: Dialect,
        *,
        look: float = _LOOK,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pool = pool
        self._dialect = dialect
        self._sql = dialect.live
        self._look = look
        self._now = now
        self._stop = Event()
        self._held: Future[None] = Future()
        self._thread = Thread(target=self._run, name="palaver-version", daemon=True)
        self._unused: dict[str, float] = {}
        """Since when nobody was seen to use a version."""

    def open(self) -> None:
        """Holds the version; its tables are there. Raises StorageFailed, DatabaseUnusable."""
        self._thread.start()
        self._held.result()

    def close(self) -> None:
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()

    # -- in the thread -----------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._hold()
            except Exception as error:
                if not self._held.done():
                    self._held.set_exception(error)
                    return
                if not isinstance(error, PalaverError):  # else the database is looked for again
                    log.exception("Something went wrong with the versions of the index.")
            self._stop.wait(self._look)

    def _hold(self) -> None:
        with self._pool.connection() as connection:
            try:
                connection.one(self._sql["use_version"], (self._dialect.schema,))
                make_tables(self._pool, self._dialect)
                if not self._held.done():
                    self._held.set_result(None)
                while not self._stop.wait(self._look):
                    self._drop_unused(connection)
            finally:
                connection.close()  # the lock goes with it

    def _drop_unused(self, connection: Connection) -> None:
        now, unused = self._now(), dict[str, float]()
        for (name,) in connection.all(self._sql["other_versions"], (self._dialect.schema,)):
            with connection.writing():
                if connection.one(self._sql["take_version"], (name,)) == (True,):
                    unused[name] = self._unused.get(name, now)
                    if now - unused[name] >= _SPARED:
                        connection.script(self._sql["drop_version"].format(name=name))
        self._unused = unused
