"""The analyst: another process counts words, and nothing depends on it."""

from __future__ import annotations

import asyncio
import marshal
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from palaver.errors import IndexDegraded
from palaver.index.evidence import Speaker
from palaver.index.fulltext import analyst as analysing
from palaver.index.fulltext.analyst import Analyst
from palaver.index.fulltext.takings import Takings
from palaver.index.fulltext.words import FullText, counted
from palaver.index.pieces import Said
from palaver.index.stored import rebuild as rebuilding
from palaver.index.stored.rebuild import Stopped
from palaver.index.stored.rebuilds import Rebuilds
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


def never() -> None:
    """There is no reason to end."""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The processes that were started; all of them have ended in the end."""
    processes: list[Any] = []
    start: Any = vars(analysing)["_started"]

    def noted(line: int) -> Any:
        processes.append(start(line))
        return processes[-1]

    monkeypatch.setattr(analysing, "_started", noted)
    yield processes
    assert all(process.returncode is not None for process in processes)


@pytest.fixture
def apart(started: list[Any]) -> Iterator[Analyst]:
    analyst = Analyst(apart=True, pause=never)
    yield analyst
    analyst.close()


def test_another_process_counts_the_same(apart: Analyst, started: list[Any]) -> None:
    for lot in range(3):
        apart.give(said(lot))
        assert apart.get() == counted(said(lot))
        assert apart.done()
    assert len(started) == 1
    assert started[0].poll() is None


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


@pytest.mark.parametrize("nobody", [None, ""])
def test_nobody_knows_which_python_runs_here(
    monkeypatch: pytest.MonkeyPatch, started: list[Any], nobody: str | None
) -> None:
    monkeypatch.setattr(sys, "executable", nobody)
    analyst = Analyst(apart=True, pause=never)
    analyst.give(said(1))
    assert analyst.get() == counted(said(1))
    assert started == []


def test_the_program_is_impatient_with_its_sockets(apart: Analyst, started: list[Any]) -> None:
    socket.setdefaulttimeout(5)
    try:
        apart.give(said(1))
        assert apart.get() == counted(said(1))
    finally:
        socket.setdefaulttimeout(None)
    assert started[0].poll() is None


@pytest.mark.parametrize("printed", ["Found nothing to patch", "Building cache"])
def test_other_peoples_code_prints(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    apart: Analyst,
    started: list[Any],
    printed: str,
) -> None:
    (tmp_path / "sitecustomize.py").write_text(f"print({printed!r}, flush=True)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    apart.give(said(1))
    assert apart.get() == counted(said(1))
    assert started[0].poll() is None


def frame(value: Any) -> bytes:
    data = marshal.dumps(value)
    return len(data).to_bytes(8) + data


HELLO = frame(vars(analysing)["_CODE"])


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"Building cache",
        HELLO[:-1],
        frame(None),
        (8).to_bytes(8) + b"nonsense",
        HELLO + (8).to_bytes(8) + b"nonsense",
        HELLO + frame(7),
        HELLO + frame([(b"", b"")]),
    ],
)
def test_the_process_talks_nonsense(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, apart: Analyst, answer: bytes
) -> None:
    program = tmp_path / "python"
    program.write_text(
        f"#!{sys.executable}\nimport os, sys\nos.write(int(sys.argv[-1]), {answer!r})\n"
    )
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    apart.give(said(1, 10))
    assert apart.get() == counted(said(1, 10))
    assert not apart.started


def elsewhere(folder: Path) -> str:
    """A folder in which there is another Palaver."""
    (folder / "palaver").symlink_to(Path(analysing.__file__).parents[2])
    return str(folder)


def test_the_process_is_of_another_palaver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, apart: Analyst, started: list[Any]
) -> None:
    monkeypatch.setenv("PYTHONPATH", elsewhere(tmp_path))
    apart.give(said(1))
    assert started[0].returncode is not None
    assert apart.get() == counted(said(1))


@pytest.mark.parametrize("flag", ["-E", "-I"])
def test_the_process_looks_for_modules_where_this_one_does(tmp_path: Path, flag: str) -> None:
    code = (
        "from palaver.index.pieces import Said\n"
        "from palaver.index.fulltext.analyst import Analyst\n"
        "analyst = Analyst(apart=True, pause=lambda: None)\n"
        "analyst.give([Said(1, 1, 0, 5, 'tea')])\n"
        "print(len(analyst.get()), analyst.started)\n"
        "analyst.close()\n"
    )
    done = subprocess.run(
        [sys.executable, flag, "-c", code],
        env={"PYTHONPATH": elsewhere(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "1 True\n"


@pytest.mark.parametrize("busy", [False, True])
def test_the_process_stands_still(
    monkeypatch: pytest.MonkeyPatch, apart: Analyst, started: list[Any], busy: bool
) -> None:
    """Before it has heard everything, or before it has answered."""
    apart.give(said(1))
    if not busy:
        apart.get()
    os.kill(started[0].pid, signal.SIGSTOP)
    monkeypatch.setattr(analysing, "_TURNS", 2)
    if not busy:
        apart.give(said(1, 9000))
        assert not apart.started
    assert apart.get() == counted(said(1) if busy else said(1, 9000))
    assert not apart.started


def test_it_is_time_to_end_while_the_process_stands_still(started: list[Any]) -> None:
    stop = threading.Event()

    def pause() -> None:
        if stop.is_set():
            raise Stopped

    analyst = Analyst(apart=True, pause=pause)
    analyst.give(said(1))
    os.kill(started[0].pid, signal.SIGSTOP)
    stop.set()
    with pytest.raises(Stopped):
        analyst.get()
    with pytest.raises(Stopped):
        analyst.give(said(1))
    analyst.close()


def test_what_runs_here_is_no_python(monkeypatch: pytest.MonkeyPatch, started: list[Any]) -> None:
    monkeypatch.setattr(sys, "executable", "/usr/bin/some-program")
    analyst = Analyst(apart=True, pause=never)
    analyst.give(said(1))
    assert analyst.get() == counted(said(1))
    assert started == []


def test_little_needs_no_other_process(started: list[Any]) -> None:
    analyst = Analyst(apart=False, pause=never)
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


async def test_the_index_is_closed_while_its_process_stands_still(
    home: FileWorld, started: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    give: Any = vars(Analyst)["give"]
    get: Any = vars(Analyst)["get"]
    waits = threading.Event()

    def stopped(self: Analyst, messages: list[Said]) -> None:
        if started:
            os.kill(started[0].pid, signal.SIGSTOP)
        give(self, messages)

    def waiting_for(self: Analyst) -> object:
        if os.waitid(os.P_PID, started[0].pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT):
            waits.set()
        return get(self)

    monkeypatch.setattr(Analyst, "give", stopped)
    monkeypatch.setattr(Analyst, "get", waiting_for)
    rebuilt = asyncio.create_task(home.index.rebuild())
    assert await asyncio.to_thread(waits.wait, 20)
    await asyncio.wait_for(home.close(), 20)
    await rebuilt
    assert started[0].returncode == -signal.SIGKILL


async def test_a_rebuild_fails_as_nobody_foresaw(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ArithmeticError("nobody foresaw it")

    with monkeypatch.context() as planted:
        planted.setattr(Takings, "take", fails)
        with pytest.raises(IndexDegraded, match="nobody foresaw it"):
            await home.index.rebuild()
    assert home.index.health().status == "degraded"
    assert "palaver rebuild" in home.index.health().detail
    await home.index.rebuild()
    assert home.index.health().status == "ok"
    await home.close()


# -- how much is worth another process -----------------------------------------------------------


async def test_what_comes_during_a_rebuild_needs_no_other_process(
    home: FileWorld, started: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of its rounds finds a message that has come during the one before."""
    monkeypatch.setattr(rebuilding, "_MUCH", 2000)
    monkeypatch.setattr(rebuilding, "_WAITING", 1)
    loop = asyncio.get_running_loop()
    finish: Any = vars(Takings)["finish"]
    rounds: list[int] = []

    def finishing(self: Takings, *given: Any) -> None:
        finish(self, *given)
        rounds.append(len(started))
        asyncio.run_coroutine_threadsafe(home.say(A, "user", "one more"), loop).result(20)

    monkeypatch.setattr(Takings, "finish", finishing)
    await home.index.rebuild()
    assert rounds == [1, 1, 1, 1]
    assert await home.index.verify() == []
    await home.close()


