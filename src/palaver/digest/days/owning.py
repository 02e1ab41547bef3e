"""Whose a line of a day summary is: its owner's, or that of whoever made it.

That is told from the versions that there were: what came with one that the owner wrote is the
owner's, and what went with one is not wanted any more. A line of which nothing is known, because
the version before it was erased, counts as the owner's.

Several lines may stand on one message. So a line that is made again is held against all that were
there: it tells again what the nearest of them told, and may stand if that one was left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from palaver.digest.days.markdown import day_points
from palaver.digest.days.port import DayPoint, same
from palaver.index.records import StoredSummary
from palaver.text import words

_OWNER = "user"
_MOSTLY = 0.5
"""Lines that quote other words of a message say the same if they share more of their words."""

_Nearness = tuple[bool, bool, float]
"""Whether two lines say the same, whether they quote the same, and how many words they share."""


@dataclass(frozen=True, slots=True)
class Owned:
    """What the owner has done to a page."""

    written: Sequence[DayPoint] = ()
    """The lines that the owner wrote, or worded otherwise."""
    removed: Sequence[DayPoint] = ()
    """The lines that the owner took out, or worded otherwise."""

    others: Sequence[DayPoint] = ()
    """The lines that the owner left alone."""

    def wrote(self, text: str) -> bool:
        return same(text) in {same(one.text) for one in self.written}

    def allows(self, point: DayPoint) -> bool:
        """Whether a line may be told: not one that the owner has put in other words, or taken out,
        however whoever makes it words it now."""
        own = _nearest(point, (*self.written, *self.removed))
        if own is None:
            return True
        other = _nearest(point, self.others)
        return other is not None and other > own


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
    return Owned(
        written=list(still.values()),
        removed=[point for text, point in removed.items() if text not in still],
        others=[point for text, point in before.items() if text not in written],
    )


def _nearest(point: DayPoint, lines: Iterable[DayPoint]) -> _Nearness | None:
    return max((near for line in lines if (near := _nearness(point, line))), default=None)


def _nearness(one: DayPoint, other: DayPoint) -> _Nearness | None:
    """None for lines that tell of different things: neither do they say the same, nor do they tell
    of the same words of the same messages under the same heading."""
    share = _share(one.text, other.text)
    if same(one.text) == same(other.text):
        return True, True, share
    ids, others = ({source.message_id for source in each.sources} for each in (one, other))
    if one.section != other.section or not ids or not ids <= others:
        return None
    quotes = list(_quotes(one, other))
    touch = any(ours and theirs and (ours in theirs or theirs in ours) for ours, theirs in quotes)
    apart = not touch and all(ours and theirs for ours, theirs in quotes)
    return None if apart and share <= _MOSTLY else (False, touch, share)


def _quotes(one: DayPoint, other: DayPoint) -> Iterator[tuple[str, str]]:
    """What two lines quote of the messages on which both stand, each with each."""
    for ours, theirs in product(one.sources, other.sources):
        if ours.message_id == theirs.message_id:
            yield same(ours.quote or ""), same(theirs.quote or "")


def _share(one: str, other: str) -> float:
    """How much of the shorter text is in the other, from 0 to 1."""
    ours, theirs = set(words(same(one))), set(words(same(other)))
    return len(ours & theirs) / (min(len(ours), len(theirs)) or 1)
