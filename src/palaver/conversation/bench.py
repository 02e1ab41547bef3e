"""The bench: the makers of digests that the settings name, and what they work with."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Protocol

from palaver.agent.models import UNWATCHED, Catalogue, Connections
from palaver.context.tokens import EstimatedTokens
from palaver.digest.digesting import Makers
from palaver.digest.model import Breaker, ModelDigest
from palaver.digest.port import Digest, Made, Story, Want
from palaver.index.values import OFFLINE
from palaver.jobs.work import Desk
from palaver.settings import Settings
from palaver.times import Clock

_BY_MODEL, _OFFLINE = 4, 2
"""So many are made at once."""
_MOST_ROOM = 60_000
"""No more tokens of a conversation are shown at once, whatever a model could read."""


class Offline(Protocol):
    """Whoever makes digests without a model."""

    def of(self, desk: Desk) -> Digest:
        """The maker for the conversations of one user."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Limited:
    """A maker that is asked for a few at once."""

    maker: Digest
    turns: asyncio.Semaphore

    async def make(self, story: Story, wanted: frozenset[Want]) -> Made:
        async with self.turns:
            return await self.maker.make(story, wanted)


class SetBench:
    """A Bench as the settings have it."""

    def __init__(self, settings: Settings, clock: Clock, offline: Offline) -> None:
        """Raises BadSetting."""
        catalogue = Catalogue(settings.agent)
        self._connections = Connections(settings.agent, catalogue, UNWATCHED)
        self._offline = offline
        self._by_model = asyncio.Semaphore(_BY_MODEL)
        self._by_nobody = asyncio.Semaphore(_OFFLINE)
        self._model, self._name = None, OFFLINE
        name = model_of(settings)
        if name != OFFLINE:
            writer = self._connections.writer(name)
            room = min(catalogue.window(name) // 2, _MOST_ROOM)
            count = EstimatedTokens().count
            self._model = ModelDigest(writer, Breaker(clock), count=count, room=room)
            self._name = writer.name

    def makers(self, desk: Desk) -> Makers:
        offline = Limited(self._offline.of(desk), self._by_nobody)
        model = Limited(self._model, self._by_model) if self._model else None
        return Makers(offline, model, self._name)

    async def close(self) -> None:
        await self._connections.close()
        await self._offline.close()


def model_of(settings: Settings) -> str:
    """The model that makes digests, or `offline`. Raises BadSetting."""
    return Catalogue(settings.agent).digest_model(settings.index.abbreviation_model)
