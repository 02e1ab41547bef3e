"""`palaver worker`: runs background jobs on PostgreSQL, until it is told to end."""

from __future__ import annotations

from typing import Annotated

import typer

from palaver.cli.common import Common, takes_common
from palaver.cli.output import note
from palaver.errors import BadSetting

_POLITE = 10
"""Whoever waits for an answer goes first, where a worker shares a machine with nodes."""


@takes_common
def worker(
    common: Common,
    concurrency: Annotated[
        int, typer.Option(metavar="N", min=1, max=64, help="How many jobs run at once.")
    ] = 2,
) -> None:
    """Run background jobs, for all users of a database. Ends after its step with Ctrl-C."""
    import asyncio
    import os
    import signal
    from time import perf_counter

    settings = common.settings()
    if settings.database.url is None:
        raise BadSetting(
            "A worker needs a database: in a home every process runs its own jobs.",
            remedy="Set --database-url or PALAVER_DATABASE_URL.",
        )
    from palaver.conversation.digests import digests_of
    from palaver.ending import end_within
    from palaver.engines.working import working
    from palaver.jobs import DIGEST
    from palaver.telemetry import Logged, Started
    from palaver.telemetry.logs import json_logs
    from palaver.times import system_clock

    # Blocked in every thread and waited for here: one that reaches another thread wakes nobody.
    ending = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, ending)
    os.nice(_POLITE)
    work = [digests_of(settings, system_clock, Logged())]
    began = perf_counter()
    with json_logs(settings.server.log_level), working(settings, concurrency, work) as node:
        took = round(1000 * (perf_counter() - began), 1)
        queued = sum(job.kind == DIGEST for job in asyncio.run(node.jobs.list()))
        note("The worker is running. Press Ctrl-C to end it.")
        Logged().tell(Started(digests_queued=queued, milliseconds=took))
        number = signal.sigwait(ending)
        end_within()
        signal.signal(number, signal.SIG_DFL)  # whoever says it twice does not want to wait
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
