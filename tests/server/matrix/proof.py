"""Nobody reaches what is somebody else's, nor learns whether it is there."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from palaver.accounts import SCOPES
from tests.postgres.databases import databases
from tests.proofs.report import Report
from tests.server.matrix import rest, tools
from tests.server.matrix.judging import Judge
from tests.server.matrix.people import CALLED, CANARY, Person, person
from tests.server.matrix.positions import Route, routes
from tests.server.matrix.sockets import Speaking
from tests.server.site import running_site

_LOGGERS = ("palaver", "uvicorn", "fastapi", "mcp.server", "procrastinate")
_NOT_OURS = re.compile(r"\{jobId\}|/metrics|^/channels/")
"""What an owner need not reach: nothing is to be done, or it is for whoever runs the server, or for
providers."""
_ONLY_LOOKS = [scope for scope in SCOPES if scope not in ("chat", "write")]


def prove_all(things: int) -> Report:
    """All of it, in files and in a database of its own."""
    with databases() as made, TemporaryDirectory() as home:
        both = [
            prove(Path(home, "files"), None, things=things),
            prove(Path(home, "database"), made.create(), things=things),
        ]
    notes = [f"{one.name}: {one.tried:,}" for one in both]
    tried, failures = sum(one.tried for one in both), [bad for one in both for bad in one.failures]
    return Report("cross-user matrix", "probes", tried, failures, notes)


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
        ann, bob, cat = (
            clients.enter_context(person(site, name, lives=not only))
            for name in (CALLED, "bob", "cat")
        )
        newcomer = clients.enter_context(person(site, "newcomer", _ONLY_LOOKS))
        described = routes(bob.client.get("/openapi.json").json())
        described = [one for one in described if only in ("", str(one))]
        seen = rest.seen_by(newcomer, described)
        theirs = [ann.has(CANARY) for _ in range(things + 1)][1:]  # the first has no cursor
        chosen = list(_some(rest.probes(described, things), step))
        keys = ann.keys(theirs[0].conversation, sum(probe.uses_key for probe in chosen))
        judge, before = Judge(report, theirs), ann.everything()
        client = clients.enter_context(site.client())
        asking = rest.Asking(site, judge, theirs, bob, client=client, keys=keys)
        for probe in chosen:
            asking.probe(probe)
        _ask_as_owner(described, cat, report)
        if not only:
            calling = tools.Calling(site, judge, theirs, bob, client=client)
            calling.every()
            calling.as_owner(cat)
            asyncio.run(_speak(Speaking(site, judge, theirs, bob), cat, step))
        if ann.everything() != before:
            report.fail("What is somebody else's has changed.")
        if not only:
            asyncio.run(Speaking(site, judge, theirs, bob).overhear(ann))
        rest.compare_seen(seen, rest.seen_by(newcomer, described), report)
        judge.silent("the log", "\n".join(logged))
    return report


async def _speak(speaking: Speaking, owner: Person, step: int) -> None:
    await speaking.every(step)
    await speaking.as_owner(owner)


def _ask_as_owner(described: list[Route], owner: Person, report: Report) -> None:
    """Who owns something reaches it: that nobody else does is no accident."""
    to_read = owner.has("mine")
    for route in described:
        ids = to_read if route.method == "GET" else owner.has("mine")
        status = rest.owner_reaches(route, owner, ids)
        report.tried += 1
        if status in (403, 404) and not _NOT_OURS.search(route.path):
            report.fail(f"{route}: the owner does not reach it")


def _some(probes: Iterator[rest.Probe], step: int) -> Iterator[rest.Probe]:
    """Each `step`th, and the first of every route by somebody else."""
    seen: set[str] = set()
    for number, probe in enumerate(probes):
        first = probe.who == "other" and str(probe.route) not in seen
        if number % step == 0 or first:
            seen |= {str(probe.route)} if first else set()
            yield probe


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
