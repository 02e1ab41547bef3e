"""The labelled excerpts, told to a library twice: whatever is learned is learned once."""

from __future__ import annotations

from pathlib import Path

from palaver import Palaver
from tests.memory.scoring import Excerpt, load

_ROLES = {"owner": "user", "assistant": "assistant"}


async def test_what_is_told_twice_is_learned_once(tmp_path: Path) -> None:
    excerpts = [*load("dev"), *load("heldout"), *load("fresh")]
    async with Palaver.open(tmp_path, index_vectors=False, digests=False) as palaver:
        await _feed(palaver, excerpts)
        learned = await _current(palaver)
        await _feed(palaver, excerpts)
        again = await _current(palaver)
    assert len(learned) > len(excerpts) / 5
    assert len(again) == len(set(again))


async def _current(palaver: Palaver) -> list[str]:
    """What holds now: the excerpts are of many people, and what one says replaces what another
    said, the second time as well as the first."""
    every = await palaver.memories.every()
    return [one.content.casefold() for one in every if one.superseded_by is None]


async def _feed(palaver: Palaver, excerpts: list[Excerpt]) -> None:
    for excerpt in excerpts:
        conversation = await palaver.start()
        for message in excerpt["messages"]:
            if role := _ROLES.get(message["by"]):
                await palaver.append(conversation.id, role, message["text"])
        await palaver.memories.extract(conversation.id)
