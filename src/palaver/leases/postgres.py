"""Leases of a database: advisory locks of one session, which end with its connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from threading import Lock

from palaver.errors import StorageError
from palaver.leases.waiting import glances
from palaver.postgres import Connection, Pool
from palaver.sql import statements

QUERIES = statements(__package__ or "", "queries.sql")


class PostgresLeases:
    """The Leases of one node; it connects when it is first used.

    A session may lock the same twice, so this notes itself what it holds.
    """

    def __init__(self, url: str) -> None:
        self._pool = Pool(url, size=1)
        self._guard = Lock()
        self._held: dict[str, int] = {}
        """Each name, with the number of the server's process that holds it for us."""

    @asynccontextmanager
    async def hold(self, name: str) -> AsyncGenerator[None]:
        async for _ in glances():
            if await self._taken(name):
                break
        try:
            yield
        finally:
            await asyncio.to_thread(self._give, name)

    async def is_held(self, name: str) -> bool:
        if not await self._taken(name):
            return True
        await asyncio.to_thread(self._give, name)
        return False

    def close(self) -> None:
        self._pool.close()

    async def _taken(self, name: str) -> bool:
        """Whoever is cancelled meanwhile does not keep it."""
        taking = asyncio.ensure_future(asyncio.to_thread(self._take, name))
        try:
            return await asyncio.shield(taking)
        except asyncio.CancelledError:
            if await taking:
                await asyncio.to_thread(self._give, name)
            raise

    def _take(self, name: str) -> bool:
        with self._guard, self._pool.connection() as connection:
            if name in self._held:
                return False
            if connection.one(QUERIES["take"], (name,)) != (True,):
                return False
            self._held[name] = connection.process
            return True

    def _give(self, name: str) -> None:
        with self._guard:
            session = self._held.pop(name)
            # When the connection is lost, the lock is, too.
            with suppress(StorageError), self._pool.connection() as connection:
                if connection.process == session:
                    _unlock(connection, name)


def _unlock(connection: Connection, name: str) -> None:
    try:
        connection.one(QUERIES["give"], (name,))
    except StorageError:
        connection.close()  # the lock goes with it
        raise
