"""What everything promises that carries hints."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

from palaver.events import Hint
from palaver.events.port import Heard
from tests.events.worlds import World, hear, silent


async def ready(world: World, heard: Heard, user: str = "ann") -> None:
    """Returns when hints get through: the first ones may come before somebody listens."""
    world.here.publish(Hint(user, 1))
    await hear(heard, 0)
    while not await silent(heard):
        pass


async def test_whoever_listens_hears_of_what_is_stored(world: World) -> None:
    with world.there.listen("ann") as heard:
        await ready(world, heard)
        world.here.publish(Hint("ann", 7))
        assert await hear(heard, 7) == Hint("ann", 7)
        world.here.publish(Hint("ann", 8))
        assert await hear(heard, 8) == Hint("ann", 8)


async def test_nobody_hears_of_others(world: World) -> None:
    with world.there.listen("ann") as ann, world.there.listen("ben") as ben:
        await ready(world, ann)
        while not await silent(ben):
            pass
        world.here.publish(Hint("ann", 7))
        await hear(ann, 7)
        assert await silent(ben)


async def test_all_who_listen_hear_the_same(world: World) -> None:
    with ExitStack() as stack:
        heard = [stack.enter_context(world.there.listen("ann")) for _ in range(5)]
        for one in heard:
            await ready(world, one)
        world.here.publish(Hint("ann", 7))
        assert [(await hear(one, 7)).pos for one in heard] == [7] * 5


async def test_what_a_slow_listener_misses_is_one_hint(world: World) -> None:
    with world.there.listen("ann") as slow, world.there.listen("ann") as quick:
        await ready(world, quick)
        for pos in range(2, 502):
            world.here.publish(Hint("ann", pos))
        await hear(quick, 501)
        assert (await hear(slow, 501)).pos == 501
        assert await silent(slow)


async def test_an_older_position_does_not_hide_a_newer_one(world: World) -> None:
    with world.there.listen("ann") as heard:
        await ready(world, heard)
        world.here.publish(Hint("ann", 9))
        world.here.publish(Hint("ann", 3))
        assert (await hear(heard, 9)).pos == 9


async def test_many_threads_may_commit(world: World) -> None:
    def commit(start: int) -> None:
        for pos in range(start, 401, 4):
            world.here.publish(Hint("ann", pos))

    with world.there.listen("ann") as heard:
        await ready(world, heard)
        await asyncio.gather(*(asyncio.to_thread(commit, start) for start in range(2, 6)))
        assert (await hear(heard, 400)).pos == 400


async def test_who_has_left_hears_nothing(world: World) -> None:
    with world.there.listen("ann") as gone:
        await ready(world, gone)
    with world.there.listen("ann") as heard:
        await ready(world, heard)
        world.here.publish(Hint("ann", 7))
        await hear(heard, 7)
    assert await silent(gone)
