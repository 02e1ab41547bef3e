"""Questions that are put in the same moment: one way there and back, and each its own answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest

from palaver.errors import NotFound, StorageFailed
from palaver.index.condition import Condition
from palaver.index.connection import Connection, Statements
from palaver.index.stored.answers import Answers
from palaver.index.stored.asking import Asking
from palaver.index.stored.together import Together
from palaver.ledger.port import Finding

T = TypeVar("T")


class Counting(Asking):
    """Counts how often the rows are looked at; `broken` says how often that fails."""

    def __init__(self, *, broken: int = 0) -> None:
        super().__init__(Condition())
        self.looks = 0
        self.broken = broken

    def _attempt(
        self, question: Callable[[Answers], T], *, sketched: bool, words: bool
    ) -> tuple[T] | None:
        self.looks += 1
        if self.looks <= self.broken:
            raise StorageFailed
        nothing: Any = None
        return (question(nothing),)

    def verify(self) -> list[Finding]:
        return []

    def settle(self) -> None: ...

    @contextmanager
    def _rows(self) -> Generator[tuple[Connection, Statements]]:
        raise NotImplementedError
        yield


def _missing(_: Answers) -> int:
    raise NotFound("There is no such conversation.")


async def test_what_is_gathered_is_asked_at_once() -> None:
    asking = Counting()
    together = Together(asking)

    async def inside() -> int:
        return sum(await asyncio.gather(together.ask(lambda _: 2), together.ask(lambda _: 3)))

    assert await asyncio.gather(together.ask(lambda _: 1), inside()) == [1, 5]
    assert asking.looks == 1
    assert await together.ask(lambda _: 4) == 4
    assert asking.looks == 2


async def test_one_that_finds_nothing_leaves_the_others_their_answers() -> None:
    asking = Counting()
    together = Together(asking)
    answers = await asyncio.gather(
        together.ask(lambda _: 1), together.ask(_missing), return_exceptions=True
    )
    assert answers[0] == 1
    assert isinstance(answers[1], NotFound)
    assert asking.looks == 1


async def test_who_cannot_be_reached_is_asked_once_for_all() -> None:
    """Each would wait for it as long, one after another."""
    asking = Counting(broken=1)
    together = Together(asking)
    answers = await asyncio.gather(
        together.ask(lambda _: 1), together.ask(lambda _: 2), return_exceptions=True
    )
    assert [type(one) for one in answers] == [StorageFailed, StorageFailed]
    assert asking.looks == 1


async def test_a_question_that_fails_fails_alone() -> None:
    together = Together(Counting())
    answers = await asyncio.gather(
        together.ask(lambda _: 1), together.ask(lambda _: 1 // 0), return_exceptions=True
    )
    assert answers[0] == 1
    assert isinstance(answers[1], ZeroDivisionError)


async def test_whoever_has_gone_keeps_nobody_from_an_answer() -> None:
    together = Together(Counting())
    gone = asyncio.create_task(together.ask(lambda _: 1))
    stays = asyncio.create_task(together.ask(lambda _: 2))
    await asyncio.sleep(0)
    gone.cancel()
    assert await stays == 2
    with pytest.raises(asyncio.CancelledError):
        await gone
