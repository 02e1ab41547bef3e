"""Guests: those who stay, by a socket or a stream, until they have to leave."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterable
from contextlib import contextmanager

from palaver.accounts import Principal
from palaver.errors import PalaverError, Stopping


class Stay:
    """One who stays."""

    def __init__(self, principal: Principal) -> None:
        self.principal = principal
        self._reason: asyncio.Future[PalaverError] = asyncio.get_running_loop().create_future()

    def end(self, reason: PalaverError) -> None:
        if not self._reason.done():
            self._reason.set_result(reason)

    async def over(self) -> None:
        """Waits until they have to leave, and raises why: AccessError, Stopping."""
        raise await asyncio.shield(self._reason)


class Guests:
    """Everybody who stays. Belongs to one event loop."""

    def __init__(self) -> None:
        self._stays: dict[Stay, None] = {}
        self._closed = False

    @contextmanager
    def stay(self, principal: Principal) -> Generator[Stay]:
        """Somebody stays until the block ends. Raises Stopping when nobody may come any more."""
        if self._closed:
            raise Stopping
        stay = Stay(principal)
        self._stays[stay] = None
        try:
            yield stay
        finally:
            del self._stays[stay]

    def present(self) -> Iterable[Stay]:
        return list(self._stays)

    def close(self) -> None:
        """Everybody has to leave, and nobody comes any more."""
        self._closed = True
        for stay in self.present():
            stay.end(Stopping())
