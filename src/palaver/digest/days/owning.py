"""Whose a line of a day summary is: its owner's, or that of whoever made it.

That is told from the versions that there were: what came with one that the owner wrote is the
owner's, and what went with one is not wanted any more. A line of which nothing is known, because
the version before it was erased, counts as the owner's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from palaver.digest.days.markdown import day_points
from palaver.digest.days.port import DayPoint, same
from palaver.index.records import StoredSummary

_OWNER = "user"


@dataclass(frozen=True, slots=True)
class Owned:
    """What the owner has done to a page."""

    written: Sequence[DayPoint] = ()
    """The lines that the owner wrote, or worded otherwise."""
    removed: Sequence[DayPoint] = ()
    """The lines that the owner took out, or worded otherwise."""

    def wrote(self, text: str) -> bool:
        return same(text) in {same(one.text) for one in self.written}

    def allows(self, point: DayPoint) -> bool:
        """Whether a line may be told: not one that the owner has put in other words, or taken out,
        however whoever makes it words it now."""
        return not any(_alike(point, one) for one in (*self.written, *self.removed))


def owned(versions: Iterable[StoredSummary]) -> Owned:
    """What the owner has done, from the first version of a page to the last."""
    written: dict[str, DayPoint] = {}
    removed: dict[str, DayPoint] = {}
    before: dict[str, DayPoint] = {}
    for version in versions:
        now = {same(point.text): point for point in day_points(version)}
        if version.by == _OWNER:
            written |= {text: point for text, point in now.items() if text not in before}
            removed |= {text: point for text, point in before.items() if text not in now}
        before = now
    still = {text: point for text, point in before.items() if text in written}
    return Owned(list(still.values()), [removed[text] for text in removed if text not in still])


def _alike(one: DayPoint, other: DayPoint) -> bool:
    """Whether two lines say the same, or tell of the same messages under the same heading."""
    if same(one.text) == same(other.text):
        return True
    ids, others = ({source.message_id for source in each.sources} for each in (one, other))
    return one.section == other.section and bool(ids) and ids <= others
