"""The breaker: a model that keeps failing is left alone for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta

from palaver.errors import ModelError, ModelResting
from palaver.times import Clock

FAILURES = 3
"""After so many in a row, of whatever kind, the model rests."""
SHORTEST, LONGEST = timedelta(minutes=1), timedelta(minutes=30)
"""How long at first, and at most: each time in vain it is twice as long."""


class Breaker:
    """Counts the failures of one model, for everybody in a process who asks it.

    When the model has rested one request is let through. If that fails, too, it rests again.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failures = 0
        self._rests: int = 0
        """How often in a row it has had to rest."""
        self._since = clock()
        self._tried = asyncio.Event()
        """Set while nobody tries out whether it is well again."""
        self._tried.set()

    async def tried(self) -> None:
        """Returns when it is known whether the model is well again, if somebody tries it out."""
        while self._probing:
            await self._tried.wait()

    @contextmanager
    def watching(self) -> Generator[None]:
        """The block asks the model: a ModelError from it counts. Raises ModelResting instead of
        running it while the model rests."""
        rests = self._rests
        self._admit()
        try:
            yield
        except ModelError:
            self._ended(rests, failed=True)
            raise
        except BaseException:  # it was given up, which tells nothing about the model
            if rests == self._rests:
                self._tried.set()
            raise
        self._ended(rests, failed=False)

    def _admit(self) -> None:
        if not self._rests:
            return
        if self._probing or self._is_resting():
            raise ModelResting
        self._tried.clear()

    @property
    def _probing(self) -> bool:
        return not self._tried.is_set()

    def _is_resting(self) -> bool:
        """A clock that was set back ends a rest: it must not become a long one."""
        rest = min(SHORTEST * 2 ** min(self._rests - 1, 16), LONGEST)
        return timedelta() <= self._clock() - self._since < rest

    def _ended(self, rests: int, *, failed: bool) -> None:
        if rests != self._rests:  # it began before the model had to rest: that is known by now
            return
        self._tried.set()
        if not failed:
            self._failures = self._rests = 0
            return
        self._failures += 1
        if self._rests or self._failures >= FAILURES:
            self._rests += 1
            self._since = self._clock()