async def test_what_is_less_than_a_segment_needs_no_other_process(
    home: FileWorld, started: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuilding, "_WAITING", 1000)
    await home.index.rebuild()
    assert started == []
    assert waiting(home) == 0
    assert await home.index.verify() == []
    await home.close()


async def test_it_is_time_to_end_while_the_last_words_are_taken(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuilding, "_MUCH", 1 << 30)
    finish: Any = vars(Takings)["finish"]
    put: Any = vars(FullText)["put"]
    rebuilds: Rebuilds = vars(home.index)["_rebuilds"]
    stop: threading.Event = vars(rebuilds)["_stop"]
    stored: list[int] = []

    def finishing(self: Takings, *given: Any) -> None:
        stop.set()
        finish(self, *given)

    def putting(self: FullText, messages: Any, made: Any) -> bool:
        if stop.is_set():
            stored.append(len(messages))
        return put(self, messages, made)

    monkeypatch.setattr(Takings, "finish", finishing)
    monkeypatch.setattr(FullText, "put", putting)
    await home.index.rebuild()
    assert stop.is_set()
    assert stored == []
    await home.close()


# -- messages that are changed -------------------------------------------------------------------


@pytest.fixture
def puts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, bool]]:
    """How many messages were to be stored at a time, and whether they were."""
    noted: list[tuple[int, bool]] = []
    put: Any = vars(FullText)["put"]

    def noting(self: FullText, messages: Any, made: Any) -> bool:
        noted.append((len(messages), put(self, messages, made)))
        return noted[-1][1]

    monkeypatch.setattr(FullText, "put", noting)
    return noted


