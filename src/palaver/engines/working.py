"""A process that only runs jobs: a node whom nobody asks anything."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager

from palaver.engines.background import Background
from palaver.engines.loading import ModelLoader
from palaver.engines.node import PostgresNode
from palaver.jobs.postgres import Pace
from palaver.jobs.work import Work
from palaver.ledger.files import Home
from palaver.settings import Settings
from palaver.times import system_clock


@contextmanager
def working(
    settings: Settings, concurrency: int, work: Sequence[Work] = ()
) -> Generator[PostgresNode]:
    """Runs jobs until the block ends. Raises DatabaseUnusable, DatabaseTooNew, StorageFailed."""
    pace = Pace(concurrency=concurrency)
    background = Background(eager=True, zone=settings.user.zone, pace=pace)
    load = ModelLoader(Home(settings.home).models)
    url = settings.database.url or ""
    with closing(PostgresNode(url, load, system_clock, background, work)) as node:
        yield node
