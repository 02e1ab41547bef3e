"""The channel: short messages between all nodes that are connected to a database."""

from __future__ import annotations

import psycopg

from palaver.postgres.connection import QUERIES, Raw
from palaver.postgres.faults import faults
from palaver.postgres.pool import NETWORK

_SECONDS = "10s"
"""How long the server may take to pass a message on."""


class Channel:
    """Speaks and listens on a connection of its own. Every method may raise StorageFailed."""

    def __init__(self, url: str) -> None:
        with faults():
            self._raw: Raw = psycopg.connect(
                url, autocommit=True, application_name="palaver events", **NETWORK
            )
            limits = {"lock": _SECONDS, "statement": _SECONDS, "idle": _SECONDS}
            self._raw.execute(QUERIES["limits"].encode(), limits)
            self._raw.execute(QUERIES["listen"].encode())

    def fileno(self) -> int:
        return self._raw.fileno()

    def say(self, message: str) -> None:
        """Tells all who listen, at once; less than 8,000 bytes."""
        with faults():
            self._raw.execute(QUERIES["notify"].encode(), (message,))

    def heard(self) -> list[str]:
        """What others have said since; does not wait."""
        own = self._raw.info.backend_pid
        with faults():
            return [one.payload for one in self._raw.notifies(timeout=0) if one.pid != own]

    def close(self) -> None:
        self._raw.close()
