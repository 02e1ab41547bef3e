"""Jobs on PostgreSQL: several workers, queues that are lost, nights, and databases that go away."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import psycopg
import pytest

from palaver.engines.background import Background
from palaver.engines.node import PostgresNode
from palaver.index.postgres.shared import Shared
from palaver.index.postgres.statements import VERSION, Dialect
from palaver.jobs import Jobs
from palaver.jobs.kind import Due, Kind, Run
from palaver.jobs.postgres.notes import Notes
from palaver.jobs.postgres.queue import make_tables
from palaver.postgres import Pool
from palaver.times import system_clock
from tests.jobs.brought import Brought
from tests.jobs.homes import Still, job, opened, say, state_of, until
from tests.jobs.models import Fickle
from tests.jobs.worker import QUICK, Worker
from tests.library import BagOfWords
from tests.postgres.databases import Databases, looking, ours

SCHEMA = Dialect().schema
MANY = [f"text number {number}" for number in range(40)]


def rows(url: str, sql: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(looking(url), autocommit=True) as connection:
        cursor = connection.execute(sql.encode())
        return cursor.fetchall() if cursor.description else []


def queue_of(url: str) -> str:
    """The schema of the queue."""
    found = rows(url, r"SELECT nspname FROM pg_namespace WHERE nspname LIKE 'palaver\_jobs\_%'")
    return found[0][0] if found else ""


def alive(url: str) -> int:
    """How many workers have shown themselves."""
    queue = queue_of(url)
    return rows(url, f"SELECT count(*) FROM {queue}.procrastinate_workers")[0][0] if queue else 0


def learned(url: str) -> int:
    return rows(url, "SELECT count(*) FROM palaver.vectors")[0][0]


@pytest.fixture
def workers(database_url: str, tmp_path: Path) -> Iterator[Any]:
    """Starts workers; those that are still there in the end are killed."""
    with ExitStack() as stack:

        def start(name: str, seconds: float) -> Worker:
            worker = Worker(database_url, tmp_path, name, seconds)
            stack.callback(worker.kill)
            return worker

        yield start


async def write(folder: Path, url: str, user: str, *texts: str) -> None:
    """Stores texts that begin with the name of their user; somebody else makes their vectors."""
    async with opened(folder, url, BagOfWords(), user=user, worker=False) as palaver:
        await say(palaver, *(f"{user} {text}" for text in texts))
        await palaver.settle()
        found = await job(palaver, "embedding")
        assert found
        assert found.state in ("pending", "running")


# -- workers -------------------------------------------------------------------------------------


async def test_a_job_of_a_killed_worker_is_run_by_another(
    tmp_path: Path, database_url: str, workers: Any
) -> None:
    await write(tmp_path, database_url, "local", "tea", "coffee")
    first = workers("first", 60)
    await until(lambda: first.begun)
    second = workers("second", 0)
    first.kill()
    await until(lambda: learned(database_url) == 2)
    assert {name for _, name, what, _ in second.told() if what == "ends"} == {"second"}


async def test_a_job_that_was_put_twice_outlives_the_worker_that_had_it(
    tmp_path: Path, database_url: str, workers: Any
) -> None:
    """Two nodes may look at the same time: one puts a job that the other had put, and that a worker
    has taken out since."""
    await write(tmp_path, database_url, "local", "tea")
    first = workers("first", 60)
    await until(lambda: first.begun)
    queue, columns = queue_of(database_url), "queue_name, task_name, lock, queueing_lock, args"
    again = f"INSERT INTO procrastinate_jobs ({columns}) SELECT {columns} FROM procrastinate_jobs"
    rows(database_url, f"SET search_path = {queue}; {again}")
    first.kill()
    workers("second", 0)
    await until(lambda: learned(database_url) == 1)
    await until(lambda: not rows(database_url, f"SELECT FROM {queue}.procrastinate_jobs"))


async def test_of_several_workers_one_does_a_job(
    tmp_path: Path, database_url: str, workers: Any
) -> None:
    users = ["usr-a", "usr-b", "usr-c"]
    for user in users:
        await write(tmp_path, database_url, user, *MANY)
    both = [workers(name, 0.2) for name in ("one", "other")]
    await until(lambda: learned(database_url) == len(users) * len(MANY))
    told = both[0].told()
    assert {name for _, name, _, _ in told} == {"one", "other"}
    for user in users:
        at: set[str] = set()
        for _, name, what, whose in sorted(told, key=lambda line: float(line[0])):
            if whose == user:
                assert at == (set() if what == "begins" else {name})
                at = {name} if what == "begins" else set()


async def test_a_worker_ends_after_its_step_and_hands_the_job_on(
    tmp_path: Path, database_url: str, workers: Any
) -> None:
    await write(tmp_path, database_url, "local", *MANY)
    first = workers("first", 1)
    await until(lambda: first.begun)
    assert first.end() < 10
    assert 0 < learned(database_url) < len(MANY)
    assert [what for _, _, what, _ in first.told()] == ["begins", "ends"]
    ((status, attempts),) = rows(
        database_url, f"SELECT status, attempts FROM {queue_of(database_url)}.procrastinate_jobs"
    )
    assert (status, attempts) == ("todo", 1)
    workers("second", 0)
    await until(lambda: learned(database_url) == len(MANY))


async def test_as_many_jobs_run_at_once_as_are_asked_for(database_url: str) -> None:
    """While all of them run, it is still looked for what is due."""
    many, looks, running, gate = 40, count(), count(1), Event()
    naps = [Due(number, f"usr-{number}", "") for number in range(1, many + 1)]
    begun = looked = 0

    def due() -> list[Due]:
        nonlocal looked
        looked = next(looks)
        return [] if gate.is_set() else naps

    def nap(_due: Due, _run: Run) -> None:
        nonlocal begun
        begun = next(running)
        gate.wait(60)

    background = Background(eager=True, pace=replace(QUICK, concurrency=many))
    work = [Brought(Kind("nap", "naps", due, nap))]
    with closing(PostgresNode(database_url, None, system_clock, background, work)):
        try:
            await until(lambda: begun == many)
            before = looked
            await until(lambda: looked > before + 3)
        finally:
            gate.set()
    assert begun == many


# -- queues that are lost ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "how", ["TRUNCATE {}.procrastinate_jobs CASCADE", "DROP SCHEMA {} CASCADE"]
)
async def test_without_its_queue_the_work_is_done_all_the_same(
    tmp_path: Path, database_url: str, how: str
) -> None:
    model = Fickle(shut=True)
    async with opened(tmp_path, database_url, model) as palaver:
        await say(palaver, "tea")
        await until(model.reached.is_set)
        rows(database_url, how.format(queue_of(database_url)))
        await say(palaver, "coffee")
        model.gate.set()
        await palaver.settle()
        assert sorted(model.embedded) == ["coffee", "tea"]
        assert await palaver.jobs() == []


async def test_a_lost_queue_lets_nobody_do_the_same_twice_at_once(
    tmp_path: Path, database_url: str, workers: Any
) -> None:
    one, _ = workers("one", 3), workers("other", 3)
    await until(lambda: alive(database_url) == 2)
    await write(tmp_path, database_url, "local", "tea")
    await until(lambda: one.begun)
    rows(database_url, f"DROP SCHEMA {queue_of(database_url)} CASCADE")
    await until(lambda: learned(database_url) == 1)
    told = one.told()
    assert [what for _, _, what, _ in told[:2]] == ["begins", "ends"]
    assert told[0][1] == told[1][1]


async def test_queues_of_other_versions_go_when_nobody_uses_them(
    tmp_path: Path, database_url: str
) -> None:
    pool = Pool(database_url)
    used, unused = Notes(pool, "used"), Notes(pool, "unused")
    make_tables(used)
    rows(database_url, f"INSERT INTO {used.schema}.procrastinate_workers DEFAULT VALUES")
    make_tables(unused)
    pool.close()
    async with opened(tmp_path, database_url, BagOfWords()) as palaver:
        await say(palaver, "tea")
        await palaver.settle()
    ours_ = Notes(pool, VERSION).schema
    left = rows(
        database_url, r"SELECT nspname FROM pg_namespace WHERE nspname LIKE 'palaver\_jobs\_%'"
    )
    assert {name for (name,) in left} == {used.schema, ours_}
    assert ours_.startswith("palaver_jobs_3_")


async def test_several_nodes_may_make_the_queue_at_once(tmp_path: Path, database_url: str) -> None:
    one, other = BagOfWords(), BagOfWords()
    async with (
        opened(tmp_path, database_url, one, user="usr-a") as first,
        opened(tmp_path, database_url, other, user="usr-b") as second,
    ):
        await say(first, "tea")
        await say(second, "coffee")
        await first.settle()
        await second.settle()
    assert learned(database_url) == 2


# -- failures ------------------------------------------------------------------------------------


async def test_pauses_grow_as_the_clock_goes_on(tmp_path: Path, database_url: str) -> None:
    clock, model = Still(), Fickle(broken=True)
    async with opened(tmp_path, database_url, model, clock=clock) as palaver:
        await say(palaver, "tea")
        for attempts, seconds in ((1, 1), (2, 2), (3, 4)):
            failed = await state_of(palaver, "embedding", "failed")
            assert failed
            assert failed.attempts == attempts
            after = clock() + timedelta(seconds=seconds)
            assert failed.after == f"{after:%Y-%m-%dT%H:%M:%S}.000Z"
            clock.advance(seconds=seconds)

            async def tried(attempts: int = attempts) -> bool:
                found = await job(palaver, "embedding")
                return bool(found and found.attempts > attempts)

            await eventually(tried)
        model.broken = False
        clock.advance(hours=1)
        await state_of(palaver, "embedding", None)
        assert model.embedded == ["tea"]


async def eventually(true: Any) -> None:
    found: list[bool] = []
    while not found or not found[-1]:
        found.append(await true())
        assert len(found) < 5000


async def test_it_goes_on_when_the_database_is_back(
    tmp_path: Path, postgres: Databases, database_url: str
) -> None:
    server, model = ours(postgres), Fickle()
    async with opened(tmp_path, database_url, model) as palaver:
        await say(palaver, "tea")
        await palaver.settle()
        server.stop("INT")
        server.start()
        await say(palaver, "coffee")
        await until(lambda: learned(database_url) == 2)
        await state_of(palaver, "embedding", None)


# -- nights and rebuilds -------------------------------------------------------------------------


async def test_rows_are_checked_at_night_and_made_again(tmp_path: Path, database_url: str) -> None:
    clock = Still()
    async with opened(tmp_path, database_url, BagOfWords(), clock=clock) as palaver:
        await say(palaver, "the harbour at night")
        await palaver.settle()
        await until(lambda: rows(database_url, f"SELECT 1 FROM {SCHEMA}.kept WHERE kind = 'check'"))
        live = rows(database_url, f"SELECT live FROM {SCHEMA}.books")
        rows(database_url, f"UPDATE {SCHEMA}.messages SET content = 'the harbour at noon'")
        assert await palaver.jobs() == []
        clock.advance(hours=16)
        failed = await state_of(palaver, "check", "failed")
        assert failed
        assert failed.error
        assert failed.error.code == "index_degraded"
        await until(lambda: rows(database_url, f"SELECT live FROM {SCHEMA}.books") != live)
        await state_of(palaver, "rebuild", None)
        clock.advance(minutes=1)
        await state_of(palaver, "check", None)
        assert [one for one in await palaver.verify() if one.damage] == []
        assert len(await palaver.search("harbour")) == 1


async def test_the_index_of_a_user_whom_nobody_opens_is_made(
    tmp_path: Path, database_url: str
) -> None:
    await write(tmp_path, database_url, "usr-ann", "tea")
    rows(database_url, f"DELETE FROM {SCHEMA}.books")
    model = BagOfWords()
    async with opened(tmp_path, database_url, model) as palaver:
        await say(palaver, "coffee")
        await until(
            lambda: rows(database_url, f"SELECT 1 FROM {SCHEMA}.books WHERE complete = 1")[1:]
        )
        await until(lambda: learned(database_url) == 2)


async def test_a_cancelled_rebuild_ends_and_rests(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await write(tmp_path, database_url, "usr-ann", *MANY)
    rows(database_url, f"UPDATE {SCHEMA}.books SET complete = 0")
    monkeypatch.setattr("palaver.index.stored.portions._LINES", 1)
    begun = Fickle()

    def slow(self: Any, *given: Any, original: Any = None) -> bool:
        begun.reached.set()
        begun.gate.wait(20)
        return store(self, *given)

    from palaver.index.stored.rebuild import Rebuild

    store = vars(Rebuild)["_store"]
    monkeypatch.setattr(Rebuild, "_store", slow)
    begun.gate.clear()
    async with opened(tmp_path, database_url, BagOfWords()) as palaver:
        await say(palaver, "coffee")
        jobs: Jobs = vars(palaver)["_engine"].jobs
        rows(
            database_url,
            f"INSERT INTO {SCHEMA}.kept SELECT owner, 'rebuild', 1 FROM {SCHEMA}.books"
            " WHERE complete = 0",
        )
        await until(begun.reached.is_set)
        cancelled = await jobs.cancel("rebuild:usr-ann")
        assert cancelled.state in ("running", "cancelled")
        begun.gate.set()

        async def rests() -> bool:
            found = [one for one in await jobs.list() if one.id == "rebuild:usr-ann"]
            return found[0].state == "cancelled"

        await eventually(rests)
        await jobs.retry("rebuild:usr-ann")
        await until(
            lambda: not rows(database_url, f"SELECT 1 FROM {SCHEMA}.books WHERE complete = 0")
        )


# -- who sees what -------------------------------------------------------------------------------


async def test_each_sees_their_own(tmp_path: Path, database_url: str) -> None:
    model = Fickle(broken=True)
    async with (
        opened(tmp_path, database_url, model, user="usr-ann") as ann,
        opened(tmp_path, database_url, model, user="usr-bob") as bob,
    ):
        await say(ann, "tea")
        await say(bob, "coffee")
        for palaver in (ann, bob):
            await state_of(palaver, "embedding", "failed")
        assert [one.id for one in await ann.jobs()] == ["embedding:usr-ann"]
        assert [one.id for one in await bob.jobs()] == ["embedding:usr-bob"]
        every = await vars(ann)["_engine"].jobs.list()
        assert [one.id for one in every] == ["embedding:usr-ann", "embedding:usr-bob"]


def test_a_node_that_has_nothing_to_do_opens_no_queue(database_url: str) -> None:
    pool = Pool(database_url)
    shared = Shared(pool)
    Background().attach(database_url, shared, None)
    shared.open()
    shared.settle("local")
    shared.close()
    pool.close()
    assert queue_of(database_url) == ""


async def test_the_queue_is_empty_when_everything_is_done(
    tmp_path: Path, database_url: str
) -> None:
    async with opened(tmp_path, database_url, BagOfWords()) as palaver:
        await say(palaver, "tea")
        await palaver.settle()
    queue = queue_of(database_url)
    for table in ("procrastinate_jobs", "procrastinate_events", "procrastinate_workers", "notes"):
        assert rows(database_url, f"SELECT * FROM {queue}.{table}") == []
