"""What was done so that the rows of an index tell all that the ledger has."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Rebuild = Literal["none", "running", "done"]


@dataclass(slots=True)
class CaughtUp:
    """What had not been applied, and is now."""

    streams: set[str] = field(default_factory=set[str])
    """Those that had more lines than were applied."""
    lines: int = 0
    made_again: int = 0
    """Streams whose rows did not fit their lines any more."""
    rebuild: Rebuild = "none"
    """Whether all rows had to be made, and whether they are."""

    def add(self, other: CaughtUp) -> None:
        self.streams |= other.streams
        self.lines += other.lines
        self.made_again += other.made_again
