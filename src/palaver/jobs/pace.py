"""How fast: how many jobs run at once, and what whoever looks for them waits for."""

from __future__ import annotations

from dataclasses import dataclass

RESTS = 10
"""So much longer than it looked it rests then, where a look takes its time."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How many jobs run at once, and times in seconds."""

    concurrency: int = 2
    look: float = 2.0
    """After so long it is looked for what is due: time alone makes something due."""
    start: float = 1.0
    """So long after a start nothing is begun: a short command is over by then."""
    grace: float = 0.25
    """So long it is waited for more: several messages are cheaper together."""
