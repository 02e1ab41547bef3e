"""What is planted in a long conversation is still known when it was compressed many times."""

from __future__ import annotations

from pathlib import Path

from tests.digest.planted import measure


async def test_what_was_planted_can_be_answered_after_many_compressions(tmp_path: Path) -> None:
    known = await measure(tmp_path, turns=240, facts=24, loops=6, budget=1000)
    assert known.compressions >= 12
    assert known.rolled == 24
    assert known.missed == []
    assert known.in_summary >= 5
