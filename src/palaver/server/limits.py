"""Limits: how much one user may do on this node, so that one of them leaves room for the others."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Literal

from palaver.errors import LimitReached
from palaver.settings import LimitSettings

Kind = Literal["messages", "searches", "bytes"]
_MINUTE = 60.0
_SWEEP_AT = 10_000


class Limits:
    """Counts what each user does. Belongs to one event loop.

    Of each kind a user has a minute's worth, which comes back at an even pace.
    """

    def __init__(
        self,
        settings: LimitSettings,
        now: Callable[[], float] = time.monotonic,
        *,
        reached: Callable[[str], None] = lambda kind: None,
    ) -> None:
        """`reached` is told of each that is refused."""
        self._now = now
        self._reached = reached
        self._a_minute: dict[Kind, int] = {
            "messages": settings.messages,
            "searches": settings.searches,
            "bytes": settings.megabytes * 1_000_000,
        }
        self._most_open = settings.sockets
        self._spent: dict[tuple[str, Kind], tuple[float, float]] = {}
        """User and kind → how much was spent and has not come back, and when that was."""
        self._open: Counter[str] = Counter()

    def spend(self, user: str, kind: Kind, amount: float = 1) -> None:
        """Raises LimitReached, and then nothing was spent. More than a minute's worth at once is
        taken from whoever has spent nothing."""
        most = self._a_minute[kind]
        now, spent = self._now(), self._left_over(user, kind)
        too_much = spent + min(amount, most) - most
        if too_much > 0:
            self._reached(kind)
            seconds = too_much * _MINUTE / most
            raise LimitReached(
                f"There may be no more than {most:,} {kind} in a minute.", retry_after=seconds
            )
        self._sweep()
        self._spent[user, kind] = (spent + amount, now)

    @contextmanager
    def open(self, user: str) -> Generator[None]:
        """One more socket or stream of a user until the block ends. Raises LimitReached."""
        if self._open[user] >= self._most_open:
            self._reached("open")
            raise LimitReached(f"There may be no more than {self._most_open:,} open at a time.")
        self._open[user] += 1
        try:
            yield
        finally:
            self._open[user] -= 1
            if not self._open[user]:
                del self._open[user]

    def _left_over(self, user: str, kind: Kind) -> float:
        spent, when = self._spent.get((user, kind), (0.0, 0.0))
        return max(0.0, spent - (self._now() - when) * self._a_minute[kind] / _MINUTE)

    def _sweep(self) -> None:
        """Forgets those to whom everything has come back."""
        if len(self._spent) > _SWEEP_AT:
            self._spent = {
                (user, kind): value
                for (user, kind), value in self._spent.items()
                if self._left_over(user, kind)
            }
