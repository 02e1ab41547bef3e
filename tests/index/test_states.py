"""States and summaries that are kept in the index, on every engine."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.errors import NotFound
from palaver.index.port import Kept, Unfolded
from palaver.index.stored.states import superfluous
from palaver.ledger.port import Erasure
from tests.index.worlds import USER, A, B, World

VERSION = 7
SUMMARY = "They chose blue tiles for 42 euros."


async def read(world: World, stream: str = A, limit: int = 100, version: int = VERSION) -> Unfolded:
    return await world.index.unfolded(USER, stream, version, limit=limit)


async def keep(world: World, found: Unfolded, text: str = "state", stream: str = A) -> bool:
    covers = found.messages[-1].seq if found.messages else found.kept.covers if found.kept else 0
    return await world.index.keep(USER, stream, Kept(covers, VERSION, text), found)


async def test_a_state_is_taken_up_where_it_was_left(world: World) -> None:
    await world.begin(A, "one", "two", "three")
    found = await read(world, limit=2)
    assert (found.kept, [m.content for m in found.messages], found.more) == (
        None,
        ["one", "two"],
        True,
    )
    assert await keep(world, found, "after two")
    found = await read(world)
    assert found.kept == Kept(2, VERSION, "after two")
    assert ([m.content for m in found.messages], found.more) == (["three"], False)
    assert await keep(world, found, "after three")
    found = await read(world)
    assert found.kept == Kept(3, VERSION, "after three")
    assert found.messages == []
    assert await world.index.verify() == []


async def test_a_state_that_covers_all_can_be_kept_in_other_words(world: World) -> None:
    await world.begin(A, "one")
    await keep(world, await read(world), "active")
    assert await keep(world, await read(world), "closed")
    assert (await read(world)).kept == Kept(1, VERSION, "closed")


async def test_nobody_sees_the_state_of_another_conversation_or_version(world: World) -> None:
    await world.begin(A, "one")
    await world.begin(B, "other")
    await keep(world, await read(world))
    assert (await read(world, B)).kept is None
    assert (await read(world, version=VERSION + 1)).kept is None
    found = await read(world)
    with pytest.raises(NotFound):
        await world.index.keep("usr-else", A, Kept(1, VERSION, "x"), found)
    with pytest.raises(NotFound):
        await world.index.unfolded(USER, "conv-nowhere", VERSION, limit=1)


async def test_a_change_takes_only_the_states_that_cover_it(world: World) -> None:
    await world.begin(A, "one", "two", "three", "four")
    for _ in range(4):
        await keep(world, await read(world, limit=1))
    # States so near to each other are not all kept: the oldest and the newest are.
    await world.say(A, "assistant", "another four", supersedes=(await last(world)))
    found = await read(world)
    assert found.kept == Kept(1, VERSION, "state")
    assert [m.content for m in found.messages] == ["two", "three", "another four"]


async def last(world: World) -> str:
    return (await world.messages())[-1].id


async def test_nothing_is_kept_of_what_has_changed_since_it_was_read(world: World) -> None:
    lines = await world.begin(A, "one", "two")
    found = await read(world)
    await world.happen(A, "edited", messageId=lines[2].id, content="two, but better")
    assert not await keep(world, found)
    assert (await read(world)).kept is None


async def test_nothing_is_kept_that_follows_on_a_state_which_is_gone(world: World) -> None:
    lines = await world.begin(A, "one", "two")
    await keep(world, await read(world))
    await world.say(A, "user", "three")
    found = await read(world)
    await world.ledger.erase(Erasure(lines={A: [lines[1].seq]}, ids={(A, 1): lines[1].id}))
    assert not await keep(world, found)
    assert (await read(world)).kept is None


async def test_erasing_takes_the_states_that_hold_the_words(world: World) -> None:
    lines = await world.begin(A, "one", "the secret")
    await keep(world, await read(world, limit=1), "knows one")
    await keep(world, await read(world), "knows the secret")
    seq = lines[2].seq
    await world.ledger.erase(Erasure(lines={A: [seq]}, ids={(A, seq): lines[2].id}))
    assert (await read(world)).kept == Kept(1, VERSION, "knows one")
    await world.ledger.erase(Erasure(streams=[A]))
    with pytest.raises(NotFound):
        await read(world)
    assert await world.index.verify() == []


async def test_a_rebuild_leaves_the_states_behind(world: World) -> None:
    await world.begin(A, "one")
    await keep(world, await read(world))
    await world.index.rebuild()
    assert (await read(world)).kept is None
    assert await keep(world, await read(world))


async def test_few_states_are_kept_of_a_long_conversation(world: World) -> None:
    await world.begin(A, *(f"message {n}" for n in range(60)))
    while (found := await read(world, limit=4)).messages:
        assert await keep(world, found)
    lines = [line for line in await world.ledger.read(A) if line.type == "turn"]
    await world.ledger.erase(Erasure(lines={A: [lines[-1].seq]}, ids={(A, 60): lines[-1].id}))
    kept = (await read(world)).kept
    assert kept is not None
    assert 60 - 2 * 8 <= kept.covers < 60


@given(st.lists(st.integers(1, 40), min_size=1, max_size=200))
def test_the_states_that_stay_are_few_and_at_growing_distances(steps: list[int]) -> None:
    places: list[int] = []
    for step in steps:
        places.append((places[-1] if places else 0) + step)
        for gone in superfluous(places):
            places.remove(gone)
    assert len(places) <= 2 + (places[-1] // 8).bit_length()
    newest = places[-1]
    for distance in (100, 1000):
        if newest - min(steps[0], newest) >= distance:
            behind = [newest - one for one in places if newest - one >= distance]
            assert behind
            assert min(behind) <= 4 * distance + 80


# -- summaries -----------------------------------------------------------------------------------


async def compress(world: World, through: int, text: str, *sources: str) -> int:
    named = [{"messageId": one} for one in sources]
    line = await world.happen(
        A, "compression", compressedThrough=through, summary=text, sources=named, by="offline"
    )
    return line.seq


async def test_the_last_compression_is_the_summary(world: World) -> None:
    lines = await world.begin(A, "one", "two", "three", "four")
    assert await world.index.summary(USER, A, "compression") is None
    first = await compress(world, 1, "Of one.", lines[1].id)
    second = await compress(world, 2, SUMMARY, lines[1].id, lines[3].id)
    found = await world.index.summary(USER, A, "compression")
    assert found is not None
    assert (found.seq, found.text, found.through) == (second, SUMMARY, 2)
    assert [one.message_id for one in found.sources] == [lines[1].id, lines[3].id]
    older = await world.index.summary(USER, A, "compression", seq=first)
    assert older is not None
    assert older.text == "Of one."
    assert await world.index.summary(USER, A, "compression", seq=1) is None
    await world.index.rebuild()
    assert await world.index.summary(USER, A, "compression") == found
    assert await world.index.verify() == []


async def test_a_summary_goes_with_its_event(world: World) -> None:
    lines = await world.begin(A, "one", "two")
    first = await compress(world, 1, "Of one.", lines[1].id)
    second = await compress(world, 1, SUMMARY, lines[2].id)
    assert [one.seq for one in await world.index.dependents(USER, [lines[2].id])] == [second]
    await world.ledger.erase(Erasure(lines={A: [second]}))
    found = await world.index.summary(USER, A, "compression")
    assert found is not None
    assert found.seq == first
    await world.index.rebuild()
    assert await world.index.summary(USER, A, "compression") == found


@pytest.mark.parametrize("change", ["edited", "retracted", "superseded"])
async def test_a_summary_goes_when_a_message_changes_that_it_quotes(
    world: World, change: str
) -> None:
    lines = await world.begin(A, "one", "two")
    first = await compress(world, 1, "Of one.", lines[1].id)
    await compress(world, 1, SUMMARY, lines[1].id, lines[2].id)
    await world.happen(A, change, messageId=lines[2].id, content="Something else.")
    found = await world.index.summary(USER, A, "compression")
    assert found is not None
    assert found.seq == first
    last = await compress(world, 1, "Made after it.", lines[2].id)
    for _ in range(2):
        found = await world.index.summary(USER, A, "compression")
        assert found is not None
        assert found.seq == last
        await world.index.rebuild()
    assert await world.index.verify() == []


@pytest.mark.parametrize("broken", [{"summary": ""}, {"summary": 5}, {"compressedThrough": "x"}])
async def test_an_event_that_says_nothing_is_no_summary(
    world: World, broken: dict[str, object]
) -> None:
    await world.begin(A, "one")
    given: dict[str, object] = {
        "compressedThrough": 1,
        "summary": "x",
        "sources": [],
        "by": "offline",
        **broken,
    }
    await world.happen(A, "compression", **given)
    assert await world.index.summary(USER, A, "compression") is None
