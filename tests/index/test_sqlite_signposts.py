"""Not even the beginning of an erased word stays, as a signpost between pages of the full text."""

from __future__ import annotations

import pytest

from palaver.index.sqlite.words import FullText
from palaver.ledger.lines import meta, turn
from tests.index.worlds import USER, A, FileWorld

MESSAGES = 1500


def canary(number: int) -> str:
    return f"canary{number:05d}zq"


async def erase_a_third(world: FileWorld) -> set[str]:
    """Erases every third message; gives the erased words of which the most part is left."""
    said = [turn(A, "user", f"Take {canary(number)} away") for number in range(MESSAGES)]
    await world.write(meta(A, user=USER), *said)
    assert await world.found(canary(1))
    erased = range(0, MESSAGES, 3)
    for start in range(0, len(erased), 4):
        await world.erase(lines={A: [number + 1 for number in erased[start : start + 4]]})
    files = [path.read_bytes() for path in world.home.root.rglob("*") if path.is_file()]
    words = [canary(number) for number in erased]
    return {word for word in words if any(word[:-2].encode() in data for data in files)}


async def test_no_signpost_of_an_erased_word_is_left(home: FileWorld) -> None:
    assert await erase_a_third(home) == set()
    assert await home.index.verify() == []


async def test_a_signpost_that_is_left_is_noticed(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(self: FullText, words: object) -> bool:
        return False

    monkeypatch.setattr(FullText, "_has_stale_signpost", never)
    assert await erase_a_third(home)
