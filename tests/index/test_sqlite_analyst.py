"""The analyst: another process counts words, and nothing depends on it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from palaver.index.evidence import Speaker
from palaver.index.fulltext import analyst as analysing
from palaver.index.fulltext.analyst import Analyst
from palaver.index.fulltext.words import counted
from palaver.index.pieces import Said
from palaver.index.stored import rebuild as rebuilding
from palaver.ledger.lines import turn
from tests.index.dumps import dump, terms_in
from tests.index.handling import waiting
from tests.index.test_sqlite_erasure import canaries, traces
from tests.index.worlds import A, FileWorld, open_files


def said(lot: int, messages: int = 3000) -> list[Said]:
    """So many that they do not fit into a pipe."""
    return [
        Said(
            (lot << 32) + number, number, Speaker.USER, 5, f"Running dogs, number{number} 東京 ünï"
        )
        for number in range(messages)
    ]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The processes that were started; all of them have ended in the end."""
    processes: list[Any] = []
    start: Any = vars(analysing)["_started"]

    def noted() -> Any:
        processes.append(start())
        return processes[-1]

    monkeypatch.setattr(analysing, "_started", noted)
    yield processes
    assert all(process.returncode is not None for process in processes)


@pytest.fixture
def apart(started: list[Any]) -> Iterator[Analyst]:
    analyst = Analyst(apart=True)
    yield analyst
    analyst.close()


def test_another_process_counts_the_same(apart: Analyst, started: list[Any]) -> None:
    for lot in range(3):
        apart.give(said(lot))
        assert apart.get() == counted(said(lot))
        assert apart.done()
    assert len(started) == 1


@pytest.mark.parametrize("again", [False, True])
def test_the_process_is_killed(apart: Analyst, started: list[Any], again: bool) -> None:
    """While it counts, or while it has nothing to do."""
    apart.give(said(1))
    if again:
        apart.get()
    os.kill(started[0].pid, signal.SIGKILL)
    if again:
        started[0].wait()
        apart.give(said(1))
    assert apart.get() == counted(said(1))
    apart.give(said(2))
    assert apart.done()
    assert apart.get() == counted(said(2))
    assert len(started) == 1


@pytest.mark.parametrize("program", ["/nowhere/python", "/bin/true", ""])
def test_there_is_no_python_to_start(
    monkeypatch: pytest.MonkeyPatch, apart: Analyst, program: str
) -> None:
    monkeypatch.setattr(sys, "executable", program)
    apart.give(said(1))
    assert apart.get() == counted(said(1))


def test_what_runs_here_is_no_python(monkeypatch: pytest.MonkeyPatch, started: list[Any]) -> None:
    monkeypatch.setattr(sys, "executable", "/usr/bin/some-program")
    analyst = Analyst(apart=True)
    analyst.give(said(1))
    assert analyst.get() == counted(said(1))
    assert started == []


def test_little_needs_no_other_process(started: list[Any]) -> None:
    analyst = Analyst(apart=False)
    analyst.give(said(1))
    assert analyst.done()
    assert analyst.get() == counted(said(1))
    assert started == []


@pytest.fixture
async def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FileWorld:
    """Its rebuilds use another process, and make many segments."""
    for name, value in (("_LITTLE", 0), ("_MUCH", 0), ("_WAITING", 5)):
        monkeypatch.setattr(rebuilding, name, value)
    monkeypatch.setattr("palaver.index.stored.portions._LINES", 7)
    world = await open_files(tmp_path)
    long = await world.begin(A, *(f"tea {number}" for number in range(60)))
    await world.write(*(turn(A, "user", "x", supersedes=line.id) for line in long[1:50:3]))
    await world.happen(A, "edited", messageId=long[2].id, content="other words")
    await world.erase(lines={A: [3, 33, 61]})
    for number in range(20):
        await world.begin(f"conv-{number:02}", "cake", "and more")
    return world


async def test_a_rebuild_with_another_process(home: FileWorld, started: list[Any]) -> None:
    rows = dump(home.home.index)
    await home.index.rebuild()
    assert dump(home.home.index) == rows
    assert len(started) == 1
    assert waiting(home) == 0
    assert await home.index.verify() == []
    await home.close()


@pytest.mark.parametrize("change", ["erased", "deleted", "edited"])
async def test_a_message_is_changed_while_its_words_are_counted(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    (word,) = canaries(1)
    _, line = await home.begin("conv-ZZ", f"tea {word}")  # the newest: it is counted first
    loop = asyncio.get_running_loop()
    get: Any = vars(Analyst)["get"]
    changed: list[str] = []

    async def change_it() -> None:
        if change == "edited":
            await home.happen("conv-ZZ", "edited", messageId=line.id, content="other words")
        else:
            which = {"streams": ["conv-ZZ"]} if change == "deleted" else {"lines": {"conv-ZZ": [1]}}
            await home.erase(**which)

    def counting(self: Analyst) -> object:
        found = get(self)
        if not changed:
            changed.append(change)
            asyncio.run_coroutine_threadsafe(change_it(), loop).result(20)
        return found

    monkeypatch.setattr(Analyst, "get", counting)
    await home.index.rebuild()
    assert changed
    assert word not in terms_in(home.home.index)
    assert await home.found(word) == []
    assert await home.index.verify() == []
    if change != "edited":
        assert traces(home, [word]) == set()
    await home.close()


async def test_its_process_is_killed(
    home: FileWorld, started: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = dump(home.home.index)
    give: Any = vars(Analyst)["give"]

    def killed(self: Analyst, messages: list[Said]) -> None:
        give(self, messages)
        if started[0].returncode is None:
            started[0].kill()

    monkeypatch.setattr(Analyst, "give", killed)
    await home.index.rebuild()
    assert started[0].returncode == -signal.SIGKILL
    assert dump(home.home.index) == rows
    assert await home.index.verify() == []
    await home.close()
