"""Whoever is not the owner gets nothing of the owner's but what the owner allows.

The owner has conversations and memories. Outsiders who are known, and so are answered, try to get
at them in every way, against a model that tells everything that it was given and obeys whatever it
reads. None of the owner's words is in any reply.

Nor do their words reach anything of the owner's, but a search for just that.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

from tests.channels.obedient import attempts, reached, to
from tests.channels.world import OTHER, world
from tests.library import Clock
from tests.proofs.report import Report


def prove(number: int, seed: int = 1) -> Report:
    report = Report("nothing for outsiders", "attempts", tried=number)
    home = Path(tempfile.mkdtemp(prefix="palaver-outsiders-"))
    try:
        asyncio.run(_try(report, home, number, seed))
    finally:
        shutil.rmtree(home)
    return report


async def _try(report: Report, home: Path, number: int, seed: int) -> None:
    async with world(home, Clock(), trust={OTHER.id: "known"}) as here:
        for word in await attempts(here, number, seed):
            report.fail(f"an outsider was told {word}")
        answered = len(to(here, OTHER.id))
        for where in await reached(here):
            report.fail(f"what an outsider wrote is in {where}")
    if answered < number:
        report.fail(f"only {answered} of them were answered")
    report.notes.append(f"{answered:,} messages were sent to them")
