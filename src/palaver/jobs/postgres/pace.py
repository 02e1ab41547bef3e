"""How fast: what workers and their feeder wait for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """How many jobs run at once, and times in seconds."""

    concurrency: int = 2
    look: float = 5.0
    """After so long it is looked for what is due: another node may have stored something."""
    start: float = 1.0
    """So long after a start nothing is begun: a short command is over by then."""
    grace: float = 0.25
    """So long it is waited for more: several messages are cheaper together."""
    heartbeat: float = 3.0
    """So often a worker shows that it is alive."""
    stalled: float = 15.0
    """A worker that has not done so for so long is taken for dead."""
