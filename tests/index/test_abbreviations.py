"""Abbreviations: found by what they mean, on every engine, and by no word of theirs."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from palaver.index.evidence import Speaker
from palaver.index.pieces import cut, without_marks
from palaver.index.port import Question, Reach, SearchFilter
from palaver.index.postgres.index import PostgresIndex
from palaver.index.sqlite.index import SqliteIndex
from tests.index.handling import open_with, run, take, waiting
from tests.index.worlds import USER, A, B, FileWorld, World, node
from tests.library import BagOfWords

TEXT = "- They planned a garden.\n- The fence is due in May."
SAID = "They planned a garden.\nThe fence is due in May."
OTHER = "- Somebody sold a boat."


@asynccontextmanager
async def _files(folder: Path) -> AsyncGenerator[World]:
    world = await open_with(folder, BagOfWords())
    yield world
    await world.close()


@pytest.fixture(params=["sqlite", "postgres"])
async def world(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[World]:
    """A ledger and an index that knows what texts mean."""
    opened: AbstractAsyncContextManager[World] = _files(tmp_path)
    if request.param == "postgres":
        opened = node(request.getfixturevalue("database_url"), load=BagOfWords)
    async with opened as one:
        yield one


async def abbreviate(world: World, stream: str, text: str, **fields: Any) -> int:
    """The line of the event."""
    line = await world.happen(stream, "abbreviation", text=text, through=1, by="offline", **fields)
    return line.seq


async def known(world: World, *texts: str) -> set[str]:
    """Which of the texts have a vector, once everything is done."""
    await world.index.settle()
    return set(await world.index.meanings(USER, texts))


async def near(world: World, text: str, **wanted: Any) -> dict[str, float]:
    """The conversations whose abbreviations are near to a text."""
    found = await world.evidence(*text.split(), text=text, **wanted)
    told = found.abbreviations
    pairs = zip(told.conversation.tolist(), told.cosine.tolist(), strict=True)
    return {found.conversations[number]: cosine for number, cosine in pairs if cosine > 0.3}


async def learned(world: World) -> tuple[int, int]:
    """How many pieces have a vector, and how many are to have one."""
    index: Any = world.index
    if isinstance(index, SqliteIndex):
        return index.learned()
    assert isinstance(index, PostgresIndex)
    held = vars(index)["_holding"]
    return vars(index)["_shared"].learning(held.books.owner).count()


def test_an_abbreviation_is_one_piece_without_the_marks_of_its_points() -> None:
    assert without_marks(TEXT) == SAID
    assert without_marks("- \n") == "" == without_marks("")
    assert without_marks("A price of 3 - 4 euros - more") == "A price of 3 - 4 euros - more"
    assert cut(Speaker.SUMMARY, SAID * 100) == [(0, len(SAID) * 100)]
    assert cut(Speaker.SUMMARY, "") == []


async def test_it_is_found_by_its_meaning(world: World) -> None:
    await world.begin(A, "one", "two")
    await world.begin(B, "three", "four")
    await abbreviate(world, A, TEXT)
    await world.index.settle()
    assert set(await near(world, "planned a garden.")) == {A}
    vector = (await world.index.meanings(USER, [SAID]))[SAID]
    assert await near(world, SAID) == {A: pytest.approx(1.0, abs=0.01)}
    assert np.isclose(float(vector @ vector), 1, atol=0.01)


async def test_no_word_of_it_is_found_or_counted(world: World) -> None:
    await world.begin(A, "one", "two")
    before = await world.evidence("fence", "one", text="fence")
    await abbreviate(world, A, TEXT)
    await world.index.settle()
    evidence = await world.evidence("fence", "one", text="fence")
    assert evidence.statistics.rounds == before.statistics.rounds == 1
    assert evidence.statistics.frequencies.tolist() == [0, 1]
    assert evidence.matches == 1
    assert set(evidence.speaker.tolist()) <= {Speaker.USER, Speaker.ASSISTANT}
    assert set(evidence.turn.tolist()) == {1}
    assert await world.index.languages(USER) == ["en"]


async def test_it_takes_no_place_away_from_what_was_said(world: World) -> None:
    """Sixty pieces are found by their meaning, however many abbreviations are nearer."""
    await world.begin(A, *(f"sea {n}" for n in range(140)))
    for n in range(30):
        await world.begin(f"conv-X{n:02}", "x")
        await abbreviate(world, f"conv-X{n:02}", f"- sea sea {n}")
    await world.index.settle()
    question = Question([], "sea", reach=Reach(rounds=0))
    evidence = await world.index.evidence(USER, question, SearchFilter())
    pieces = np.isfinite(evidence.cosine) & (evidence.turn > 0)
    assert len(evidence.abbreviations.conversation) == 30
    assert len(set(evidence.seq[pieces].tolist())) >= 60


async def test_of_several_the_last_one_counts(world: World) -> None:
    await world.begin(A, "one", "two")
    await abbreviate(world, A, TEXT)
    assert await known(world, SAID, "one") == {SAID, "one"}
    await abbreviate(world, A, OTHER)
    boat = without_marks(OTHER)
    assert await known(world, SAID, boat) == {boat}
    assert await near(world, SAID) == {}
    assert set(await near(world, boat)) == {A}
    assert await learned(world) == (3, 3)
    assert await world.index.verify() == []


async def test_the_one_before_comes_back_when_the_last_is_erased(world: World) -> None:
    await world.begin(A, "one", "two")
    await abbreviate(world, A, TEXT)
    last = await abbreviate(world, A, OTHER)
    await world.index.settle()
    await world.erase(lines={A: [last]})
    boat = without_marks(OTHER)
    assert await known(world, SAID, boat) == {SAID}
    assert set(await near(world, SAID)) == {A}
    assert await near(world, boat) == {}


@pytest.mark.parametrize("change", ["edited", "superseded", "erased"])
async def test_it_goes_when_a_message_changes_that_it_stands_on(world: World, change: str) -> None:
    lines = await world.begin(A, "one", "two")
    source = lines[1].id
    sources = [{"messageId": source, "quote": "one"}]
    await abbreviate(world, A, TEXT, sources=sources)
    assert await known(world, SAID) == {SAID}
    if change == "erased":
        await world.erase(lines={A: [1]})
    else:
        await world.happen(A, change, messageId=source, content="uno")
    assert await known(world, SAID) == set()
    assert await near(world, SAID) == {}
    assert await world.index.verify() == []


async def test_it_goes_with_its_conversation(world: World) -> None:
    await world.begin(A, "one")
    await world.begin(B, "two")
    await abbreviate(world, A, TEXT)
    await abbreviate(world, B, OTHER)
    assert await known(world, SAID) == {SAID}
    await world.erase(streams=[A])
    boat = without_marks(OTHER)
    assert await known(world, SAID, boat, "one", "two") == {boat, "two"}
    assert await learned(world) == (2, 2)


async def test_what_somebody_else_says_in_the_same_words_keeps_its_vector(world: World) -> None:
    await world.begin(A, SAID)
    await abbreviate(world, A, TEXT)
    await world.index.settle()
    assert await learned(world) == (1, 1)
    await abbreviate(world, A, OTHER)
    assert await known(world, SAID) == {SAID}
    found = await world.evidence("garden", text=SAID)
    assert float(np.nanmax(found.cosine)) > 0.9


async def test_a_rebuild_finds_the_same(world: World) -> None:
    await world.begin(A, "one", "two")
    await world.begin(B, "three")
    await abbreviate(world, A, OTHER)
    await abbreviate(world, A, TEXT)
    await abbreviate(world, B, OTHER)
    await world.index.settle()
    before = await near(world, SAID), await near(world, without_marks(OTHER))
    await world.index.rebuild()
    assert await world.index.verify() == []
    await world.index.settle()
    assert (await near(world, SAID), await near(world, without_marks(OTHER))) == before
    assert await learned(world) == (5, 5)


async def test_the_filters_hold_for_it(world: World) -> None:
    await world.begin(A, "one", "two")
    await world.begin(B, "three", channel="email")
    await abbreviate(world, A, TEXT)
    await abbreviate(world, B, TEXT)
    await world.index.settle()
    assert set(await near(world, SAID)) == {A, B}
    assert set(await near(world, SAID, channel="email")) == {B}
    assert set(await near(world, SAID, conversation_id=A)) == {A}
    assert set(await near(world, SAID, until="2030-01-01T00:00:00.000Z")) == {A, B}
    assert set(await near(world, SAID, until="2026-02-14T09:00:00.000Z")) == set()
    assert set(await near(world, SAID, since="2020-01-01T00:00:00.000Z")) == set()


async def test_what_is_not_asked_for_in_words_is_no_abbreviation(world: World) -> None:
    await world.begin(A, "one", "two")
    await abbreviate(world, A, TEXT)
    await world.index.settle()
    wanted = SearchFilter(conversation_id=A)
    evidence = await world.index.evidence(USER, Question([]), wanted)
    assert sorted(set(evidence.seq.tolist())) == [1, 2]
    assert evidence.matches == 2


async def test_no_vector_is_made_to_be_read(world: World) -> None:
    await world.begin(A, "one")
    await world.index.settle()
    assert set(await world.index.meanings(USER, ["one", "never said", ""])) == {"one"}
    assert await world.index.meanings(USER, []) == {}
    (vector,) = (await world.index.meanings(USER, ["one"])).values()
    (expected,) = BagOfWords().embed(["one"])
    assert vector.dtype == np.float32
    assert np.allclose(vector, expected, atol=0.001)


# -- the embedded engine, from within ------------------------------------------------------------


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[FileWorld]:
    opened = await open_with(tmp_path, BagOfWords())
    yield opened
    await opened.close()


async def test_it_waits_with_the_words_and_is_taken_in_with_them(home: FileWorld) -> None:
    await home.begin(A, "one", "two")
    await abbreviate(home, A, TEXT)
    assert waiting(home) == 3
    assert take(home) == 3
    assert waiting(home) == 0
    assert await home.index.verify() == []
    assert run(home, "SELECT term FROM postings WHERE term = 'fence'") == []
    await abbreviate(home, A, OTHER)
    assert await known(home, SAID) == set()
    assert waiting(home) == 1
    assert await home.index.verify() == []


@pytest.mark.parametrize("fault", ["UPDATE summaries SET text = 'x'", "DELETE FROM summaries"])
async def test_a_damaged_one_is_noticed(home: FileWorld, fault: str) -> None:
    await home.begin(A, "one", "two")
    await abbreviate(home, A, TEXT)
    take(home)
    run(home, fault)
    assert {one.code for one in await home.index.verify()} & {"row_damaged", "text_damaged"}


async def test_one_that_is_missing_in_the_full_text_is_noticed(home: FileWorld) -> None:
    await home.begin(A, "one", "two")
    take(home)
    await abbreviate(home, A, TEXT)
    run(home, "DELETE FROM waiting")
    assert [one.code for one in await home.index.verify()] == ["text_damaged"]


async def test_it_is_kept_when_the_file_of_its_conversation_is_gone(home: FileWorld) -> None:
    await home.begin(A, "one", "two")
    await home.begin(B, "three")
    await abbreviate(home, A, TEXT)
    await abbreviate(home, B, OTHER)
    await home.index.settle()
    run(home, "UPDATE summaries SET text = 'x' WHERE text LIKE '%boat%'")
    home.file(A).unlink()
    home.file(B).unlink()
    await home.index.rebuild()
    assert set(await near(home, SAID)) == {A}
    assert await near(home, without_marks(OTHER)) == {}
