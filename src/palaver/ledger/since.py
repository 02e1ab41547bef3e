"""What was written after a position: how whoever listens catches up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palaver.errors import TooFarBehind
from palaver.ledger.lines import Line

MOST_BEHIND = 1000
"""Who is further behind than so many lines does better to look at everything again."""
MOST_BYTES = 4 << 20
"""So much is held at once; a single line may be longer."""


@dataclass(frozen=True, slots=True)
class Since:
    """Some lines after a position."""

    lines: Sequence[Line]
    """In the order of their `pos`, without those that are erased."""
    pos: int
    """How far this reaches: go on from here."""
    more: bool
    """Whether there may be more behind it."""

    @classmethod
    def of(cls, found: Sequence[tuple[int, Line | None]], pos: int) -> Since:
        """From lines in the order of their places; `pos` is the ledger's position."""
        reach = found[-1][0] if found else pos
        return cls([line for _, line in found if line and line.pos], reach, reach < pos)


def check_reach(after: int, pos: int) -> None:
    """Raises TooFarBehind unless what came after `after` can be told; `pos` is the position."""
    if not 0 <= after <= pos <= after + MOST_BEHIND:
        raise TooFarBehind
