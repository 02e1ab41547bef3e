"""Locks that nobody waits for: whether another node is at the same work."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import BoundedSemaphore

from palaver.index.connection import Statements
from palaver.postgres import Connection, Pool

_GLANCE = 0.05
_MOST_WAITED = 3
"""So many at a time are held or waited for on one node: each takes a connection."""


class Locks:
    """The locks of one version of the index; each is held as long as its connection."""

    def __init__(self, pool: Pool, sql: Statements, schema: str) -> None:
        self._pool = pool
        self._sql = sql
        self._schema = schema
        self._turns = BoundedSemaphore(_MOST_WAITED)

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
        with self._turn(pause), self._pool.connection() as connection:
            waited = False
            while not self._try(connection, owner, kind):
                waited = True
                pause(_GLANCE)
            try:
                yield waited
            finally:
                self._release(connection, owner, kind)

    @contextmanager
    def _turn(self, pause: Callable[[float], None]) -> Generator[None]:
        while not self._turns.acquire(blocking=False):
            pause(_GLANCE)
        try:
            yield
        finally:
            self._turns.release()

    def _try(self, connection: Connection, owner: int, kind: str) -> bool:
        return connection.one(self._sql["lock"], (self._name(owner, kind),)) == (True,)

    def _release(self, connection: Connection, owner: int, kind: str) -> None:
        try:
            connection.one(self._sql["unlock"], (self._name(owner, kind),))
        except BaseException:
            connection.close()  # the lock goes with it, and with nobody else who would get it
            raise

    def _name(self, owner: int, kind: str) -> str:
        return f"{self._schema} {owner} {kind}"
