"""A sketch says of a conversation what its row will say."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palaver.index.conversation_fold import WITH_META
from palaver.index.folded import fold_again
from palaver.index.rows import ConversationRow, to_conversation
from palaver.index.sketch import sketch
from palaver.ledger.lines import event, meta, turn
from palaver.ledger.memory import MemoryLedger
from tests.index.histories import STREAMS, History, steps
from tests.index.worlds import USER, A, open_files


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    """Whole lines, about `size` bytes at a time."""
    piece = b""
    for line in data.splitlines(keepends=True):
        piece += line
        if len(piece) >= size:
            yield piece
            piece = b""
    if piece:
        yield piece


def said(row: ConversationRow | None) -> dict[str, Any] | None:
    """What others see of a row, without what a sketch takes from the last messages alone."""
    if row is None:
        return None
    row = replace(row, turn_count=0, said=None, heard_seq=-1)
    if row.begun < WITH_META:
        row = replace(row, created="", channel="")
    return to_conversation(row).to_json()


@given(steps, st.sampled_from([1, 500, 1 << 20]))
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_a_sketch_is_like_the_row(history: list[dict[str, Any]], size: int) -> None:
    async def run(folder: Path) -> None:
        world = await open_files(folder)
        taking = History(world)
        for step in history:
            await taking.take(step)
        for stream in STREAMS:
            data = world.file(stream).read_bytes() if world.store.size(stream) else b""
            drawn = sketch(stream, pieces(data, size))
            assert said(drawn) == said(fold_again(world.store, stream).fold.row)
        await world.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))


@pytest.mark.parametrize("size", [1000, 100_000, 1 << 20])
async def test_a_long_conversation_is_sketched_by_its_ends(size: int) -> None:
    ledger = MemoryLedger(USER)
    drafts = [meta(A, user=USER, channel="email", title="First")]
    drafts += [turn(A, ("user", "assistant")[n % 2], "word " * 40) for n in range(2000)]
    await ledger.append(drafts)
    data = b"".join(ledger.pieces(A))
    row = sketch(A, pieces(data, size))
    assert row is not None
    assert to_conversation(row) == to_conversation(_row(ledger))


async def test_a_sketch_knows_whether_an_abbreviation_tells_all() -> None:
    ledger = MemoryLedger(USER)
    drafts = [meta(A, user=USER), *(turn(A, "user", "word " * 40) for _ in range(9))]
    await ledger.append([*drafts, event(A, "abbreviation", text="- Words.", covers=9)])
    assert not _needs(ledger)
    assert to_conversation(_row(ledger)).needs_abbreviation is False
    await ledger.append([turn(A, "user", "more")])
    assert _needs(ledger)


def _needs(ledger: MemoryLedger) -> bool:
    row = sketch(A, ledger.pieces(A))
    assert row is not None
    return to_conversation(row).needs_abbreviation


def _row(ledger: MemoryLedger) -> ConversationRow:
    row = fold_again(ledger, A).fold.row
    assert row is not None
    return row


def test_nothing_makes_no_sketch() -> None:
    assert sketch(A, []) is None
    assert sketch(A, [b"not JSON\n\n"]) is None
