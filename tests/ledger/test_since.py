"""What every ledger tells of what came after a position."""

from __future__ import annotations

import os

import pytest

from palaver.errors import TooFarBehind
from palaver.ledger.files import FileLedger, FileStore, Home
from palaver.ledger.files.since import since
from palaver.ledger.lines import USER_STREAM, event, meta, turn
from palaver.ledger.port import Erasure, Ledger
from palaver.ledger.since import MOST_BEHIND, MOST_BYTES
from tests.ledger.nodes import Nodes

A, B, C = "conv-A", "conv-B", "conv-C"


async def begin(ledger: Ledger, *streams: str) -> None:
    for stream in streams:
        await ledger.append([meta(stream, user="local"), turn(stream, "user", f"in {stream}")])


async def told(ledger: Ledger, after: int, limit: int = 200) -> list[tuple[int, str, str]]:
    """Everything after a position, by as many questions as that takes."""
    found: list[tuple[int, str, str]] = []
    while True:
        later = await ledger.since(after, limit=limit)
        found += [(line.pos, line.stream, line.type) for line in later.lines]
        after = later.pos
        if not later.more:
            assert after == await ledger.position()
            return found


async def test_everything_is_told_once_and_in_order(ledger: Ledger) -> None:
    await begin(ledger, A, B)
    await ledger.append([turn(A, "user", "again"), turn(B, "user", "again")])
    await ledger.append([event(A, "title_assigned", title="T", by="user")])
    expected = [
        (1, A, "meta"),
        (2, A, "turn"),
        (3, B, "meta"),
        (4, B, "turn"),
        (5, A, "turn"),
        (6, B, "turn"),
        (7, A, "event"),
    ]
    for after in range(8):
        for limit in (1, 2, 200):
            assert await told(ledger, after, limit) == expected[after:]


async def test_a_line_is_told_as_it_is_stored(ledger: Ledger) -> None:
    await begin(ledger, A, B)
    later = await ledger.since(0, limit=10)
    stored = [line for stream in (A, B) for line in await ledger.read(stream)]
    assert list(later.lines) == stored
    assert (later.pos, later.more) == (4, False)


async def test_an_empty_ledger_has_nothing_to_tell(ledger: Ledger) -> None:
    later = await ledger.since(0, limit=10)
    assert (list(later.lines), later.pos, later.more) == ([], 0, False)


async def test_what_is_erased_is_left_out(ledger: Ledger) -> None:
    await begin(ledger, A, B, C)
    await ledger.erase(Erasure(lines={A: [1]}))
    await ledger.erase(Erasure(streams=[B]))
    expected = [
        (1, A, "meta"),
        (5, C, "meta"),
        (6, C, "turn"),
        (7, A, "event"),
        (8, USER_STREAM, "meta"),
        (9, USER_STREAM, "event"),
    ]
    for after in range(10):
        for limit in (1, 200):
            assert await told(ledger, after, limit) == [one for one in expected if one[0] > after]


async def test_who_is_too_far_behind_is_told_so(ledger: Ledger) -> None:
    await begin(ledger, A)
    await ledger.append([turn(A, "user", str(number)) for number in range(MOST_BEHIND)])
    assert len(await told(ledger, 2)) == MOST_BEHIND
    with pytest.raises(TooFarBehind):
        await ledger.since(1, limit=10)


@pytest.mark.parametrize("after", [-1, 3, 1 << 62])
async def test_a_position_that_never_was_cannot_be_gone_on_from(ledger: Ledger, after: int) -> None:
    await begin(ledger, A)
    with pytest.raises(TooFarBehind):
        await ledger.since(after, limit=10)


async def test_no_more_is_held_than_must_be(ledger: Ledger) -> None:
    large = "x" * (1 << 20)
    await ledger.append([meta(A, user="local"), *(turn(A, "user", large) for _ in range(9))])
    later = await ledger.since(0, limit=200)
    if not later.more:  # in memory there is nothing to save
        return
    assert MOST_BYTES <= sum(len(line.raw) for line in later.lines) < MOST_BYTES + (2 << 20)
    assert [pos for pos, _, _ in await told(ledger, 0)] == list(range(1, 11))


async def test_the_clock_of_the_disk_is_only_a_hint(files: FileLedger, home: Home) -> None:
    await begin(files, A, B, C)
    await files.append([turn(A, "user", "last")])
    os.utime(home.stream(A), (1, 1))
    assert await told(files, 6) == [(7, A, "turn")]
    assert len(await told(files, 0)) == 7


async def test_what_is_not_committed_yet_is_not_told(files: FileLedger, store: FileStore) -> None:
    await begin(files, A, B)
    found = since(store, 3, 1, 200)
    assert [line.pos for line in found.lines] == [2, 3]
    assert (found.pos, found.more) == (3, False)
    for number in range(20):
        await files.append([turn(B, "user", str(number))])
    assert since(store, 3, 1, 200) == found


async def test_commits_are_told_of(home: Home) -> None:
    positions: list[int] = []
    ledger = FileLedger(FileStore(home), committed=positions.append)
    await ledger.open()
    await begin(ledger, A)
    await ledger.append([turn(A, "user", "once", key="k")])
    await ledger.append([turn(A, "user", "once", key="k")])
    await ledger.erase(Erasure(streams=[A]))
    await ledger.close()
    assert positions == [2, 3, 5]


async def test_the_position_can_be_seen_without_the_lock(files: FileLedger, home: Home) -> None:
    other = FileStore(home)
    assert other.noted() == 0
    await begin(files, A)
    assert other.noted() == 2
    home.write_lock.write_bytes(b'{"pos":9,"pending":{}} torn\n')
    assert other.noted() == 0


async def test_a_line_that_is_no_text_hides_none_of_those_before_it(nodes: Nodes) -> None:
    ledger = nodes().ledger()
    large = "x" * (1 << 20)
    await ledger.append([meta(A, user="local"), *(turn(A, "user", large) for _ in range(9))])
    nodes.sql(r"UPDATE palaver.lines SET odd = '\x00', line = NULL WHERE pos = 10")
    assert [pos for pos, _, _ in await told(ledger, 0)] == list(range(1, 10))
