"""What every ledger promises, whatever it stores its lines in."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import Any

import orjson
import pytest

from palaver.errors import (
    AlreadyExists,
    BadId,
    BadText,
    BadValue,
    EmptyMessage,
    Erased,
    KeyReused,
    NotFound,
    Outdated,
    PalaverError,
    TooLarge,
)
from palaver.ledger import chain
from palaver.ledger.lines import MAX_CONTENT, USER_STREAM, Draft, event, meta, turn
from palaver.ledger.port import Erasure, Ledger

A, B = "conv-A", "conv-B"


async def begin(ledger: Ledger, stream: str = A, *contents: str) -> None:
    drafts = [meta(stream, user="local", channel="web")]
    await ledger.append(drafts + [turn(stream, "user", content) for content in contents])


async def contents(ledger: Ledger, stream: str = A) -> list[str]:
    return [line.data["content"] for line in await ledger.read(stream) if line.type == "turn"]


async def test_a_line_says_who_what_where_and_when(ledger: Ledger) -> None:
    await begin(ledger)
    author = {"kind": "owner", "id": "local"}
    (added,) = await ledger.append([turn(A, "user", "Hello", author=author, channel="web")])
    data = added.line.data
    assert list(data)[:5] == ["type", "v", "seq", "pos", "id"]
    assert list(data)[-2:] == ["salt", "chain"]
    assert data["v"] == 1
    assert (data["seq"], data["pos"], data["turnNumber"]) == (1, 2, 1)
    assert re.fullmatch(r"msg-[0-9A-HJKMNP-TV-Z]{26}", data["id"])
    assert data["timestamp"] == data["at"] == "2026-02-14T09:00:02.000Z"
    assert data["author"] == author
    assert orjson.loads(added.line.raw) == data


async def test_numbers_grow_without_gaps_across_streams(ledger: Ledger) -> None:
    await begin(ledger, A)
    await begin(ledger, B)
    await asyncio.gather(*(ledger.append([turn((A, B)[n % 2], "user", str(n))]) for n in range(20)))
    lines = [line for stream in (A, B) for line in await ledger.read(stream)]
    assert sorted(line.pos for line in lines) == list(range(1, 23))
    for stream in (A, B):
        stored = await ledger.read(stream)
        assert [line.data["seq"] for line in stored] == list(range(11))
        assert [line.pos for line in stored] == sorted(line.pos for line in stored)
    assert await ledger.position() == 22


async def test_each_line_proves_the_one_before_it(ledger: Ledger) -> None:
    await begin(ledger, A, "one", "two", "three")
    previous = chain.ORIGIN
    for line in await ledger.read(A):
        proof = chain.proof_of(line.raw, line.data)
        assert proof is not None
        assert proof.follows(previous)
        previous = proof.chain


async def test_read_and_tail(ledger: Ledger) -> None:
    await begin(ledger, A, "one", "two", "three")
    await ledger.append([turn(A, "assistant", "3!"), event(A, "archived")])
    assert [line.seq for line in await ledger.read(A, after=1, limit=2)] == [2, 3]
    assert [line.seq for line in await ledger.tail(A, 1)] == [3, 4, 5]
    assert [line.seq for line in await ledger.tail(A, 2)] == [2, 3, 4, 5]
    assert [line.seq for line in await ledger.tail(A, 99)] == [0, 1, 2, 3, 4, 5]
    assert [line.raw for line in await ledger.tail(A, 99)] == [
        line.raw for line in await ledger.read(A)
    ]


async def test_streams_lists_what_there_is(ledger: Ledger) -> None:
    assert await ledger.streams() == []
    await begin(ledger, A, "one")
    (stat,) = await ledger.streams()
    assert stat.name == A
    assert stat.size == sum(len(line.raw) + 1 for line in await ledger.read(A))


@pytest.mark.parametrize("method", ["read", "tail", "append", "erase lines", "erase stream"])
async def test_what_is_not_there_is_not_found(ledger: Ledger, method: str) -> None:
    calls: dict[str, Any] = {
        "read": lambda: ledger.read(A),
        "tail": lambda: ledger.tail(A, 1),
        "append": lambda: ledger.append([turn(A, "user", "x")]),
        "erase lines": lambda: ledger.erase(Erasure(lines={A: [1]})),
        "erase stream": lambda: ledger.erase(Erasure(streams=[A])),
    }
    with pytest.raises(NotFound):
        await calls[method]()
    assert await ledger.position() == 0


async def test_a_stream_begins_once(ledger: Ledger) -> None:
    await begin(ledger, A)
    with pytest.raises(AlreadyExists):
        await begin(ledger, A, "again")
    assert await contents(ledger) == []


# -- turn numbers ------------------------------------------------------------------------------


def numbers(*roles: str) -> list[Draft]:
    drafts: list[Draft] = [meta(A, user="local")]
    for role in roles:
        name, debounced = role.removesuffix("+"), role.endswith("+")
        drafts.append(turn(A, name, "x", debounced=debounced))
    return drafts


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        (["user", "assistant", "user", "assistant"], [1, 1, 2, 2]),
        (["user", "user"], [1, 2]),
        (["user", "user+", "user+", "assistant", "user+"], [1, 1, 1, 1, 2]),
        (["user+"], [1]),
        (["assistant", "user"], [1, 2]),
        (["system", "user", "tool", "assistant"], [0, 1, 1, 1]),
    ],
)
async def test_turn_numbers(ledger: Ledger, roles: list[str], expected: list[int]) -> None:
    appended = await ledger.append(numbers(*roles))
    assert [item.line.data["turnNumber"] for item in appended[1:]] == expected


async def test_turn_numbers_go_on_after_events_and_erasures(ledger: Ledger) -> None:
    await begin(ledger, A, "one", "two")
    await ledger.append([event(A, "archived")])
    await ledger.erase(Erasure(lines={A: [2]}))
    (added,) = await ledger.append([turn(A, "user", "three")])
    assert added.line.data["turnNumber"] == 3


async def test_a_superseding_line_keeps_its_number(ledger: Ledger) -> None:
    await begin(ledger, A, "one", "two")
    (added,) = await ledger.append([turn(A, "user", "uno", turnNumber=1, supersedes="msg-x")])
    (after,) = await ledger.append([turn(A, "user", "three")])
    assert (added.line.data["turnNumber"], after.line.data["turnNumber"]) == (1, 3)


# -- keys --------------------------------------------------------------------------------------


async def test_a_repeated_key_returns_the_first_line(ledger: Ledger) -> None:
    await begin(ledger, A)
    (first,) = await ledger.append([turn(A, "user", "x", key="api:1")])
    (again,) = await ledger.append([turn(A, "user", "x", key="api:1")])
    assert again.replayed
    assert (again.line.stream, again.line.seq, again.line.raw) == (A, 1, first.line.raw)
    assert await contents(ledger) == ["x"]


async def test_a_key_with_another_message_is_refused(ledger: Ledger) -> None:
    await begin(ledger, A)
    await begin(ledger, B)
    await ledger.append([turn(A, "user", "x", key="api:1")])
    for other in (
        turn(A, "user", "y", key="api:1"),
        turn(B, "assistant", "x", key="api:1"),
        turn(A, "user", "x", key="api:1", customPayload={"a": 1}),
        turn(A, "user", "x", key="api:1", timestamp="2020-01-01T00:00:00.000Z"),
    ):
        with pytest.raises(KeyReused):
            await ledger.append([turn(A, "user", "not alone"), other])
    assert await contents(ledger) == ["x"]
    assert await ledger.position() == 3


async def test_a_key_repeats_everything_that_was_given(ledger: Ledger) -> None:
    await begin(ledger, A)
    rich = turn(A, "user", "x", key="api:1", toolCalls=[{"toolName": "t", "input": (1, 2)}])
    await ledger.append([rich])
    (again,) = await ledger.append([rich])
    assert again.replayed
    with pytest.raises(KeyReused):
        await ledger.append([turn(A, "user", "x", key="api:1")])


async def test_a_key_is_unique_across_streams_and_within_a_call(ledger: Ledger) -> None:
    first = [meta(A, user="local"), turn(A, "user", "x", key="api:1")]
    retried = [meta(B, user="local"), turn(B, "user", "x", key="api:1")]
    await ledger.append(first)
    (again,) = await ledger.append(retried)
    assert again.replayed
    assert again.line.stream == A
    assert [stat.name for stat in await ledger.streams()] == [A]
    twice = await ledger.append([turn(A, "user", "y", key="api:2")] * 2)
    assert [item.replayed for item in twice] == [False, True]
    assert twice[0].line.raw == twice[1].line.raw


async def test_concurrent_retries_write_once(ledger: Ledger) -> None:
    await begin(ledger, A)
    draft = turn(A, "user", "x", key="api:1")
    results = await asyncio.gather(*(ledger.append([draft]) for _ in range(10)))
    assert sum(not item.replayed for (item,) in results) == 1
    assert await contents(ledger) == ["x"]


async def test_a_key_outlives_its_message(ledger: Ledger) -> None:
    await begin(ledger, A)
    await ledger.append([turn(A, "user", "x", key="api:1"), turn(A, "user", "y", key="api:2")])
    await ledger.erase(Erasure(lines={A: [1]}))
    with pytest.raises(Erased):
        await ledger.append([turn(A, "user", "x", key="api:1")])
    await ledger.erase(Erasure(streams=[A]))
    await begin(ledger, B)
    for key in ("api:1", "api:2"):
        with pytest.raises(Erased):
            await ledger.append([turn(B, "user", "new words", key=key)])


async def test_where_a_key_was_used(ledger: Ledger) -> None:
    await begin(ledger, A)
    await begin(ledger, "ext-A")
    keyed = event("ext-A", "delivered", messageId="msg-1", key="whatsapp:2")
    await ledger.append([turn(A, "user", "x", key="whatsapp:1"), keyed])
    assert await ledger.where("whatsapp:1") == A
    assert await ledger.where("whatsapp:2") == "ext-A"
    assert await ledger.where("whatsapp:3") is None
    await ledger.erase(Erasure(lines={A: [1]}))
    await ledger.erase(Erasure(streams=["ext-A"]))
    for key in ("whatsapp:1", "whatsapp:2"):
        with pytest.raises(Erased):
            await ledger.where(key)
    assert await ledger.where("whatsapp:3") is None


# -- erasure -----------------------------------------------------------------------------------


async def test_an_erased_line_leaves_a_tombstone_that_still_proves(ledger: Ledger) -> None:
    await begin(ledger, A, "one", "secret", "three")
    before = await ledger.read(A)
    (record,) = await ledger.erase(Erasure(lines={A: [2]}))
    after = await ledger.read(A)
    stone = after[2]
    assert stone.data["type"] == "tombstone"
    assert (stone.seq, stone.id, len(stone.raw)) == (2, before[2].id, len(before[2].raw))
    assert b"secret" not in stone.raw
    assert "salt" not in stone.data
    assert record.event == "redacted"
    (target,) = record.data["targets"]
    assert target["turnNumber"] == 2
    assert target["role"] == "user"
    previous = chain.ORIGIN
    for line in after:
        proof = chain.proof_of(line.raw, line.data)
        assert proof is not None
        assert proof.follows(previous)
        previous = proof.chain


async def test_an_erased_stream_is_gone_and_recorded(ledger: Ledger) -> None:
    await begin(ledger, A, "one")
    await begin(ledger, B, "two")
    (record,) = await ledger.erase(Erasure(streams=[A]))
    assert record.stream == USER_STREAM
    assert (record.data["stream"], record.data["lines"]) == (A, 2)
    assert [stat.name for stat in await ledger.streams()] == [B, USER_STREAM]
    with pytest.raises(NotFound):
        await ledger.read(A)
    assert [line.type for line in await ledger.read(USER_STREAM)] == ["meta", "event"]


async def test_one_erasure_reaches_several_streams(ledger: Ledger) -> None:
    await begin(ledger, A, "one")
    await begin(ledger, B, "quotes one")
    records = await ledger.erase(Erasure(streams=[A], lines={B: [1], A: [1]}))
    assert [(line.stream, line.event) for line in records] == [
        (B, "redacted"),
        (USER_STREAM, "deleted"),
    ]
    assert await contents(ledger, B) == []


# -- what cannot be taken ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: turn(A, "user", ""), EmptyMessage),
        (lambda: turn(A, "user", " \n\t\u3000"), EmptyMessage),
        (lambda: turn(A, "user", "x" * (MAX_CONTENT + 1)), TooLarge),
        (lambda: turn(A, "user", "a\0b"), BadText),
        (lambda: turn(A, "user", "a\ud800b"), BadText),
        (lambda: turn(A, "nobody", "x"), BadValue),
        (lambda: turn(A, "user", "x", cost=float("nan")), BadValue),
        (lambda: turn(A, "user", "x", cost=10**30), BadValue),
        (lambda: turn(A, "user", "x", usage={1: 2}), BadValue),
        (lambda: turn(A, "user", "x", usage={"a": {1, 2}}), BadValue),
        (lambda: turn(A, "user", "x", key=""), BadValue),
        (lambda: turn(A, "user", "x", key="k" * 513), BadValue),
        (lambda: turn(A, "user", "x", seq=7), BadValue),
        (lambda: turn("../x", "user", "x"), BadId),
        (lambda: turn("conv-", "user", "x"), BadId),
        (lambda: turn("conv-a/../b", "user", "x"), BadId),
    ],
)
async def test_what_cannot_be_stored_is_refused_and_changes_nothing(
    ledger: Ledger, make: Any, error: type[PalaverError]
) -> None:
    await begin(ledger, A)
    with pytest.raises(error):
        await ledger.append([turn(A, "user", "goes with it"), make()])
    assert await contents(ledger) == []
    assert await ledger.position() == 1


@pytest.mark.parametrize(
    "content",
    [
        "x" * MAX_CONTENT,
        "\u2028\u2029\u0085\x0b\x0c\x1c\r\n",
        "\u202ertl\u2066\u200b\ufeff\u200d",
        '","chain":"b2:' + "0" * 64 + '"}',
        "👩‍👩‍👧 東京 e\u0301 \U0010ffff",
    ],
)
async def test_any_text_comes_back_as_it_was(ledger: Ledger, content: str) -> None:
    await begin(ledger, A, content if content.strip() else "x" + content)
    (stored,) = await contents(ledger)
    assert stored.removeprefix("x" if not content.strip() else "") == content


async def test_a_deep_value_is_refused(ledger: Ledger) -> None:
    await begin(ledger, A)
    deep: Any = "x"
    for _ in range(40):
        deep = [deep]
    with pytest.raises(BadValue):
        await ledger.append([turn(A, "user", "x", customPayload=deep)])


# -- what somebody expects -------------------------------------------------------------------


async def size(ledger: Ledger, stream: str = A) -> int:
    return (await ledger.read(stream))[-1].end


async def test_a_stream_takes_lines_while_it_is_as_long_as_expected(ledger: Ledger) -> None:
    await begin(ledger, A, "one")
    seen = await size(ledger)
    await ledger.append([turn(A, "user", "two")], expected={A: seen})
    with pytest.raises(Outdated):
        await ledger.append([turn(A, "user", "three")], expected={A: seen})
    assert await contents(ledger) == ["one", "two"]


async def test_another_stream_may_be_expected_to_stay_as_it_is(ledger: Ledger) -> None:
    await begin(ledger, A, "one")
    await begin(ledger, B)
    seen = await size(ledger)
    await ledger.append([turn(B, "user", "two")], expected={A: seen})
    with pytest.raises(Outdated):
        await ledger.append([turn(B, "user", "three")], expected={A: seen + 1})
    assert await contents(ledger, B) == ["two"]


async def test_of_many_who_expect_the_same_one_writes(ledger: Ledger) -> None:
    await begin(ledger, A, "one")
    seen = await size(ledger)
    outcomes = await asyncio.gather(
        *(ledger.append([turn(A, "user", str(n))], expected={A: seen}) for n in range(20)),
        return_exceptions=True,
    )
    assert sorted(isinstance(one, Outdated) for one in outcomes) == [False] + [True] * 19
    assert len(await contents(ledger)) == 2


async def test_a_repetition_expects_nothing(ledger: Ledger) -> None:
    await begin(ledger, A, "one")
    seen = await size(ledger)
    draft = turn(A, "user", "two", key="api:1")
    (first,) = await ledger.append([draft], expected={A: seen})
    (again,) = await ledger.append([draft], expected={A: seen})
    assert (again.replayed, again.line.raw) == (True, first.line.raw)


@pytest.mark.parametrize(
    "erasure", [Erasure(lines={A: [1]}), Erasure(streams=[A])], ids=["line", "stream"]
)
async def test_what_has_changed_is_not_erased(ledger: Ledger, erasure: Erasure) -> None:
    await begin(ledger, A, "one")
    seen = await size(ledger)
    await ledger.append([turn(A, "user", "two")])
    with pytest.raises(Outdated):
        await ledger.erase(replace(erasure, expected={A: seen}))
    assert await contents(ledger) == ["one", "two"]
    await ledger.erase(replace(erasure, expected={A: await size(ledger)}))
    with pytest.raises((NotFound, AssertionError)):
        assert "one" in await contents(ledger)