@pytest.mark.parametrize("enough", [1000, 30])
async def test_messages_that_are_changed_later_spoil_nothing(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch, puts: list[tuple[int, bool]], enough: int
) -> None:
    """Whether they are replaced before there are enough for a segment, or afterwards."""

    def busy(*_: object) -> bool:
        return False

    monkeypatch.setattr(rebuilding, "_WAITING", enough)
    monkeypatch.setattr(Analyst, "done", busy)
    lines = await home.begin("conv-ZZ", *(f"cake {number}" for number in range(20)))
    for number in range(1, 20, 3):
        await home.happen("conv-ZZ", "superseded", messageId=lines[number].id)
        await home.happen("conv-ZZ", "edited", messageId=lines[number + 1].id, content="other")
    rows = dump(home.home.index)
    puts.clear()
    await home.index.rebuild()
    assert dump(home.home.index) == rows
    assert all(stored for _, stored in puts)
    assert await home.index.verify() == []
    await home.close()


async def test_a_changed_message_does_not_keep_the_others_waiting(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch, puts: list[tuple[int, bool]]
) -> None:
    taken: list[int] = []
    take: Any = vars(FullText)["take"]

    def taking(self: FullText, most: int) -> int:
        taken.append(take(self, most))
        return taken[-1]

    monkeypatch.setattr(FullText, "take", taking)
    puts.clear()
    await test_a_message_is_changed_while_its_words_are_counted(home, monkeypatch, "erased")
    # The slower the analyst, the more of its messages were replaced by those that were read since.
    refused = [number for number, (_, stored) in enumerate(puts) if not stored]
    assert refused
    for number in refused:
        many, stored = puts[number + 1]
        assert stored
        assert 0 < many < puts[number][0]
    assert sum(taken) == 0
