"""The maker of day summaries without a model. It never fails."""

from __future__ import annotations

from palaver.digest.apart import Aside
from palaver.digest.condensing import Count
from palaver.digest.days.making import made
from palaver.digest.days.port import DayMade, DayStory
from palaver.index.values import OFFLINE


class OfflineDays:
    """Chooses sentences by their words alone, so that the same day is always told the same."""

    def __init__(self, aside: Aside, count: Count) -> None:
        """`count` is told to another process: a function of a module, or a method of something that
        nobody else uses at the same time."""
        self._aside = aside
        self._count = count

    async def make(self, story: DayStory) -> DayMade:
        return DayMade(OFFLINE, await self._aside.do(made, story, self._count))
