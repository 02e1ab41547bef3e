"""The port of the events: hints that something was stored, for whoever listens."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Hint:
    """The ledger of a user has grown."""

    user: str
    pos: int
    """Up to here at least."""
    missed: bool = False
    """Whether hints may have been lost: then look, whatever `pos` says."""

    def and_then(self, later: Hint) -> Hint:
        """Both in one."""
        return Hint(self.user, max(self.pos, later.pos), self.missed or later.missed)


class Heard(Protocol):
    """What one listener hears. However slow it is, no more than one hint waits for it."""

    async def next(self) -> Hint:
        """Waits for the next hint; all that came since the last one are in it."""
        ...


class Events(Protocol):
    """Carries hints from whoever commits to whoever listens."""

    def publish(self, hint: Hint) -> None:
        """Tells all who listen to the user. From any thread; neither waits nor raises."""
        ...

    def listen(self, user: str) -> AbstractContextManager[Heard]:
        """Hears of everything that is stored for the user from now until the block ends.

        Called in an event loop, and used in that one only.
        """
        ...
