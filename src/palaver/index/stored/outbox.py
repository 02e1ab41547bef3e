"""The outbox in the live tables: what is sent to channels, and how far it has come."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import orjson

from palaver.errors import NotFound
from palaver.index.channel_rows import to_delivery
from palaver.index.connection import Connection, Row, Statements
from palaver.index.records import Delivery
from palaver.index.stored.places import read_delivery


class StoredOutbox:
    """What is sent for one user, from one state of the index."""

    def __init__(self, database: Connection, sql: Statements) -> None:
        self._database = database
        self._sql = sql

    def next(self, limit: int) -> list[Delivery]:
        """What is to be sent next to each place, the oldest first."""
        return _read(self._database.all(self._sql["outbox"], {"limit": limit}))

    def of(self, stream: str | None, message_ids: Sequence[str]) -> dict[str, Delivery]:
        """Those of some lines that are sent, of one stream or of all; of one id the first."""
        values = {"ids": orjson.dumps(list(message_ids)).decode(), "stream": stream}
        rows = self._database.all(self._sql["deliveries_by_id"], values)
        return {one.message_id: one for one in reversed(_read(rows))}

    def one(self, message_id: str) -> Delivery:
        """Raises NotFound."""
        found = self.of(None, [message_id])
        if not found:
            raise NotFound(f"There is no message {message_id} that is sent to a channel.")
        return found[message_id]


def _read(rows: Iterable[Row]) -> list[Delivery]:
    return [to_delivery(stream, read_delivery(stream, tuple(values))) for stream, *values in rows]
