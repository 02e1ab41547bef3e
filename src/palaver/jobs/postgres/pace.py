"""How fast on PostgreSQL: what workers and their feeder wait for."""

from __future__ import annotations

from dataclasses import dataclass

from palaver.jobs import pace


@dataclass(frozen=True, slots=True)
class Pace(pace.Pace):
    """How many jobs run at once, and times in seconds."""

    look: float = 5.0
    """After so long it is looked for what is due: another node may have stored something."""
    heartbeat: float = 3.0
    """So often a worker shows that it is alive."""
    stalled: float = 15.0
    """A worker that has not done so for so long is taken for dead."""
