"""Hints of a home: what other processes commit is noticed, while somebody listens."""

from __future__ import annotations

import asyncio

from palaver.errors import StorageFailed
from palaver.events import Hint, HomeEvents
from tests.events.worlds import hear, until


class Home:
    """The note in the lock file, and what the lock guards."""

    def __init__(self) -> None:
        self.pos = 0
        self.looks = 0
        self.locked = 0
        self.broken: Exception | None = None
        self.events = HomeEvents("ann", self.noted, self.position)

    def noted(self) -> int:
        self.looks += 1
        if self.broken:
            raise self.broken
        return self.pos

    async def position(self) -> int:
        self.locked += 1
        return self.pos

    async def look(self) -> None:
        seen = self.looks
        await until(lambda: self.looks > seen + 1)


def watchers() -> int:
    return sum("HomeEvents._watch" in str(task.get_coro()) for task in asyncio.all_tasks())


async def test_what_others_commit_is_noticed() -> None:
    home = Home()
    with home.events.listen("ann") as heard:
        for pos in (3, 4, 9):
            home.pos = pos
            assert await hear(heard, pos) == Hint("ann", pos)


async def test_one_watches_for_all_and_nobody_for_none() -> None:
    home = Home()
    await asyncio.sleep(0)
    assert (watchers(), home.looks) == (0, 0)
    with home.events.listen("ann") as first:
        with home.events.listen("ann") as second:
            assert watchers() == 1
            home.pos = 2
            await hear(first, 2)
            await hear(second, 2)
        await asyncio.sleep(0)
        assert watchers() == 1
        home.pos = 3
        await hear(first, 3)
    await asyncio.sleep(0)
    assert watchers() == 0
    with home.events.listen("ann") as again:
        home.pos = 4
        await hear(again, 4)


async def test_nobody_waits_for_the_lock_unless_others_have_committed() -> None:
    home = Home()
    with home.events.listen("ann") as heard:
        home.pos = 5
        home.events.publish(Hint("ann", 5))
        await hear(heard, 5)
        await home.look()
        assert home.locked == 0
        home.pos = 6
        await hear(heard, 6)
        await home.look()
        assert home.locked == 1


async def test_a_disk_that_fails_for_a_while_ends_nothing() -> None:
    home = Home()
    with home.events.listen("ann") as heard:
        for broken in (OSError("gone"), StorageFailed()):
            home.broken = broken
            await home.look()
        home.broken, home.pos = None, 7
        assert (await hear(heard, 7)).pos == 7
