"""Watching: the last one who leaves a conversation, and who comes back in time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from palaver.conversation.watching import GRACE, Watching

A, B = "conv-A", "conv-B"


class Moment:
    """Waits until the test says that the time is over."""

    def __init__(self) -> None:
        self.over = asyncio.Event()
        self.waited: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.waited.append(seconds)
        await self.over.wait()


@pytest.fixture
def left() -> list[str]:
    return []


@pytest.fixture
def moment() -> Moment:
    return Moment()


@pytest.fixture
async def watching(left: list[str], moment: Moment) -> AsyncIterator[Watching]:
    watching = Watching(left.append, moment)
    yield watching
    await watching.close()


async def test_the_last_one_leaves_it(watching: Watching, left: list[str], moment: Moment) -> None:
    moment.over.set()
    with watching.watch(A):
        with watching.watch(A), watching.watch(B):
            pass
        await watching.settle()
        assert left == [B]
    await watching.settle()
    assert left == [B, A]
    assert moment.waited == [GRACE, GRACE]


async def test_whoever_comes_back_in_time_has_not_left(
    watching: Watching, left: list[str], moment: Moment
) -> None:
    with watching.watch(A):
        pass
    await asyncio.sleep(0)
    with watching.watch(A):
        moment.over.set()
        await watching.settle()
        assert left == []
    await watching.settle()
    assert left == [A]


async def test_nothing_is_told_after_the_end(left: list[str], moment: Moment) -> None:
    watching = Watching(left.append, moment)
    with watching.watch(A):
        pass
    await watching.close()
    moment.over.set()
    await asyncio.sleep(0)
    assert left == []
