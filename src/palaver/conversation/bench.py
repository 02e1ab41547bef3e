"""The bench: the makers of digests that the settings name, and what they work with."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from palaver.agent.models import UNWATCHED, Catalogue, Connections, Patience
from palaver.context.tokens import EstimatedTokens
from palaver.digest.apart import Aside
from palaver.digest.days.model import ModelDays
from palaver.digest.days.offline import OfflineDays
from palaver.digest.days.port import DayMade, DayMaker, DayStory
from palaver.digest.days.summaries import DayMakers
from palaver.digest.digesting import Makers
from palaver.digest.model.breaker import Breaker
from palaver.digest.model.maker import ModelDigest
from palaver.digest.offline.maker import OfflineDigest
from palaver.digest.port import Digest, Made, Story, Want
from palaver.digest.state import fold_all
from palaver.index.values import OFFLINE
from palaver.jobs.work import Desk
from palaver.memory.apart import ApartExtractor
from palaver.memory.extracting import Extractors
from palaver.memory.model.extractor import ModelExtractor
from palaver.memory.offline.extractor import found
from palaver.memory.port import Extracted, Extractor, Saying
from palaver.settings import Settings
from palaver.times import Clock

_BY_MODEL = 4
"""A model is asked for so many at once; offline they are made one after the other."""
_MOST_ROOM = 60_000
"""No more tokens of a conversation are shown at once, whatever a model could read."""


@dataclass(frozen=True, slots=True)
class Limited:
    """A maker that is asked for a few at once."""

    maker: Digest
    turns: asyncio.Semaphore

    async def make(self, story: Story, wanted: frozenset[Want]) -> Made:
        async with self.turns:
            return await self.maker.make(story, wanted)


@dataclass(frozen=True, slots=True)
class LimitedDays:
    """The same for days."""

    maker: DayMaker
    turns: asyncio.Semaphore

    async def make(self, story: DayStory) -> DayMade:
        async with self.turns:
            return await self.maker.make(story)


@dataclass(frozen=True, slots=True)
class LimitedExtractor:
    """The same for what is worth remembering."""

    extractor: Extractor
    turns: asyncio.Semaphore

    async def extract(self, sayings: Sequence[Saying]) -> Extracted:
        async with self.turns:
            return await self.extractor.extract(sayings)


class SetBench:
    """A Bench as the settings have it."""

    def __init__(self, settings: Settings, clock: Clock, patience: Patience = UNWATCHED) -> None:
        """Raises BadSetting."""
        catalogue = Catalogue(settings.agent)
        self._connections = Connections(settings.agent, catalogue, patience)
        self._aside = Aside()
        self._model, self._days, self._reader, self._name = None, None, None, OFFLINE
        name = catalogue.digest_model(settings.index.abbreviation_model)
        if name != OFFLINE:
            writer = self._connections.writer(name)
            room = min(catalogue.window(name) // 2, _MOST_ROOM)
            breaker, turns = Breaker(clock), asyncio.Semaphore(_BY_MODEL)
            count = EstimatedTokens().count
            model = ModelDigest(writer, breaker, count=count, room=room)
            self._model = Limited(model, turns)
            days = ModelDays(writer, breaker, count=count, room=room)
            self._days = LimitedDays(days, turns)
            reader = ModelExtractor(writer, breaker, count=count, room=room)
            self._reader = LimitedExtractor(reader, turns)
            self._name = writer.name

    def makers(self, desk: Desk) -> Makers:
        meanings = partial(desk.index.meanings, desk.user)
        offline = OfflineDigest(self._aside, meanings, EstimatedTokens().count)
        return Makers(offline, self._model, self._name, partial(self._aside.do, fold_all))

    def days(self, desk: Desk) -> DayMakers:
        offline = OfflineDays(self._aside, EstimatedTokens().count)
        return DayMakers(offline, self._days, self._name, partial(self._aside.do, fold_all))

    def extractors(self) -> Extractors:
        offline = ApartExtractor(partial(self._aside.do, found))
        return Extractors(offline, self._reader, self._name)

    async def close(self) -> None:
        await self._connections.close()
        await asyncio.to_thread(self._aside.close)
