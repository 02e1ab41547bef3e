"""What holds on every engine for the jobs that others bring to it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from palaver.app import Palaver
from palaver.engines.background import Background
from palaver.engines.loading import ModelLoader
from palaver.engines.postgres import PostgresEngine
from palaver.errors import NotFound, StorageFailed
from palaver.index.port import OwedFilter
from palaver.jobs import Job
from palaver.jobs.embedded.glance import due_in
from palaver.jobs.kind import Due, Kind, Run
from palaver.jobs.work import Site, all_owed
from palaver.ledger.files import Home
from palaver.ledger.lines import turn
from palaver.times import system_clock
from tests.jobs.brought import Chores
from tests.jobs.homes import Still, opened, say, state_of, until
from tests.jobs.models import Fickle
from tests.jobs.worker import QUICK

_MANY = 40


@pytest.fixture(params=["files", "database"])
def url(request: pytest.FixtureRequest) -> str | None:
    """Where it is kept: in files of the home when it is None."""
    return request.getfixturevalue("database_url") if request.param == "database" else None


async def chore(palaver: Palaver, key: str) -> Job | None:
    return next((one for one in await palaver.jobs() if one.key == key), None)


async def test_what_is_brought_is_done_once(tmp_path: Path, url: str | None) -> None:
    chores = Chores("sweep", "dust")
    async with opened(tmp_path, url, Fickle(), work=[chores]) as palaver:
        await palaver.settle()
        assert sorted(chores.done) == ["dust", "sweep"]
        assert await palaver.jobs() == []
        chores.marks["cook"] = "1"
        await until(lambda: "cook" in chores.done)  # it is found without being told of
        await palaver.settle()
        assert sorted(chores.done) == sorted(chores.begun) == ["cook", "dust", "sweep"]
        assert chores.closed == 0
    assert chores.closed == 1


async def test_whoever_waits_waits_also_for_what_runs_and_is_not_seen_as_due_any_more(
    tmp_path: Path, url: str | None
) -> None:
    chores = Chores("sweep")
    chores.gate.clear()
    async with opened(tmp_path, url, Fickle(), work=[chores]) as palaver:
        await until(lambda: chores.begun)
        chores.marks.clear()
        waiting = asyncio.create_task(palaver.settle())
        done, _ = await asyncio.wait({waiting}, timeout=0.5)
        chores.gate.set()
        await waiting
        assert not done
        assert chores.done == ["sweep"]


async def test_it_runs_at_once_and_shows_how_far_it_is(tmp_path: Path, url: str | None) -> None:
    chores = Chores(*(f"chore-{number}" for number in range(6)))
    chores.steps = 5
    chores.gate.clear()
    async with opened(tmp_path, url, Fickle(), work=[chores]) as palaver:
        await until(lambda: len(chores.begun) == 2)
        running = await state_of(palaver, "chore", "running")
        assert running
        assert (running.id, running.key) == ("chore:local:chore-0", "chore-0")
        assert running.progress
        assert (running.progress.done, running.progress.total) == (0, 5)
        states = [one.state for one in await palaver.jobs()]
        assert states == ["running", "running", "pending", "pending", "pending", "pending"]
        chores.gate.set()
        await palaver.settle()
        assert len(chores.done) == 6
        assert (chores.most, chores.twice) == (2, False)


async def test_a_failure_waits_as_long_as_its_kind_says(tmp_path: Path, url: str | None) -> None:
    chores, clock = Chores("sweep"), Still()
    chores.broken = {"sweep"}
    async with opened(tmp_path, url, Fickle(), clock=clock, work=[chores]) as palaver:
        for attempts in (1, 2):
            await until(lambda attempts=attempts: len(chores.begun) == attempts)
            failed = await state_of(palaver, "chore", "failed")
            assert failed
            assert failed.error
            assert (failed.attempts, failed.error.code) == (attempts, "storage_failed")
            assert failed.after == f"2026-02-14T12:{(5, 15)[attempts - 1]:02}:00.000Z"
            await palaver.settle()  # does not wait for what cannot be done
            assert len(chores.begun) == attempts
            assert palaver.health().status == "ok"  # it says nothing about the index
            clock.advance(minutes=5 * attempts)
        chores.broken.clear()
        await until(lambda: chores.done == ["sweep"] or clock.advance(minutes=1))
        await state_of(palaver, "chore", None)


async def test_retrying_does_not_wait(tmp_path: Path, url: str | None) -> None:
    chores, clock = Chores("sweep"), Still()
    chores.broken = {"sweep"}
    async with opened(tmp_path, url, Fickle(), clock=clock, work=[chores]) as palaver:
        await state_of(palaver, "chore", "failed")
        chores.broken.clear()
        await palaver.retry_job("chore:local:sweep")
        await until(lambda: chores.done == ["sweep"])
        await state_of(palaver, "chore", None)
        for decide in (palaver.retry_job, palaver.cancel_job):
            with pytest.raises(NotFound):
                await decide("chore:local:sweep")


async def test_what_is_cancelled_rests_until_its_mark_changes(
    tmp_path: Path, url: str | None
) -> None:
    chores = Chores("sweep")
    chores.gate.clear()
    async with opened(tmp_path, url, Fickle(), work=[chores]) as palaver:
        await state_of(palaver, "chore", "running")
        await palaver.cancel_job("chore:local:sweep")
        await state_of(palaver, "chore", "cancelled")
        chores.gate.set()
        await palaver.settle()
        assert (len(chores.begun), chores.done) == (1, [])
        chores.marks["sweep"] = "2"
        await palaver.settle()
        assert chores.done == ["sweep"]


async def test_what_is_cancelled_is_done_when_somebody_retries_it(
    tmp_path: Path, url: str | None
) -> None:
    chores, clock = Chores("sweep"), Still()
    chores.broken = {"sweep"}
    async with opened(tmp_path, url, Fickle(), clock=clock, work=[chores]) as palaver:
        await state_of(palaver, "chore", "failed")
        cancelled = await palaver.cancel_job("chore:local:sweep")
        assert (cancelled.state, cancelled.after) == ("cancelled", None)
        chores.broken.clear()
        await palaver.settle()
        assert chores.done == []
        await palaver.retry_job("chore:local:sweep")
        await until(lambda: chores.done == ["sweep"])


async def test_closing_ends_after_the_step(tmp_path: Path, url: str | None) -> None:
    chores = Chores("sweep")
    chores.gate.clear()
    async with opened(tmp_path, url, Fickle(), work=[chores]):
        await until(lambda: chores.begun)
    assert (chores.done, chores.closed, len(chores.begun)) == ([], 1, 1)
    chores.gate.set()
    async with opened(tmp_path, url, Fickle(), work=[chores]) as palaver:
        await until(lambda: chores.done == ["sweep"])
        await state_of(palaver, "chore", None)


async def test_a_look_that_fails_is_tried_again(tmp_path: Path, url: str | None) -> None:
    chores = Chores("sweep")
    chores.away = True
    async with opened(tmp_path, url, Fickle(), work=[chores]) as palaver:
        with pytest.raises(StorageFailed, match="cupboard"):
            await palaver.settle()
        chores.away = False
        await until(lambda: chores.done == ["sweep"])
        await palaver.settle()


async def test_of_thousands_some_are_read_and_all_that_failed_are_listed(
    tmp_path: Path, url: str | None
) -> None:
    keys = [f"chore-{number:04}" for number in range(3000)]
    chores, clock = Chores(), Still()
    chores.broken = {keys[-1]}
    chores.marks = {keys[-1]: "1"}
    async with opened(tmp_path, url, Fickle(), clock=clock, work=[chores]) as palaver:
        await state_of(palaver, "chore", "failed")
        chores.gate.clear()
        chores.marks = dict.fromkeys(keys, "1")
        await until(lambda: len(chores.begun) == 3)
        found = await palaver.jobs()
        states = [one.state for one in found]
        assert (states.count("running"), states.count("failed")) == (2, 1)
        assert 195 <= states.count("pending") <= 200
        assert found[-1].key == keys[-1]
        chores.marks = dict.fromkeys(keys[:-1], "1")
        await palaver.jobs()  # what is not due any more is forgotten
        chores.read = 0
        assert len(await palaver.jobs()) <= 202
        assert chores.read < 1500
        chores.marks.clear()
        chores.gate.set()


async def test_what_is_written_at_a_desk_is_stored(tmp_path: Path, url: str | None) -> None:
    """Jobs have an event loop of their own."""
    chores = Chores()
    async with opened(tmp_path, url, Fickle(), work=[chores]) as palaver:
        assert chores.site
        desk = chores.site.desk("local")
        conversation = await palaver.start()

        async def write() -> None:
            for number in range(_MANY):
                await desk.ledger.append([turn(conversation.id, "user", f"Tea at {number}")])

        async with asyncio.timeout(20):
            await asyncio.gather(asyncio.to_thread(lambda: asyncio.run(write())), write())
        assert (await palaver.conversation(conversation.id)).turn_count == 2 * _MANY


async def test_two_who_hold_a_lease_never_do_the_same_at_once(
    tmp_path: Path, url: str | None
) -> None:
    """In a home every process runs jobs: those that must not meet hold a lease."""
    keys = [f"chore-{number}" for number in range(8)]
    one, other = Leased(*keys), Leased()
    other.marks = one.marks
    async with (
        opened(tmp_path, url, Fickle(), work=[one]) as first,
        opened(tmp_path, url, Fickle(), work=[other]) as second,
    ):
        await first.settle()
        await second.settle()
    assert sorted(one.done + other.done) == keys


class Leased(Chores):
    """Looks under a lease whether there is still something to do."""

    def _work(self, due: Due, run: Run) -> None:
        asyncio.run(self._held(due, run))

    async def _held(self, due: Due, run: Run) -> None:
        assert self.site
        async with self.site.desk(due.user).leases.hold(f"{due.user} chore {due.key}"):
            if due.key in self.marks:
                super()._work(due, run)


async def test_those_who_bring_the_same_share_a_node(tmp_path: Path, database_url: str) -> None:
    one, same, other = Chores(name="a"), Chores(name="a"), Chores(name="b")
    load, background = ModelLoader(tmp_path, Fickle()), Background(pace=QUICK)

    def engine(chores: Chores, user: str) -> PostgresEngine:
        return PostgresEngine(database_url, user, load, system_clock, background, work=[chores])

    first, second, third = engine(one, "local"), engine(same, "usr-ann"), engine(other, "local")
    for each in (first, second, third):
        await each.open()
    assert second.work[0] is one
    assert second.events is first.events is not third.events
    await first.close()
    assert one.closed == 0
    await second.close()
    await third.close()
    assert (one.closed, same.closed, other.closed) == (1, 0, 1)


async def test_what_conversations_are_owed_is_seen_by_those_who_bring_work(
    tmp_path: Path, url: str | None
) -> None:
    chores = Chores()
    wanted = OwedFilter("9999", 5, 60.0, stand_ins=False)
    async with opened(tmp_path, url, Fickle(), work=[chores]) as palaver:
        assert chores.site
        said = {await say(palaver, f"Tea at {number}") for number in range(3)}
        await palaver.settle()
        assert {one.owed.conversation.id for one in all_owed(chores.site, wanted)} == said
        (first,) = chores.site.owed(wanted, user="local", limit=1)
        assert first.user == "local"
        assert chores.site.owed(wanted, user="usr-ann", limit=1) == []
    if url is None:  # as somebody sees it who has not opened the home
        jobs = due_in(Home(tmp_path), tmp_path, "local", [Owing(wanted)])
        assert [job.key for job in jobs if job.kind == "digest"] == sorted(said)


@dataclass(frozen=True)
class Owing:
    """Lists what conversations are owed, and does nothing about it."""

    wanted: OwedFilter

    def kinds(self, site: Site) -> Iterable[Kind]:
        def due() -> Iterator[Due]:
            for one in all_owed(site, self.wanted):
                yield Due(one.owner, one.user, "", one.owed.conversation.id)

        return [Kind("digest", "digest", due, lambda due, run: None)]

    def close(self) -> None: ...
