"""Patience: how long a model may take, and how often it is asked again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """All times are in seconds."""

    connect: float = 10
    first: float = 180
    """How long until it says anything: it may think first, or have to be loaded."""
    silence: float = 60
    """How long it may then say nothing."""
    pauses: tuple[float, ...] = (0.5, 1.5)
    """How long to wait before each further attempt; there is none once it has said something."""
    longest_pause: float = 5
    """A provider that wants a longer pause is not asked again."""
    whole: float | None = None
    """How long an answer that nobody watches may take in all."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    def pause(self, attempt: int, wanted: float | None) -> float | None:
        """How long to wait after so many attempts, if the provider wants that; None to give up."""
        if attempt > len(self.pauses) or (wanted or 0) > self.longest_pause:
            return None
        return max(self.pauses[attempt - 1], wanted or 0)


UNWATCHED = Patience(first=60, silence=30, whole=60, pauses=())
"""For work that is done in the background: it is done again later, and not at once."""
