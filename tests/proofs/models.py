"""A model that fails as it likes: every conversation is named and told, and it is asked rarely.

A home with many conversations that are quiet is left alone for a day, with a model that often
fails, one that never answers, and one that only talks nonsense. Then the model is well again.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from palaver.app import Palaver
from tests.digest.providers import (
    AT_ONCE,
    ATTEMPTS,
    HOURS,
    PROBES,
    REQUESTS,
    Mood,
    World,
    conversations,
    moody,
    nonsense,
    silent,
    told_by,
    untold,
    wait_for_time,
    well,
)
from tests.models.server import ModelServer
from tests.proofs.report import Report

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Trial:
    """A model on a bad day."""

    name: str
    wire: str
    mood: Mood
    most: int
    """How often it may be asked."""


def prove(count: int, seeds: int, always: Sequence[Mood] = (silent, nonsense)) -> Report:
    """Days with so many conversations: one for each seed of chance, and one for each way to fail
    always."""
    report = Report("digests by a model that fails", "conversations")
    often, rarely = count * ATTEMPTS * REQUESTS, REQUESTS * (AT_ONCE + PROBES)
    for seed in range(seeds):
        wire = ("anthropic", "openai")[seed % 2]
        _try(report, Trial(f"often, seed {seed}", wire, moody(0.3, seed), often), count)
    for mood in always:
        _try(report, Trial(mood.__name__, "anthropic", mood, rarely), count)
    return report


def _try(report: Report, trial: Trial, count: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="palaver-models-"))
    try:
        with ModelServer() as server:
            server.otherwise = trial.mood
            world = World(folder, None, server, trial.wire)
            failures = asyncio.run(_day(world, count, trial.most))
            report.notes.append(f"{trial.name}: {len(server.asked):,} requests in all")
        report.tried += count
        for failure in failures:
            report.fail(f"{trial.name}: {failure}")
    finally:
        shutil.rmtree(folder)


async def _day(world: World, count: int, most: int) -> list[str]:
    """What did not hold, in a day with that model and half a day with one that is well."""
    async with world.open() as palaver:
        names = await conversations(palaver, count)
        world.clock.advance(minutes=10)
        await palaver.settle()
        found = [f"{name} was not told at once" for name in await untold(palaver, names)]
        await wait_for_time(palaver, world.clock, world.clock.now + _DAY)
        if (asked := len(world.server.asked)) > most:
            found.append(f"{asked} requests in a day, and not {most}")
        if palaver.health().status != "ok":
            found.append(f"the health suffers: {palaver.health().detail}")
        world.server.otherwise = well
        # A busy machine may be slower than the patience: that is one more failure.
        await wait_for_time(palaver, world.clock, world.clock.now + 2 * HOURS)
        return found + [one for name in names for one in await _wrong(palaver, name, world.model)]


async def _wrong(palaver: Palaver, name: str, model: str) -> list[str]:
    events = ("abbreviation", "title_assigned")
    told = [await told_by(palaver, name, event) for event in events]
    return [f"{name} was told by {by}" for by in told if by not in (["offline", model], [model])]
