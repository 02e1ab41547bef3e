"""What becomes of the vectors of a home: the keeper tells it, and anybody may ask."""

from __future__ import annotations

from datetime import datetime, timedelta

from palaver.errors import PalaverError
from palaver.times import Clock, system_clock


class Effort:
    """Whether vectors are being made, and why not if they cannot be."""

    def __init__(self, clock: Clock = system_clock) -> None:
        self._clock = clock
        self.running = False
        self.attempts = 0
        """How often it has failed in a row."""
        self.problem: PalaverError | None = None
        self.after: datetime | None = None
        """When it is tried again, if it failed."""
        self.cancelled: int | None = None
        """How many pieces there were when somebody did not want it: it rests until there are
        others."""

    def succeeds(self) -> None:
        self.running, self.attempts, self.problem, self.after = False, 0, None, None

    def fails(self, problem: PalaverError, seconds: float) -> None:
        self.running, self.problem = False, problem
        self.attempts += 1
        self.after = self._clock() + timedelta(seconds=seconds)
