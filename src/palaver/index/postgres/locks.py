"""Locks that nobody waits for: whether another node is at the same work."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from palaver.index.connection import Statements
from palaver.postgres import Connection, Pool

_GLANCE = 0.05


class Locks:
    """The locks of one version of the index; each is held as long as its connection."""

    def __init__(self, pool: Pool, sql: Statements, schema: str) -> None:
        self._pool = pool
        self._sql = sql
        self._schema = schema

    @contextmanager
    def tried(self, owner: int, kind: str) -> Generator[bool]:
        """Whether nobody else holds it; then it is held."""
        with self._pool.connection() as connection:
            held = self._try(connection, owner, kind)
            try:
                yield held
            finally:
                if held:
                    self._release(connection, owner, kind)

    @contextmanager
    def waited(self, owner: int, kind: str, pause: Callable[[float], None]) -> Generator[bool]:
        """Waits for it and holds it; gives whether somebody else held it before."""
        with self._pool.connection() as connection:
            waited = False
            while not self._try(connection, owner, kind):
                waited = True
                pause(_GLANCE)
            try:
                yield waited
            finally:
                self._release(connection, owner, kind)

    def _try(self, connection: Connection, owner: int, kind: str) -> bool:
        return connection.one(self._sql["lock"], (self._name(owner, kind),)) == (True,)

    def _release(self, connection: Connection, owner: int, kind: str) -> None:
        connection.one(self._sql["unlock"], (self._name(owner, kind),))

    def _name(self, owner: int, kind: str) -> str:
        return f"{self._schema} {owner} {kind}"
