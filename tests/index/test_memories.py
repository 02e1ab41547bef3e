"""What every index promises of memories, whatever engine keeps its rows."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palaver.errors import NotFound
from palaver.index.fulltext.remembered import Remembered
from palaver.index.port import EVERY_MEMORY, After, MemoryFilter, Question
from palaver.index.records import Memory
from palaver.index.sqlite.statements import QUERIES
from palaver.ledger.lines import USER_STREAM, Line, event, meta
from palaver.text import query_terms
from tests.index.dumps import dump
from tests.index.handling import database, keys, learned, open_with, run
from tests.index.memories import remember
from tests.index.test_sqlite_erasure import canaries, traces
from tests.index.worlds import USER, A, B, FileWorld, PostgresWorld, World, node, open_files
from tests.library import BagOfWords

TEA, CAT, OSLO, BERLIN = "mem-TEA", "mem-CAT", "mem-OSLO", "mem-BERLIN"


async def every(world: World, wanted: MemoryFilter = EVERY_MEMORY) -> list[Memory]:
    return await world.index.memories(USER, wanted, limit=100)


async def names(world: World, wanted: MemoryFilter = EVERY_MEMORY) -> list[str]:
    return [one.id for one in await every(world, wanted)]


async def near(
    world: World, text: str, *, by_words: bool = True, wanted: MemoryFilter = EVERY_MEMORY
) -> dict[str, tuple[float, float | None]]:
    """What speaks for each memory that words or meaning speak for."""
    terms = query_terms(text, ["en"]) if by_words else ()
    found = await world.index.memories_near(USER, Question(terms, text), wanted)
    return {one.memory.id: (one.words, one.cosine) for one in found}


def shown(*memories: str) -> dict[str, Any]:
    return {"sections": [{"name": "memories", "memories": list(memories)}]}


async def forget(world: World, *lines: Line) -> None:
    await world.erase(lines={USER_STREAM: [line.seq for line in lines]})


# -- what a memory is ----------------------------------------------------------------------------


async def test_the_last_line_about_a_memory_counts(world: World) -> None:
    first = await remember(world, TEA, "I like tea.", confidence=0.5, category="food")
    await remember(
        world,
        TEA,
        "I love tea.",
        "memory_edited",
        created=first.data["at"],
        pinned=True,
        edited=True,
        confidence=0,
    )
    (memory,) = await every(world)
    assert memory == await world.index.memory(USER, TEA)
    assert (memory.content, memory.confidence, memory.category) == ("I love tea.", 0, None)
    assert (memory.pinned, memory.edited, memory.archived) == (True, True, False)
    assert (memory.created, memory.access_count) == (first.data["at"], 0)
    assert memory.updated > memory.created
    lines = await world.index.memory_lines(USER, [TEA])
    assert [(one.event, one.memory.content) for one in lines] == [
        ("memory_added", "I like tea."),
        ("memory_edited", "I love tea."),
    ]
    assert await world.index.memories_at(USER, [first.seq]) == lines[:1]


async def test_what_holds_no_memory_is_none(world: World) -> None:
    await remember(world, TEA, "I like tea.")
    for name, memory in (
        ("", {"type": "fact", "content": "x"}),
        (CAT, {"type": "fact", "content": ""}),
        (CAT, {"type": "idea", "content": "x"}),
        (CAT, {"type": "fact", "content": "x", "state": "lost"}),
        (CAT, ["x"]),
    ):
        await world.happen(USER_STREAM, "memory_added", memoryId=name, memory=memory)
    assert await names(world) == [TEA]
    with pytest.raises(NotFound):
        await world.index.memory(USER, CAT)


async def test_memories_are_told_apart_by_what_they_are(world: World) -> None:
    await remember(world, TEA, "I like tea.", type="preference", category="food", pinned=True)
    await remember(world, CAT, "I may have a cat.", "memory_candidate", state="waiting")
    await remember(world, BERLIN, "I live in Berlin.", supersededBy=OSLO)
    await remember(world, OSLO, "I live in Oslo.", archived=True)
    wanted = {
        MemoryFilter(): [TEA],
        MemoryFilter(state="waiting"): [CAT],
        MemoryFilter(state=None): [CAT, TEA],
        MemoryFilter(superseded=True): [BERLIN],
        MemoryFilter(superseded=None): [BERLIN, TEA],
        MemoryFilter(archived=True): [OSLO],
        MemoryFilter(type="fact"): [],
        MemoryFilter(type="preference"): [TEA],
        MemoryFilter(category="food"): [TEA],
        MemoryFilter(pinned=False, state=None): [CAT],
        replace(EVERY_MEMORY, superseded_by=OSLO): [BERLIN],
        EVERY_MEMORY: [OSLO, BERLIN, CAT, TEA],
    }
    for one, expected in wanted.items():
        assert await names(world, one) == expected, one
    some = await world.index.some_memories(USER, [CAT, "mem-NONE", TEA, CAT])
    assert [one.id for one in some] == [CAT, TEA]


async def test_pages_go_on_after_a_memory(world: World) -> None:
    drafts = [
        event(USER_STREAM, "memory_added", memoryId=f"mem-{n:02}", memory=_fact(f"Number {n}."))
        for n in range(7)
    ]
    await world.write(meta(USER_STREAM, user=USER), *drafts[:4])  # all in the same moment
    await world.write(*drafts[4:])
    seen: list[str] = []
    after: After | None = None
    while page := await world.index.memories(USER, EVERY_MEMORY, limit=2, after=after):
        seen += [one.id for one in page]
        after = After(page[-1].updated, page[-1].id)
    assert seen == [f"mem-{n:02}" for n in reversed(range(7))]


def _fact(content: str) -> dict[str, str]:
    return {"type": "fact", "content": content}


# -- what is erased ------------------------------------------------------------------------------


async def test_without_its_last_line_the_one_before_counts(world: World) -> None:
    await remember(world, TEA, "I like tea.")
    second = await remember(world, TEA, "I love tea.", "memory_edited")
    third = await remember(world, TEA, "I hate tea.", "memory_edited")
    assert set(await near(world, "hate")) == {TEA}
    await forget(world, third)
    assert [one.content for one in await every(world)] == ["I love tea."]
    assert await near(world, "hate") == {}
    assert set(await near(world, "love")) == {TEA}
    await forget(world, second)
    assert [one.content for one in await every(world)] == ["I like tea."]
    lines = await world.index.memory_lines(USER, [TEA])
    await forget(world, *await world.ledger.read(USER_STREAM, after=0, limit=1))
    assert await names(world) == []
    assert len(lines) == 1
    assert await near(world, "tea") == {}


async def test_a_line_in_the_middle_goes_and_the_last_still_counts(world: World) -> None:
    await remember(world, TEA, "I like tea.")
    second = await remember(world, TEA, "I love tea.", "memory_edited")
    await remember(world, TEA, "I hate tea.", "memory_edited")
    await forget(world, second)
    assert [one.content for one in await every(world)] == ["I hate tea."]
    assert len(await world.index.memory_lines(USER, [TEA])) == 2


async def test_what_stands_on_a_message_is_known_to(world: World) -> None:
    said = await world.begin(A, "I like tea", "Noted")
    source = [{"messageId": said[1].id, "quote": "I like tea", "conversationId": A}]
    line = await remember(world, TEA, "I like tea.", sources=source)
    await remember(world, CAT, "I have a cat.")
    memory = await world.index.memory(USER, TEA)
    assert (memory.source_message_id, memory.quote) == (said[1].id, "I like tea")
    assert await names(world, replace(EVERY_MEMORY, conversation_id=A)) == [TEA]
    (dependent,) = await world.index.dependents(USER, [said[1].id])
    assert (dependent.stream, dependent.seq) == (USER_STREAM, line.seq)
    await world.erase(lines={USER_STREAM: [dependent.seq]})
    assert await names(world) == [CAT]
    assert await world.index.dependents(USER, [said[1].id]) == []


# -- what replies were made with -----------------------------------------------------------------


async def test_uses_follow_from_replies_and_go_with_them(world: World) -> None:
    await remember(world, TEA, "I like tea.")
    await remember(world, CAT, "I have a cat.")
    await world.begin(A, "What do I like?")
    first = await world.say(A, "assistant", "Tea", packet=shown(TEA, TEA))
    looked = [{"toolName": "memory_search", "input": {}, "output": {"memories": [TEA, CAT]}}]
    second = await world.say(A, "assistant", "Tea, and a cat", toolCalls=looked)
    await world.say(A, "user", "so it is", packet=shown(TEA))  # a user does not use any
    tea, cat = await world.index.some_memories(USER, [TEA, CAT])
    assert (tea.access_count, cat.access_count) == (2, 1)
    assert tea.last_accessed_at == second.data["timestamp"]
    await world.erase(lines={A: [second.seq]})
    tea, cat = await world.index.some_memories(USER, [TEA, CAT])
    assert (tea.access_count, tea.last_accessed_at) == (1, first.data["timestamp"])
    assert (cat.access_count, cat.last_accessed_at) == (0, None)
    await world.erase(streams=[A])
    assert [one.access_count for one in await every(world)] == [0, 0]


# -- what is not to be learned again -------------------------------------------------------------


async def test_what_was_forgotten_is_known_by_its_hash(world: World) -> None:
    assert await world.index.oblivion_salts(USER) == []
    first, second = "0" * 32, "1" * 32
    await world.write(
        meta(USER_STREAM, user=USER),
        event(USER_STREAM, "memory_forgotten", markSalt="s1", marks=[first]),
    )
    line = await world.happen(USER_STREAM, "memory_forgotten", markSalt="s2", marks=[second, "x"])
    assert set(await world.index.oblivion_salts(USER)) == {"s1", "s2"}
    assert await world.index.forgotten(USER, [first, second, "2" * 32]) == {first, second}
    await forget(world, line)
    assert await world.index.forgotten(USER, [first, second]) == {first}


# -- what is near --------------------------------------------------------------------------------


async def test_memories_are_found_by_their_words_and_nothing_else_is(world: World) -> None:
    await world.begin(A, "I like tea and cats")
    await remember(world, TEA, "I like tea.")
    await remember(world, CAT, "My cats are called Tom and Kit.")
    found = await near(world, "a cat")
    assert set(found) == {CAT}
    assert found[CAT][0] > 0
    assert found[CAT][1] is None
    assert await world.found("tom") == []  # memories are no messages
    assert set(await near(world, "cats and tea")) == {TEA, CAT}
    pinned = MemoryFilter(pinned=True)
    assert await near(world, "cats and tea", wanted=pinned) == {}
    await remember(world, CAT, "My cats are called Tom and Kit.", "memory_edited", pinned=True)
    assert set(await near(world, "cats and tea", wanted=pinned)) == {CAT}
    assert set(await near(world, "tea", wanted=MemoryFilter(type="entity"))) == set()


@pytest.fixture(params=["sqlite", "postgres"])
async def meaning(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[World]:
    """A world with a model."""
    if request.param == "sqlite":
        opened = await open_with(tmp_path, BagOfWords())
        yield opened
        await opened.close()
    else:
        url: str = request.getfixturevalue("database_url")
        async with node(url, load=BagOfWords) as world:
            yield world


async def test_memories_are_found_by_what_they_mean(meaning: World) -> None:
    await remember(meaning, TEA, "green tea every morning")
    await remember(meaning, CAT, "one cat called Tom")
    await meaning.index.settle()
    found = await near(meaning, "tea every day", by_words=False)
    cosines = {name: cosine or 0.0 for name, (_, cosine) in found.items()}
    assert cosines[TEA] > 0.4 > cosines[CAT]
    await remember(meaning, TEA, "black coffee at night", "memory_edited")
    await meaning.index.settle()
    found = await near(meaning, "coffee at night", by_words=False)
    assert (found[TEA][1] or 0) > 0.6
    await forget(meaning, *[one for one in await _lines(meaning) if one.seq > 0])
    assert await near(meaning, "coffee at night", by_words=False) == {}


async def _lines(world: World) -> list[Line]:
    found = await world.index.memory_lines(USER, [TEA, CAT])
    wanted = {one.seq for one in found}
    return [line for line in await world.ledger.read(USER_STREAM) if line.seq in wanted]


async def test_how_alike_texts_are_that_nobody_stored(meaning: World) -> None:
    same, other = await meaning.index.alike(USER, "green tea", ["green tea", "one cat"])
    assert same == pytest.approx(1, abs=0.01)
    assert other is not None
    assert other < 0.6


# -- what is kept in memory ----------------------------------------------------------------------

_STEP = st.one_of(
    st.tuples(
        st.just("tell"),
        st.sampled_from([TEA, CAT, OSLO]),
        st.sampled_from(["green tea", "one cat", "Oslo in the rain", "tea and rain"]),
        st.booleans(),
        st.sampled_from(["kept", "waiting"]),
    ),
    st.tuples(st.just("erase"), st.integers(0, 9), st.integers(0, 9)),
    st.tuples(st.just("look")),
)


@given(st.lists(_STEP, min_size=1, max_size=20))
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_what_was_followed_is_what_is_read_afresh(steps: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_follow(Path(folder), steps))


async def _follow(folder: Path, steps: Sequence[tuple[Any, ...]]) -> None:
    world = await open_files(folder)
    followed = Remembered(QUERIES)
    for step in steps:
        match step:
            case ("tell", name, content, pinned, state):
                await remember(world, name, content, pinned=pinned, state=state)
            case ("erase", *which):
                found = await world.index.memory_lines(USER, [TEA, CAT, OSLO])
                lines = [line.seq for line in found]
                gone: set[int] = {lines[int(one) % len(lines)] for one in which if lines}
                if gone:
                    await world.erase(lines={USER_STREAM: sorted(gone)})
            case _:
                pass
        with database(world) as opened, opened.reading():
            assert _held(followed, opened) == _held(Remembered(QUERIES), opened)
    await world.close()


def _held(remembered: Remembered, opened: Any) -> set[tuple[Any, ...]]:
    """What is known of each memory: its place, what it is, and its words."""
    found: set[tuple[Any, ...]] = set()
    for part in remembered.parts(opened):
        terms: dict[int, dict[str, int]] = {}
        for term, posting in part.postings.items():
            pieces, counts = posting.pieces.tolist(), posting.counts.tolist()
            for piece, count in zip(pieces, counts, strict=True):
                terms.setdefault(piece, {})[term] = count
        for piece in part.volume.book.here.nonzero()[0].tolist():
            at = int(part.columns["round"][piece])
            held = tuple(sorted(terms.get(piece, {}).items()))
            found.add((at, int(part.traits[piece]), part.types[piece], held))
    return found


async def test_what_others_write_is_seen(tmp_path: Path) -> None:
    here, there = await open_files(tmp_path), await open_files(tmp_path)
    await remember(here, TEA, "I like tea.")
    assert set(await near(there, "tea")) == {TEA}
    await remember(there, TEA, "I like coffee.", "memory_edited")
    assert await near(here, "tea") == {}
    assert set(await near(here, "coffee")) == {TEA}
    await there.erase(lines={USER_STREAM: [2]})
    assert set(await near(here, "tea")) == {TEA}
    await here.close()
    await there.close()


# -- rebuilds, losses and damage -----------------------------------------------------------------


async def _some(world: World) -> None:
    await world.begin(A, "What do I like?")
    await world.say(A, "assistant", "Tea", packet=shown(TEA))
    await remember(world, TEA, "I like tea.")
    last = await remember(world, TEA, "I love tea.", "memory_edited", pinned=True)
    await remember(world, CAT, "I have a cat.", state="waiting")
    await world.happen(USER_STREAM, "memory_forgotten", markSalt="s", marks=["0" * 32])
    assert last.seq > 0


async def test_a_rebuild_says_the_same(world: World) -> None:
    await _some(world)
    before, lines = await every(world), await world.index.memory_lines(USER, [TEA])
    assert before[1].access_count == 1
    found = await near(world, "tea")
    await world.index.rebuild()
    assert await every(world) == before
    assert await world.index.memory_lines(USER, [TEA]) == lines
    assert await near(world, "tea") == found
    assert await world.index.forgotten(USER, ["0" * 32]) == {"0" * 32}
    assert await world.index.verify() == []


async def test_memories_of_a_lost_stream_are_carried_over(home: FileWorld) -> None:
    await _some(home)
    before, held = await every(home), dump(home.home.index)
    home.home.stream(USER_STREAM).unlink()
    home.home.stream(A).unlink()
    await home.index.rebuild()
    assert await every(home) == before
    after = dump(home.home.index)
    for table in ("memories", "uses", "oblivion"):
        assert after[table] == held[table]
    assert set(await near(home, "tea")) == {TEA}


async def test_damage_to_any_value_of_a_memory_is_found(home: FileWorld) -> None:
    await _some(home)
    columns = [row[1] for row in run(home, "PRAGMA table_info(memories)")]
    assert await home.index.verify() == []
    for column in sorted(set(columns) - {"place", "hash"}):
        ((before,),) = run(home, f"SELECT {column} FROM memories WHERE place & 255 = 2")
        changed = {str: "x", int: 7, float: 0.25, type(None): "x"}[type(before)]
        run(home, f"UPDATE memories SET {column} = ? WHERE place & 255 = 2", changed)
        codes = {finding.code for finding in await home.index.verify()}
        assert "row_damaged" in codes, column
        run(home, f"UPDATE memories SET {column} = ? WHERE place & 255 = 2", before)
    assert await home.index.verify() == []


async def test_which_line_counts_is_verified(home: FileWorld) -> None:
    await _some(home)
    for damage in ("newest = 0", "newest = 1"):
        run(home, f"UPDATE memories SET {damage} WHERE id = '{TEA}'")
        assert {one.code for one in await home.index.verify()} == {"row_damaged"}
    await home.index.rebuild()
    assert await home.index.verify() == []


# -- what is left of what was forgotten ----------------------------------------------------------


async def test_vectors_go_with_memories_and_stay_with_them(tmp_path: Path) -> None:
    world = await open_with(tmp_path, BagOfWords())
    tea = await remember(world, TEA, "green tea")
    await remember(world, CAT, "one cat")
    old = await remember(world, CAT, "two cats", "memory_edited")
    await remember(world, CAT, "two cats", "memory_edited", pinned=True)
    await world.begin(A, "green tea for me")
    await world.index.settle()
    assert keys("green tea", "two cats") <= learned(world)
    await forget(world, tea)
    await world.index.settle()
    assert not learned(world) & keys("green tea")
    await forget(world, old)  # the same words still stand in another line
    await world.index.settle()
    assert keys("two cats") <= learned(world)
    await world.close()
    world = await open_with(tmp_path, BagOfWords())  # looks for vectors that nobody needs
    await world.index.settle()
    assert learned(world) == keys("two cats", "green tea for me")
    await world.close()


async def test_forgotten_words_are_in_no_file(home: FileWorld) -> None:
    said = canaries(150)
    lines = [
        await remember(home, f"mem-{number}", f"My boat is {word}.", category=word)
        for number, word in enumerate(said)
    ]
    edited = [
        await remember(home, f"mem-{number}", f"My ship is {word}.", "memory_edited")
        for number, word in enumerate(said[:50])
    ]
    gone, kept = said[:100], set(said[100:])
    assert set(await near(home, said[0])) == {"mem-0"}
    for start in range(0, 100, 10):
        await forget(home, *lines[start : start + 10], *edited[start : start + 10])
    assert traces(home, gone) == set()
    assert traces(home, kept) == kept
    assert await near(home, said[0]) == {}


# -- others --------------------------------------------------------------------------------------


async def test_nobody_sees_the_memories_of_others(database_url: str) -> None:
    async with node(database_url) as world:
        other = await world.user("other")
        await remember(world, TEA, "I like tea.")
        await _as_other(other, "I like tea, too.")
        assert [one.content for one in await every(world)] == ["I like tea."]
        found = await other.index.memories("other", EVERY_MEMORY, limit=9)
        assert [one.content for one in found] == ["I like tea, too."]
        question = Question(query_terms("tea", ["en"]), "tea")
        (one,) = await other.index.memories_near("other", question, EVERY_MEMORY)
        (own,) = await world.index.memories_near(USER, question, EVERY_MEMORY)
        assert (one.memory.content, own.memory.content) == ("I like tea, too.", "I like tea.")
        assert await world.index.forgotten(USER, ["0" * 32]) == set()
        assert await world.index.oblivion_salts(USER) == []
        assert (await world.index.memory(USER, TEA)).access_count == 0
        await other.index.close()


async def _as_other(other: PostgresWorld, content: str) -> None:
    """The other user has a memory of the same id, used by a reply, and forgot something."""
    memory = {"type": "fact", "content": content}
    await other.write(
        meta(USER_STREAM, user="other"),
        event(USER_STREAM, "memory_added", memoryId=TEA, memory=memory),
        event(USER_STREAM, "memory_forgotten", markSalt="s", marks=["0" * 32]),
        meta(B, user="other", channel="web", mode="standard"),
    )
    await other.say(B, "assistant", "Tea", packet=shown(TEA))
