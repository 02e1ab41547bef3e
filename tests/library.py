"""What tests of the library share: a clock that a test moves, and a home of its own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from palaver.app import Palaver
from palaver.settings import Settings


class Clock:
    """Every reading is a second after the one before, from 14 February 2026, 09:00 UTC on."""

    def __init__(self) -> None:
        self.now = datetime(2026, 2, 14, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    def advance(self, **by: float) -> None:
        self.now += timedelta(**by)


def library(home: Path, clock: Clock, *, timezone: str = "UTC") -> Palaver:
    """The library on a home, in a time zone that does not depend on the machine."""
    return Palaver.open(settings=Settings.load(home, user__timezone=timezone), clock=clock)
