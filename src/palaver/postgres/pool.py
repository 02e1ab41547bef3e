"""Connections that are opened when they are needed and kept for the next.

A connection is opened by whoever asks for it: when the server is down that fails at once, with the
cause, and the first to ask after it is back succeeds. No thread works in the background.
"""

from __future__ import annotations

import select
import time
from collections.abc import Generator
from contextlib import contextmanager
from threading import Condition, local
from typing import Any

import psycopg

from palaver.errors import DatabaseUnusable, StorageBusy, StorageFailed
from palaver.postgres.connection import QUERIES, Connection, Owner, Raw
from palaver.postgres.faults import faults, refusal

_OLDEST_SERVER = 150_000
_PREPARED = 500
# A peer that vanishes without a word is noticed within half a minute.
NETWORK: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}


class Pool:
    """The connections of one process to one database. Safe to use from any thread."""

    def __init__(
        self,
        url: str,
        *,
        size: int = 12,
        wait_seconds: float = 5.0,
        lock_seconds: float = 10.0,
        statement_seconds: float = 60.0,
    ) -> None:
        """`wait_seconds` is how long somebody waits for one of the `size` connections.

        A thread that has one and needs another does not wait, as those for whom it would wait may
        be waiting for it: it gets one more than `size`, which is closed when it comes back.
        """
        self._url = url
        self._size = size
        self._patience = wait_seconds
        self._limits = {
            "lock": f"{lock_seconds * 1000:.0f}ms",
            "statement": f"{statement_seconds * 1000:.0f}ms",
            "idle": "600s",
        }
        self._signal = Condition()
        self._idle: list[Connection] = []
        self._open = 0
        self._closed = False
        self._thread = _Held()

    def open(self) -> None:
        """Makes sure that the server is one we can use. Raises DatabaseUnusable."""
        try:
            connection = Connection(self._connect())
        except psycopg.Error as error:
            raise refusal(error) from error
        try:
            row = connection.one(QUERIES["server"])
        finally:
            connection.close()
        version, encoding = row or (0, "")
        if version < _OLDEST_SERVER:
            raise DatabaseUnusable(
                "The database is older than PostgreSQL 15.", remedy="Use PostgreSQL 15 or later."
            )
        if encoding != "UTF8":
            raise DatabaseUnusable(
                f"The database keeps its text as {encoding}, not as UTF8.",
                remedy="Create a database with ENCODING 'UTF8'.",
            )

    def close(self) -> None:
        """Closes what is not in use; the rest is closed when it comes back."""
        with self._signal:
            self._closed = True
            for connection in self._idle:
                connection.close()
            self._open -= len(self._idle)
            self._idle.clear()
            self._signal.notify_all()

    @contextmanager
    def connection(self, owner: Owner | None = None) -> Generator[Connection]:
        """A connection, for the rows of `owner`. Raises StorageBusy, StorageUnreachable."""
        connection = self._take()
        connection.owner = owner
        self._thread.count += 1
        try:
            yield connection
        finally:
            self._thread.count -= 1
            self._give(connection)

    def _take(self) -> Connection:
        deadline = time.monotonic() + self._patience
        while connection := self._kept(deadline):
            if _is_alive(connection):
                return connection
            self._drop(connection)
        try:
            with faults():
                return Connection(self._connect())
        except BaseException:
            self._leave()
            raise

    def _kept(self, deadline: float) -> Connection | None:
        """One that is kept, or None when there is room for a new one: it is counted already."""
        with self._signal:
            free = self._signal.wait_for(
                lambda: self._closed or self._idle or self._has_room(),
                max(0.0, deadline - time.monotonic()),
            )
            if self._closed:
                raise StorageFailed("Palaver is closed.", remedy="Open it again, then try again.")
            if not free:
                raise StorageBusy("Every connection to the database is in use.")
            if self._idle:
                return self._idle.pop()
            self._open += 1
            return None

    def _has_room(self) -> bool:
        return self._open < self._size or self._thread.count > 0

    def _give(self, connection: Connection) -> None:
        with self._signal:
            if not self._closed and connection.usable and self._open <= self._size:
                self._idle.append(connection)
                self._signal.notify()
                return
        self._drop(connection)

    def _drop(self, connection: Connection) -> None:
        connection.close()
        self._leave()

    def _leave(self) -> None:
        with self._signal:
            self._open -= 1
            self._signal.notify()

    def _connect(self) -> Raw:
        raw: Raw = psycopg.connect(
            self._url,
            autocommit=True,
            client_encoding="UTF8",
            application_name="palaver",
            **NETWORK,
        )
        raw.prepared_max = _PREPARED
        raw.execute(QUERIES["limits"].encode(), self._limits)
        return raw


class _Held(local):
    """How many connections this thread has."""

    count = 0


def _is_alive(connection: Connection) -> bool:
    """A server that goes says so: unless there is something to read, nothing has happened."""
    if not connection.usable:
        return False
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN | select.POLLHUP)
    if not poll.poll(0):
        return True
    try:
        connection.one(QUERIES["alive"])
    except StorageFailed:
        return False
    return True
