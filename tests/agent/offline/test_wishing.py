"""Without a model, who asks to have something remembered is told whether it is."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from palaver.agent.offline.texts import ADDING, NEVER_KEPT, NOT_REMEMBERED, NOTED, NOW_REMEMBERED
from palaver.app import Palaver
from palaver.settings import Settings
from tests.library import Clock

TEA = "I like green tea"


@pytest.fixture
async def palaver(kept: Settings, clock: Clock) -> AsyncIterator[Palaver]:
    async with Palaver.open(settings=kept, clock=clock, index_vectors=False) as opened:
        yield opened


async def ask(palaver: Palaver, text: str) -> str:
    return (await palaver.send(text)).reply.content


async def contents(palaver: Palaver) -> list[str]:
    return [one.content for one in await palaver.memories.every()]


async def test_what_is_remembered_is_shown(palaver: Palaver) -> None:
    said = await ask(palaver, f"Please remember that {TEA}.")
    assert said.startswith(f"{NOW_REMEMBERED}\n\n- {TEA}")
    assert [TEA in one for one in await contents(palaver)] == [True]
    await palaver.settle()
    assert len(await contents(palaver)) == 1, "it is not learned once more after the reply"
    again = await ask(palaver, f"Remember that {TEA}!")
    assert again.startswith(NOW_REMEMBERED)
    assert len(await contents(palaver)) == 1


async def test_a_question_beside_it_is_answered(palaver: Palaver) -> None:
    await ask(palaver, "The boiler was repaired in May.")
    said = await ask(palaver, f"Remember that {TEA}. When was the boiler repaired?")
    assert said.startswith(NOW_REMEMBERED)
    assert "in May" in said


@pytest.mark.parametrize(
    "text", ["Remember that my password is hunter2-XQ91.", "please remember: my pin is 4711"]
)
async def test_a_secret_is_refused_plainly(palaver: Palaver, text: str) -> None:
    assert await ask(palaver, text) == f"{NOT_REMEMBERED} {NEVER_KEPT}"
    assert await contents(palaver) == []


async def test_who_tells_a_secret_is_told_that_it_is_not_kept(palaver: Palaver) -> None:
    said = await ask(palaver, "My password is hunter2-XQ91.")
    assert said == f"{NOTED}\n\n{NEVER_KEPT}"


async def test_what_was_forgotten_is_not_said_to_be_remembered(palaver: Palaver) -> None:
    first = await palaver.send(f"Remember that {TEA}.")
    (memory,) = await palaver.memories.list()
    await palaver.memories.forget(memory.id)
    again = await palaver.regenerate(first.conversation_id, first.reply.id)
    assert again.reply.content == f"{NOT_REMEMBERED} {ADDING}"
    assert await contents(palaver) == []


@pytest.mark.parametrize(
    "text", ["Do you remember the boiler?", "I remember the sea.", "What is my password?"]
)
async def test_other_words_are_no_wish(palaver: Palaver, text: str) -> None:
    said = await ask(palaver, text)
    assert not any(one in said for one in (NOW_REMEMBERED, NOT_REMEMBERED, NEVER_KEPT))
