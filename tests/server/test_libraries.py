"""Libraries: opened once for each user, kept while they are used, closed when they are not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from palaver.app import Palaver
from palaver.errors import HomeUnusable
from palaver.jobs import Job
from palaver.server.libraries import MOST_HOMES, Libraries, open_libraries
from palaver.settings import Settings
from tests.conversation.scripted import Gate, answer_by

ANN, BOB, CAT = "usr-ann", "usr-bob", "usr-cat"


class Shelves:
    """Opens libraries in homes, and knows which of them are open."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.opened: list[str] = []
        self.closed: list[str] = []
        self.now = 0.0
        self.closing = asyncio.Event()

    def open_for(self, user: str) -> Palaver:
        shelves = self

        class Noting(Palaver):
            async def __aenter__(self) -> Palaver:
                await super().__aenter__()
                shelves.opened.append(user)
                return self

            async def __aexit__(self, *error: object) -> None:
                shelves.closed.append(user)
                shelves.closing.set()
                await super().__aexit__(None, None, None)

        settings = Settings.load(self.root)
        return Noting.open(settings=settings, user=user, index_vectors=False)

    @property
    def kept(self) -> set[str]:
        return set(self.opened) - set(self.closed)


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    return Shelves(tmp_path)


@pytest.fixture
async def many(shelves: Shelves) -> AsyncIterator[Libraries]:
    async with shelves.open_for("local") as first:
        shelves.opened.clear()
        many = Libraries(first, shelves.open_for, most=2, idle_seconds=60, now=lambda: shelves.now)
        yield many
        await many.close()
        assert shelves.kept == set()


async def visit(many: Libraries, user: str) -> Palaver:
    async with many.of(user) as palaver:
        assert palaver.user == user
        await palaver.conversations()
        return palaver


async def test_a_library_is_opened_once(many: Libraries, shelves: Shelves) -> None:
    found = await asyncio.gather(*(visit(many, ANN) for _ in range(5)))
    found.append(await visit(many, ANN))
    assert len({id(one) for one in found}) == 1
    assert shelves.opened == [ANN]


async def test_the_longest_unused_goes_when_there_are_too_many(
    many: Libraries, shelves: Shelves
) -> None:
    for user in (ANN, BOB, ANN, CAT):
        await visit(many, user)
    assert shelves.closed == [BOB]
    await visit(many, BOB)
    assert shelves.closed == [BOB, ANN]


async def test_nobody_loses_what_they_use(many: Libraries, shelves: Shelves) -> None:
    async with many.of(ANN) as used:
        shelves.now = 1000.0
        for user in (BOB, CAT, "usr-dan", "usr-eve"):
            await visit(many, user)
        assert ANN in shelves.kept
        await used.conversations()
    assert ANN in shelves.kept


async def test_a_reply_is_made_to_its_end(many: Libraries, shelves: Shelves) -> None:
    async with many.of(ANN) as palaver:
        gate = answer_by(palaver, Gate())
        async with aclosing(palaver.stream("Hello", detached=True)) as steps:
            await anext(steps)
    await gate.waiting.wait()
    shelves.now = 1000.0
    await visit(many, BOB)
    assert ANN in shelves.kept
    gate.open.set()
    await palaver._agent.turns.replies.settle()  # pyright: ignore[reportPrivateUsage]
    shelves.now = 2000.0
    await visit(many, BOB)
    assert shelves.kept == {BOB}


async def test_the_first_is_not_opened_again(many: Libraries, shelves: Shelves) -> None:
    assert await visit(many, "local") is await visit(many, "local")
    assert shelves.opened == []


async def test_what_is_idle_is_closed(many: Libraries, shelves: Shelves) -> None:
    await visit(many, ANN)
    shelves.now = 61.0
    await visit(many, BOB)
    assert shelves.kept == {BOB}


async def test_what_could_not_be_opened_is_tried_again(many: Libraries, shelves: Shelves) -> None:
    (shelves.root / "users").write_text("in the way")
    for _ in range(2):
        with pytest.raises(HomeUnusable):
            await visit(many, ANN)
    (shelves.root / "users").unlink()
    await visit(many, ANN)
    assert shelves.opened == [ANN]


async def test_whoever_comes_while_it_is_closed_has_it_opened_again(
    many: Libraries, shelves: Shelves
) -> None:
    first = await visit(many, ANN)
    shelves.now = 61.0
    leaving = asyncio.create_task(visit(many, BOB))
    await asyncio.wait_for(shelves.closing.wait(), 20)
    again = await visit(many, ANN)
    await leaving
    assert again is not first
    assert shelves.opened == [ANN, BOB, ANN]
    assert await visit(many, ANN) is again


async def test_jobs_are_those_of_every_home_that_is_open(
    many: Libraries, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def jobs(palaver: Palaver, *, everyone: bool = False) -> list[Job]:
        assert not everyone
        asked.append(palaver.user)
        return []

    monkeypatch.setattr(Palaver, "jobs", jobs)
    await visit(many, ANN)
    assert await many.jobs() == []
    assert asked == ["local", ANN]


async def test_a_library_is_not_closed_while_it_is_looked_who_waits_there(
    many: Libraries, shelves: Shelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    await visit(many, ANN)
    looking, go_on = asyncio.Event(), asyncio.Event()

    async def answer_waiting(palaver: Palaver) -> int:
        if palaver.user == ANN:
            looking.set()
            await go_on.wait()
        return 0

    monkeypatch.setattr(Palaver, "answer_waiting", answer_waiting)
    answering = asyncio.create_task(many.answer_waiting())
    await asyncio.wait_for(looking.wait(), 20)
    shelves.now = 61.0
    await visit(many, BOB)
    assert shelves.kept == {ANN, BOB}
    go_on.set()
    await answering


@pytest.mark.parametrize(("quiet", "seconds"), [("2s", 600.0), ("10m", 900.0), ("2h", 7500.0)])
async def test_a_home_stays_open_until_its_conversations_are_digested(
    tmp_path: Path, quiet: str, seconds: float
) -> None:
    (tmp_path / "config.yaml").write_text(f"conversations: {{idleTimeout: {quiet}}}")

    def open_for(user: str) -> Palaver:
        return Palaver.open(tmp_path, user=user, index_vectors=False)

    async with open_libraries("local", open_for) as libraries:
        assert libraries._idle == seconds  # pyright: ignore[reportPrivateUsage]
        assert libraries._most == MOST_HOMES  # pyright: ignore[reportPrivateUsage]


async def test_the_usual_model_is_made_ready_when_the_server_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    ready = asyncio.Event()

    async def warm_up(_: Palaver) -> None:
        ready.set()

    monkeypatch.setattr(Palaver, "warm_up", warm_up)
    async with open_libraries("local", lambda _: Palaver.open(tmp_path, index_vectors=False)):
        await asyncio.wait_for(ready.wait(), 20)
