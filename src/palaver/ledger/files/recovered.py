"""What was done to bring a home into order."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Recovered:
    """What a process that died, or another program, had left to do."""

    streams: set[str] = field(default_factory=set[str])
    """Those that were looked into."""
    torn: int = 0
    """Ends of streams that were mended."""
    erased: int = 0
    """Lines and streams that were to be erased, and still had their words."""
