"""Graphs (HNSW): for each user with many vectors an index of theirs alone.

Making one takes minutes, so it is background work: nobody waits for it, and until it is there all
vectors are compared. Of several nodes one does it. What a crash left unfinished is made again.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock
from typing import NamedTuple

from palaver.errors import StorageBusy
from palaver.index.postgres.vectors.statements import QUERIES
from palaver.postgres import Connection, Pool

MANY = 10_000
"""From so many vectors on a graph is worth it; it goes when there are less than a quarter."""
_MOST_DIMENSIONS = 4000
"""The graph of more cannot be made."""
_KILOBYTES_EACH = 2
_LEAST_MEMORY, _MOST_MEMORY = 64 << 10, 1 << 20
"""What making a graph takes, in kilobytes: if it does not fit, it is slow."""


class _Due(NamedTuple):
    """Something to do for one model: whatever graph there is goes."""

    model: int
    dimensions: int
    make: bool
    """Whether another is made."""


class Graphs:
    """Sees to the graphs of all users of a node. Safe to use from any thread."""

    def __init__(self, pool: Pool, model: str) -> None:
        """Graphs are made for the vectors of `model` alone."""
        self._pool = pool
        self._model = model
        self._lock = Lock()
        self._stopped = False
        self._working: set[int] = set()
        """The processes of the server that are at work."""

    def tend(self, owner: int) -> bool:
        """Makes or drops what is due for a user; False when nothing is, or somebody else does it.

        May take minutes. Raises StorageFailed; what was begun is made again the next time.
        """
        with self._pool.connection(owner) as connection:
            if not self._due(connection, owner):
                return False
            try:
                return self._work(connection, owner)
            except StorageBusy:
                if self._stopped:
                    return False
                raise
            finally:
                connection.close()  # its limits and its lock go with it

    def stop(self) -> None:
        """Cuts short what is being made, and lets nothing new begin."""
        with self._lock:
            self._stopped = True
            working = list(self._working)
        for process in working:
            with self._pool.connection() as connection:
                connection.one(QUERIES["cancel"], (process,))

    def _due(self, connection: Connection, owner: int) -> list[_Due]:
        with connection.reading():
            values = {"owner": owner, "most": MANY}
            rows = connection.all(QUERIES["graphs"], values)
        due: list[_Due] = []
        for model, identity, dimensions, whole, count in rows:
            own = identity == self._model and dimensions <= _MOST_DIMENSIONS
            make = own and not whole and count >= MANY
            if make or whole is False or (whole and count < MANY // 4):
                due.append(_Due(model, dimensions, make))
        return due

    def _work(self, connection: Connection, owner: int) -> bool:
        if connection.one(QUERIES["lock_graphs"], (owner,)) != (True,):
            return False
        for due in self._due(connection, owner):  # whoever had the lock may have done it
            with self._at_work(connection.process) as allowed:
                if not allowed:
                    return False
                _do(connection, owner, due)
        return True

    @contextmanager
    def _at_work(self, process: int) -> Generator[bool]:
        with self._lock:
            allowed = not self._stopped
            self._working |= {process} if allowed else set()
        try:
            yield allowed
        finally:
            with self._lock:
                self._working -= {process}


def _do(connection: Connection, owner: int, due: _Due) -> None:
    with connection.reading():
        values = {"owner": owner, "model": due.model}
        part, count = connection.one(QUERIES["part"], values) or (None, 0)
    memory = min(max(count * _KILOBYTES_EACH, _LEAST_MEMORY), _MOST_MEMORY)
    connection.run(QUERIES["graph_limits"], (f"{memory}kB",))
    names = {"owner": owner, "model": due.model, "dimensions": due.dimensions, "part": part}
    connection.script(QUERIES["drop_graph"].format(**names))
    if due.make and part:
        connection.script(QUERIES["make_graph"].format(**names))
