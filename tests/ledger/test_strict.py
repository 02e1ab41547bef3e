"""Whatever bytes come in: they are taken and can be written again, or refused with a reason."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.errors import BadJson, BadText, BadValue, PalaverError
from palaver.ledger import chain, strict
from palaver.ledger.files.home import Home
from palaver.ledger.files.store import FileStore
from palaver.ledger.lines import Line, check_draft, event, meta, read_line, turn
from palaver.ledger.stamping import Head, Stamper, follow
from tests.proofs.simdisk import SimDisk

HOME = Home(Path("/home"))
A = "conv-A"

texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        (b'{"a":1,"a":2}', BadJson),
        (b'{"a":{"b":1,"b":1}}', BadJson),
        (b"NaN", BadJson),
        (b"-Infinity", BadJson),
        (b'"\xff"', BadJson),
        (b"{", BadJson),
        (b"", BadJson),
        (b"[" * 100_000, BadJson),
        (b'"\\ud83d"', BadText),
        (b'"a\\u0000b"', BadText),
        (b'{"\\ud83d":1}', BadText),
        (b"9" * 30, BadValue),
        (b"9" * 10_000, BadValue),
        (b"1e400", BadValue),
        (b"[" * 40 + b"]" * 40, BadValue),
    ],
)
def test_what_is_not_strict_is_refused(raw: bytes, error: type[PalaverError]) -> None:
    with pytest.raises(error):
        strict.loads(raw)


@given(values)
def test_what_is_taken_survives_every_round_trip(value: Any) -> None:
    strict.check_value(value)
    raw = strict.dumps(value)
    assert strict.dumps(strict.loads(raw)) == raw
    assert orjson.loads(raw) == json.loads(raw)


@given(st.binary(max_size=200) | st.from_regex(rb'\{"a":.{0,20}\}', fullmatch=True))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    try:
        value = strict.loads(raw)
    except PalaverError:
        assert read_line(A, 0, 0, raw).data == {}
    else:
        assert strict.loads(strict.dumps(value)) == value


@given(texts, values)
def test_a_sealed_line_reads_as_it_was_written(content: str, payload: Any) -> None:
    draft = event(A, "note", content=content, payload=payload)
    check_draft(draft)
    line, _ = Stamper(0, "2026-02-14T09:00:00.000Z").stamp(Head(A, lines=1), draft)
    assert b"\n" not in line.raw
    read = read_line(A, 1, 0, line.raw)
    assert read.data == line.data
    proof = chain.proof_of(read.raw, read.data)
    assert proof is not None
    assert proof.follows(chain.ORIGIN)


@given(st.binary(max_size=300).map(lambda raw: raw.replace(b"\x01", b"\n")))
def test_reading_backwards_gives_the_same_lines(data: bytes) -> None:
    store = FileStore(HOME, SimDisk({HOME.stream(A): data}))
    forwards = list(store.raw_lines(A))
    assert list(store.raw_lines_back(A)) == forwards[::-1]
    assert b"".join(raw + b"\n" for _, raw in forwards) == data[: data.rfind(b"\n") + 1]


def _lines(kinds: list[str]) -> list[Line]:
    stamper, head = Stamper(0, "2026-02-14T09:00:00.000Z"), Head(A)
    lines: list[Line] = []
    for kind in ["meta", *kinds]:
        if kind == "foreign":
            raw = b'{"type":"turn","role":"user","content":"by hand"}'
            line = read_line(A, head.lines, head.size, raw)
            head = follow(head, [line])
        else:
            draft = meta(A, user="local") if kind == "meta" else turn(A, kind, "x")
            draft = event(A, "archived") if kind == "system" else draft
            line, head = stamper.stamp(head, draft)
        lines.append(line)
    return lines


@given(st.lists(st.sampled_from(["user", "assistant", "tool", "system", "foreign"]), max_size=12))
def test_the_end_of_a_stream_is_the_same_read_from_either_side(kinds: list[str]) -> None:
    lines = _lines(kinds)
    data = b"".join(line.raw + b"\n" for line in lines)
    store = FileStore(HOME, SimDisk({HOME.stream(A): data}))
    assert store.head(A) == follow(Head(A), lines)
    assert [line.seq for line in store.tail(A, 3)] == list(range(len(lines)))[
        -len(store.tail(A, 3)) :
    ]


def test_floats_of_every_size_are_kept() -> None:
    assert strict.loads(b"5e-324") == math.ulp(0.0)
