"""The port of leases: what every adapter promises, wherever the others are."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol


class Leases(Protocol):
    """One holder at a time for each name, in this process and in all others."""

    def hold(self, name: str) -> AbstractAsyncContextManager[None]:
        """Waits until nobody else holds it, and holds it until the block ends.

        It is lost without a word when the connection to a database is: what must not happen twice
        needs a key as well. Raises StorageFailed.
        """
        ...

    async def is_held(self, name: str) -> bool:
        """Whether somebody holds it now, in this process or in another. Raises StorageFailed."""
        ...

    def close(self) -> None:
        """Nobody may hold one any more."""
        ...
