"""Digests are made in another process, and nothing depends on it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence

import pytest

from palaver.context.tokens import EstimatedTokens
from palaver.digest import apart
from palaver.digest import aside as child
from palaver.digest.apart import Aside
from palaver.digest.offline.maker import OfflineDigest
from palaver.digest.offline.making import made
from palaver.digest.offline.task import Task
from palaver.digest.port import Story
from palaver.errors import IndexDegraded
from palaver.index.evidence import Vector
from palaver.index.records import ConversationMeta
from tests.digest.offline.talks import BOTH, count, talk
from tests.digest.offline.test_making import meanings

COUNT = EstimatedTokens().count
TASK = Task(talk("My boat is called Aurora and lies in Kiel.", "I see."), (), (), {}, BOTH)


@pytest.fixture
async def aside() -> AsyncIterator[Aside]:
    opened = Aside()
    yield opened
    opened.close()


async def test_another_process_makes_the_same(aside: Aside) -> None:
    assert await aside.do(made, TASK, COUNT) == made(TASK, count)
    first = aside.process
    assert first
    assert os.getpriority(os.PRIO_PROCESS, first) >= child.POLITE
    assert await aside.do(made, TASK, COUNT) == made(TASK, count)
    assert aside.process == first


async def test_several_at_once_each_get_their_own(aside: Aside) -> None:
    tasks = [Task(talk(f"The kettle number {n} is broken."), (), (), {}, BOTH) for n in range(8)]
    found = await asyncio.gather(*(aside.do(made, task, COUNT) for task in tasks))
    assert found == [made(task, count) for task in tasks]


async def test_one_that_died_is_started_again(aside: Aside) -> None:
    await aside.do(made, TASK, COUNT)
    first = aside.process
    assert first
    os.kill(first, signal.SIGKILL)
    assert await aside.do(made, TASK, COUNT) == made(TASK, count)
    assert aside.process not in {None, first}


async def test_one_that_dies_in_the_middle_is_started_again(aside: Aside) -> None:
    await aside.do(made, TASK, COUNT)
    first = aside.process
    assert first
    os.kill(first, signal.SIGSTOP)  # it takes the task and says nothing
    waiting = asyncio.create_task(aside.do(made, TASK, COUNT))
    await asyncio.sleep(0)
    os.kill(first, signal.SIGKILL)
    assert await waiting == made(TASK, count)
    assert aside.process != first


async def test_what_never_works_is_made_here(aside: Aside, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []

    def useless(line: int) -> subprocess.Popen[bytes]:
        started.append(line)
        return subprocess.Popen([sys.executable, "-c", "pass"])

    monkeypatch.setattr(apart, "started_process", useless)
    assert await aside.do(made, TASK, COUNT) == made(TASK, count)
    assert len(started) == 2
    assert aside.process is None


async def test_nonsense_is_made_here(aside: Aside, monkeypatch: pytest.MonkeyPatch) -> None:
    def nonsense(line: int) -> subprocess.Popen[bytes]:
        talks = "import os, sys; os.write(int(sys.argv[1]), bytes([0] * 7 + [3]) + b'abc')"
        return subprocess.Popen([sys.executable, "-c", talks, str(line)], pass_fds=[line])

    monkeypatch.setattr(apart, "started_process", nonsense)
    assert await aside.do(made, TASK, COUNT) == made(TASK, count)


async def test_what_cannot_be_told_to_another_process_is_made_here() -> None:
    def thirds(text: str) -> int:
        return len(text) // 3

    aside = Aside()
    assert (await aside.do(made, TASK, thirds)).naming == made(TASK, count).naming
    assert aside.process is None


async def test_an_answer_that_nobody_waits_for_is_given_to_nobody(aside: Aside) -> None:
    await aside.do(made, TASK, COUNT)
    first = aside.process
    assert first
    os.kill(first, signal.SIGSTOP)
    waiting = asyncio.create_task(aside.do(made, TASK, COUNT))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    other = Task(talk("The mast broke in the storm."), (), (), {}, BOTH)
    assert await aside.do(made, other, COUNT) == made(other, count)


async def test_it_ends_after_a_rest_and_when_closed() -> None:
    aside = Aside(rest=0)
    await aside.do(made, TASK, COUNT)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert aside.process is None
    aside.close()


def test_it_ends_when_nobody_listens() -> None:
    here, there = socket.socketpair()
    with there:
        process = apart.started_process(there.fileno())
    here.sendall(child.framed((made, (TASK, COUNT))))
    here.close()
    assert process.wait(20) == 0


def test_it_ends_in_the_middle_of_a_frame() -> None:
    here, there = socket.socketpair()
    with there:
        process = apart.started_process(there.fileno())
    here.sendall(child.framed((made, (TASK, COUNT)))[:-3])
    here.close()
    assert process.wait(20) == 0


async def test_the_maker_uses_the_vectors_that_are_there(aside: Aside) -> None:
    asked: list[str] = []
    vectors = meanings(STORY.messages)

    async def known(texts: Sequence[str]) -> Mapping[str, Vector]:
        asked.extend(texts)
        return vectors

    result = await OfflineDigest(aside, known, COUNT).make(STORY, BOTH)
    assert set(asked) == set(vectors)
    assert result == made(Task(STORY.messages, (), (), vectors, BOTH), count)


async def test_the_maker_makes_do_without_vectors(aside: Aside) -> None:
    async def unknown(texts: Sequence[str]) -> Mapping[str, Vector]:
        raise IndexDegraded("It is damaged.")

    result = await OfflineDigest(aside, unknown, COUNT).make(STORY, frozenset({"abbreviation"}))
    assert result.abbreviation
    assert result.naming is None


STORY = Story(
    ConversationMeta(
        id="conv-1", created="2026-03-14T09:30:00.000Z", updated="2026-03-14T09:30:00.000Z"
    ),
    talk("My boat is called Aurora and lies in Kiel.", "I see.", "The mast broke in the storm."),
)
