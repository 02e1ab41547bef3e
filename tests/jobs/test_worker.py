"""The worker of a home: when it looks, what it forgets, and what ends it."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import datetime
from threading import Thread

import pytest

from palaver.jobs.embedded.worker import Worker
from palaver.jobs.item import Item
from palaver.jobs.kind import Due, Kind, Run
from palaver.jobs.pace import Pace
from palaver.times import system_clock
from tests.jobs.brought import Chores
from tests.jobs.homes import Still, until
from tests.library import Clock

NEVER = Pace(look=60, start=60, grace=60)
"""For whoever is only told to hurry."""
QUICK = Pace(look=0.02, start=0, grace=0)


@contextmanager
def working(
    chores: Chores, pace: Pace = QUICK, clock: Callable[[], datetime] = system_clock
) -> Generator[Worker]:
    worker = Worker([chores.kind], clock, pace)
    worker.start()
    try:
        yield worker
    finally:
        worker.stop()


def test_a_short_command_costs_nothing() -> None:
    chores = Chores("sweep")
    with working(chores, NEVER) as worker:
        worker.wake()
    assert (chores.read, chores.begun) == (0, [])


def test_whoever_waits_for_it_has_it_done_at_once() -> None:
    chores = Chores("sweep", "dust")
    with working(chores, NEVER) as worker:
        worker.settle()
    assert sorted(chores.done) == ["dust", "sweep"]


def test_a_wake_is_a_look() -> None:
    chores = Chores()
    with working(chores, Pace(look=60, start=0, grace=0)) as worker:
        worker.settle()
        chores.marks["sweep"] = "1"
        worker.wake()
        deadline = time.monotonic() + 20
        while not chores.done:
            assert time.monotonic() < deadline


def test_without_kinds_there_is_no_thread() -> None:
    worker = Worker([], system_clock)
    worker.start()
    worker.settle()
    worker.stop()


def test_nothing_is_begun_after_the_end() -> None:
    chores = Chores("sweep")
    with working(chores, NEVER) as worker:
        item = worker.find("chore:local:sweep")
        assert item
    worker.retry(item)
    worker.settle()
    assert chores.begun == []


async def test_what_was_cancelled_while_it_waited_is_not_begun() -> None:
    chores = Chores("sweep", "dust", "cook")
    chores.gate.clear()
    with working(chores, Pace(look=60, start=0, grace=0)) as worker:
        await until(lambda: len(chores.begun) == 2)
        item = worker.find("chore:local:cook")
        assert item
        worker.cancel(item)
        chores.gate.set()
        worker.settle()
    assert sorted(chores.begun) == ["dust", "sweep"]


async def test_what_runs_is_not_begun_again() -> None:
    chores = Chores("sweep")
    chores.gate.clear()
    with working(chores, Pace(look=60, start=0, grace=0)) as worker:
        await until(lambda: chores.begun)
        item = worker.find("chore:local:sweep")
        assert item
        worker.retry(item)
        chores.gate.set()
        worker.settle()
    assert (chores.begun, chores.twice) == (["sweep"], False)


async def test_what_is_done_leaves_no_note() -> None:
    chores, clock = Chores("sweep", "dust"), Still()
    chores.broken = {"sweep", "dust"}
    with working(chores, clock=clock) as worker:
        worker.settle()
        assert [item.job().attempts for item in worker.items()] == [1, 1]
        del chores.marks["dust"]  # it is not due any more
        chores.broken.clear()
        clock.advance(minutes=5)
        worker.settle()
        assert chores.done == ["sweep"]
        chores.marks |= {"sweep": "2", "dust": "2"}
        chores.gate.clear()
        await until(lambda: len(worker.items()) == 2 and all(one.running for one in worker.items()))
        assert [item.job().attempts for item in worker.items()] == [0, 0]
        chores.gate.set()


async def test_somebody_else_at_it_is_waited_for() -> None:
    clock, elsewhere, done = Still(), True, list[Due]()
    due = [Due(0, "local", "1", "sweep")]

    def run(one: Due, _run: Run) -> None:
        done.append(one)
        due.clear()

    kind = Kind("chore", "chores", lambda: due, run, lambda _: elsewhere)
    worker = Worker([kind], clock, QUICK)
    worker.start()
    await until(lambda: [one for one in worker.items() if _rests(one)])
    settling = Thread(target=worker.settle)
    settling.start()
    elsewhere = False
    clock.advance(seconds=5)
    settling.join()
    assert len(done) == 1
    worker.stop()


def _rests(item: Item) -> bool:
    return item.after is not None and item.job().state == "pending"


def test_an_unexpected_error_ends_neither_the_look_nor_the_thread(
    caplog: pytest.LogCaptureFixture,
) -> None:
    wrong, done = True, list[str]()

    def due() -> list[Due]:
        if wrong:
            raise ValueError("a slip")
        return [] if done else [Due(0, "local", "1", "sweep")]

    kind = Kind("chore", "chores", due, lambda one, run: done.append(one.key))
    worker = Worker([kind], Still(), QUICK)
    worker.start()
    for _ in range(3):
        with pytest.raises(Exception, match="ValueError: a slip"):
            worker.settle()
    assert len([one for one in caplog.records if "Jobs wait" in one.message]) == 1
    wrong = False
    worker.settle()
    assert done == ["sweep"]
    worker.stop()


def test_background_looks_do_not_move_the_clock_of_a_test() -> None:
    clock, chores = Clock(), Chores("sweep")
    before = clock.now
    with working(chores, clock=clock) as worker:
        worker.settle()
    assert chores.done == ["sweep"]
    assert clock.now == before
