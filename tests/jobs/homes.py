"""Libraries whose jobs a test looks at, on both engines."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from palaver.app import Palaver
from palaver.embedding import Embedder
from palaver.engines.background import Background
from palaver.engines.embedded import EmbeddedEngine
from palaver.engines.loading import ModelLoader
from palaver.engines.postgres import PostgresEngine
from palaver.jobs import Job
from palaver.jobs.pace import Pace
from palaver.jobs.work import Work
from palaver.ledger.files import Home
from palaver.settings import Settings
from palaver.times import Clock, system_clock
from tests.jobs.worker import QUICK

_PATIENCE = 30.0
_AT_HOME = Pace(look=0.1, start=0.05, grace=0.01)


class Still:
    """A clock that stands until a test moves it."""

    def __init__(self) -> None:
        self.now = datetime(2026, 2, 14, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> None:
        self.now += timedelta(**by)


def opened(
    folder: Path,
    url: str | None,
    model: Embedder,
    *,
    user: str = "local",
    worker: bool = True,
    clock: Clock = system_clock,
    work: Sequence[Work] = (),
) -> AbstractAsyncContextManager[Palaver]:
    """The library on a home, or on a database, with a quick worker of its own."""
    settings = Settings.load(folder, user__timezone="UTC", database__url=url)
    load = ModelLoader(folder, model)
    if url is None:
        home = EmbeddedEngine(Home(folder), user, load, clock, work=work, pace=_AT_HOME)
        return Palaver(settings, user, clock, home)
    background = Background(worker=worker, clock=clock, pace=QUICK)
    engine = PostgresEngine(url, user, load, system_clock, background, work=work)
    return Palaver(settings, user, system_clock, engine)


async def say(palaver: Palaver, *texts: str) -> str:
    """Stores messages in a new conversation, without asking for an answer."""
    conversation = await palaver.start()
    for text in texts:
        await palaver.append(conversation.id, "user", text)
    return conversation.id


async def job(palaver: Palaver, kind: str) -> Job | None:
    found = [one for one in await palaver.jobs() if one.kind == kind]
    return found[0] if found else None


async def until(true: Callable[[], object], patience: float = _PATIENCE) -> None:
    """Waits for something to become true; fails when it does not."""
    deadline = time.monotonic() + patience
    while not true():
        assert time.monotonic() < deadline, "It did not come true."
        await asyncio.sleep(0.02)


async def state_of(palaver: Palaver, kind: str, state: str | None) -> Job | None:
    """Waits until a job is in a state, or done."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        found = await job(palaver, kind)
        if (found.state if found else None) == state:
            return found
        assert time.monotonic() < deadline, found
        await asyncio.sleep(0.02)
