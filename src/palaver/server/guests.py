"""Guests: those who stay, by a socket or a stream, until they have to leave."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

from palaver.accounts import Principal
from palaver.errors import PalaverError, Stopping

T = TypeVar("T")


class Stay:
    """One who stays."""

    def __init__(self, principal: Principal) -> None:
        self.principal = principal
        self._reason: asyncio.Future[PalaverError] = asyncio.get_running_loop().create_future()

    def end(self, reason: PalaverError) -> None:
        if not self._reason.done():
            self._reason.set_result(reason)

    async def over(self) -> NoReturn:
        """Waits until they have to leave, and raises why: AccessError, Stopping."""
        raise await asyncio.shield(self._reason)

    async def during(self, work: Coroutine[Any, Any, T]) -> T:
        """What `work` gives. It is broken off when they have to leave: raises AccessError,
        Stopping."""
        working, over = asyncio.ensure_future(work), asyncio.ensure_future(self.over())
        try:
            ended, _ = await asyncio.wait({working, over}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (working, over):
                task.cancel()
            await asyncio.gather(working, over, return_exceptions=True)
        return working.result() if working in ended else over.result()


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

    @property
    def closed(self) -> bool:
        return self._closed

    def present(self) -> Sequence[Stay]:
        return list(self._stays)

    def close(self) -> None:
        """Everybody has to leave, and nobody comes any more."""
        self._closed = True
        self.dismiss()

    def dismiss(self) -> None:
        """Everybody has to leave, and may come again."""
        for stay in self.present():
            stay.end(Stopping())
