"""Nobody reaches what is somebody else's, nor learns whether it is there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from palaver.app import Palaver
from palaver.settings import Settings
from tests.postgres.databases import databases
from tests.proofs.report import Report
from tests.server.matrix import rest, tools
from tests.server.matrix.judging import Judge
from tests.server.matrix.people import ANN, BOB, CANARY, Person, person
from tests.server.matrix.positions import Route, routes
from tests.server.matrix.sockets import Speaking
from tests.server.site import Site, running_site

PEOPLE = (ANN, BOB, "usr-cat")
_LOGGERS = ("palaver", "uvicorn", "fastapi", "mcp.server", "procrastinate")
_NOTHING_DUE = "{jobId}"
"""What the owner asks for that need not be there: nothing is to be done."""


def prove_all(things: int) -> Report:
    """All of it, on a database of its own."""
    with databases() as made, TemporaryDirectory() as home:
        return prove(Path(home), made.create(), things=things)


def prove(
    home: Path, database_url: str | None, *, things: int, step: int = 1, only: str = ""
) -> Report:
    """With `things` of somebody, and each `step`th probe, at least one of every route.

    With `only`, a route of that name, and nothing else.
    """
    report = Report(f"cross-user matrix ({'database' if database_url else 'files'})", "probes")
    with (
        running_site(home, database_url=database_url) as site,
        _logged() as logged,
        ExitStack() as clients,
    ):
        ann, bob, owner = (clients.enter_context(person(site, user)) for user in PEOPLE)
        theirs = [ann.has(CANARY) for _ in range(things + 1)][1:]  # the first has no cursor
        described = routes(bob.client.get("/openapi.json").json())
        described = [one for one in described if only in ("", str(one))]
        chosen = list(_some(rest.probes(described, things), step))
        keys = ann.keys(theirs[0].conversation, sum(probe.uses_key for probe in chosen))
        judge, before = Judge(report, theirs), ann.everything()
        client = clients.enter_context(site.client())
        asking = rest.Asking(site, judge, theirs, bob, client=client, keys=keys)
        for probe in chosen:
            asking.probe(probe)
        _ask_as_owner(described, owner, report)
        if not only:
            asyncio.run(Speaking(site, judge, theirs, bob).every(step))
            asyncio.run(_tools(site, database_url, judge, theirs))
        if ann.everything() != before:
            report.fail("What is somebody else's has changed.")
        judge.silent("the log", "\n".join(logged))
    return report


def _ask_as_owner(described: list[Route], owner: Person, report: Report) -> None:
    """Who owns something reaches it: that nobody else does is no accident."""
    to_read = owner.has("mine")
    for route in described:
        ids = to_read if route.method == "GET" else owner.has("mine")
        status = rest.owner_reaches(route, owner, ids)
        report.tried += 1
        if status in (403, 404) and _NOTHING_DUE not in route.path:
            report.fail(f"{route}: the owner does not reach it")


def _some(probes: Iterator[rest.Probe], step: int) -> Iterator[rest.Probe]:
    """Each `step`th, and the first of every route by somebody else."""
    seen: set[str] = set()
    for number, probe in enumerate(probes):
        first = probe.who == "other" and str(probe.route) not in seen
        if number % step == 0 or first:
            seen |= {str(probe.route)} if first else set()
            yield probe


async def _tools(
    site: Site, database_url: str | None, judge: Judge, theirs: list[rest.Ids]
) -> None:
    settings = Settings.load(site.home.root, database__url=database_url)
    async with Palaver.open(settings=settings, user=BOB, index_vectors=False) as palaver:
        await tools.every(palaver, judge, theirs)


@contextmanager
def _logged() -> Generator[list[str]]:
    """Every line that the server logs."""
    lines: list[str] = []

    class Noting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    noting = Noting(logging.DEBUG)
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [one.level for one in loggers]
    for one in loggers:
        one.addHandler(noting)
        one.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        for one, level in zip(loggers, levels, strict=True):
            one.removeHandler(noting)
            one.setLevel(level)
