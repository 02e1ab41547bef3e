"""Exchanges with outsiders in the live tables."""

from __future__ import annotations

from palaver.errors import NotFound
from palaver.index.channel_rows import to_external
from palaver.index.connection import Connection, Statements
from palaver.index.port import After
from palaver.index.records import ExternalMeta
from palaver.index.stored.places import read_external
from palaver.settings import Tier

_AT_THE_TOP = After("~", "~")


class StoredExternals:
    """The exchanges of one user, from one state of the index."""

    def __init__(self, database: Connection, sql: Statements) -> None:
        self._database = database
        self._sql = sql

    def page(
        self,
        channel: str | None,
        trust: Tier | None,
        q: str | None,
        limit: int,
        after: After | None,
    ) -> list[ExternalMeta]:
        start = after or _AT_THE_TOP
        values = {
            "channel": channel,
            "trust": trust,
            "words": q.casefold() if q else None,
            "updated": start.updated,
            "id": start.id,
            "limit": limit,
        }
        rows = self._database.all(self._sql["list_externals"], values)
        return [to_external(read_external(row)) for row in rows]

    def one(self, external_id: str) -> ExternalMeta:
        """Raises NotFound."""
        row = self._database.one(self._sql["external"], (external_id,))
        if row is None:
            raise NotFound(f"There is no exchange {external_id}.")
        return to_external(read_external(row))

    def of(self, channel: str, party: str) -> ExternalMeta | None:
        values = {"channel": channel, "party": party}
        row = self._database.one(self._sql["external_of"], values)
        return to_external(read_external(row)) if row else None
