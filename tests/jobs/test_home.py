"""Jobs in a home: rebuilds, nights, and what somebody sees who has not opened it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from palaver.errors import IndexDegraded
from palaver.jobs.embedded.glance import due_in
from palaver.jobs.embedded.nightly import Nightly
from palaver.jobs.embedded.view import HomeJobs
from palaver.jobs.embedded.worker import Worker
from palaver.ledger.files import Home
from palaver.ledger.port import Finding
from palaver.times import system_clock
from tests.index.gates import open_gated
from tests.index.worlds import USER, A
from tests.jobs.homes import opened, say, until
from tests.library import BagOfWords

DAMAGED = Finding("row_damaged", "A row is not what it was.", damage=True, file="x")
LOST = Finding("vanished", "The file is gone.", damage=True, file="y")


async def test_a_rebuild_is_shown_while_it_runs(tmp_path: Path) -> None:
    world = await open_gated(tmp_path)
    await world.begin(A, "tea", "yes")
    await world.close()
    world.home.index.unlink()
    world = await open_gated(tmp_path, shut=True)
    jobs = HomeJobs(world.index, USER, Worker([], system_clock))
    world.wait_until_stopped()
    (running,) = await jobs.list()
    assert (running.id, running.state) == ("rebuild:local", "running")
    (seen,) = due_in(world.home, tmp_path, USER)
    assert (seen.id, seen.state) == ("rebuild:local", "running")
    world.let_go()
    await until(lambda: not world.index.rebuilds.running)
    assert await jobs.list() == []
    await world.close()


async def test_a_cancelled_rebuild_begins_no_more_until_it_is_retried(tmp_path: Path) -> None:
    world = await open_gated(tmp_path)
    await world.begin(A, "tea", "yes")
    jobs = HomeJobs(world.index, USER, Worker([], system_clock))
    world.shut()
    world.index.rebuilds.start("A test asks for it.", afresh=True)
    world.wait_until_stopped()
    cancelling = asyncio.create_task(jobs.cancel("rebuild:local"))
    await until(lambda: world.index.rebuilds.cancelled)
    world.let_go()
    assert (await cancelling).state in ("cancelled", "pending")
    world.home.index.unlink()
    with pytest.raises(IndexDegraded, match="cancelled"):
        await world.found("tea")
    (cancelled,) = await jobs.list()
    assert (cancelled.state, cancelled.error) == ("cancelled", None)
    await jobs.retry("rebuild:local")
    await world.index.settle()
    assert await world.found("tea") == ["tea"]
    assert await jobs.list() == []
    await world.close()


async def test_what_is_due_is_seen_from_outside(tmp_path: Path) -> None:
    async with opened(tmp_path, None, BagOfWords()) as palaver:
        await say(palaver, "tea", "coffee")
        await palaver.settle()
    # These vectors are those of another model.
    (job,) = due_in(Home(tmp_path), tmp_path / "models", "local")
    assert (job.id, job.kind, job.user) == ("embedding:local", "embedding", "local")
    assert job.progress
    assert (job.progress.done, job.progress.total) == (0, 2)
    Home(tmp_path).index.unlink()
    (job,) = due_in(Home(tmp_path), tmp_path / "models", "local")
    assert (job.id, job.state) == ("rebuild:local", "pending")


async def test_a_night_is_checked_once_and_damage_is_mended() -> None:
    now = datetime(2026, 3, 28, 12, tzinfo=UTC)
    findings: list[list[Finding]] = [[DAMAGED, DAMAGED], [LOST]]
    checks: list[datetime] = []
    rebuilt: list[str] = []

    def check() -> list[Finding]:
        checks.append(now)
        return findings[len(checks) - 1]

    nightly = Nightly(check, rebuilt.append, lambda: now, UTC, look=0.01)
    nightly.start()
    now += timedelta(hours=14)
    assert not nightly.due
    now += timedelta(hours=1)
    await until(lambda: nightly.problem)
    assert nightly.due
    assert nightly.problem
    assert nightly.problem.message == "A row is not what it was. Such findings: 2."
    await until(lambda: not nightly.running)
    assert (rebuilt, nightly.attempts) == ([nightly.problem.message], 1)
    assert nightly.after == now + timedelta(seconds=1)
    now += timedelta(seconds=1)
    await until(lambda: not nightly.due)
    assert nightly.problem is None
    assert len(checks) == 2
    nightly.stop()


async def test_a_check_that_breaks_off_is_tried_again() -> None:
    now = datetime(2026, 3, 28, 12, tzinfo=UTC)
    broken = True

    def check() -> list[Finding]:
        if broken:
            raise OSError("The disk cannot be read.")
        return []

    nightly = Nightly(check, list[str]().append, lambda: now, UTC, look=0.01)
    nightly.start()
    now += timedelta(days=1)
    await until(lambda: nightly.after)
    assert nightly.problem
    assert nightly.problem.message == "It failed (OSError: The disk cannot be read.)."
    broken = False
    now += timedelta(seconds=1)
    await until(lambda: not nightly.due)
    nightly.stop()


async def test_a_check_is_left_for_one_night() -> None:
    now = datetime(2026, 3, 28, 12, tzinfo=UTC)
    nightly = Nightly(list[Finding], list[str]().append, lambda: now, UTC)
    now += timedelta(days=1)
    nightly.leave()
    assert (nightly.due, nightly.left) == (True, True)
    now += timedelta(days=1)
    assert (nightly.due, nightly.left) == (True, False)
