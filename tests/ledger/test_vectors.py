"""The published test vectors, read by an implementation that shares no code with ours."""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from palaver.ledger.files import FileStore, Home
from palaver.ledger.verify import verify_stream

VECTORS = Path(__file__).parents[2] / "docs/reference/ledger-vectors"
HASHES: dict[str, list[dict[str, str] | None]] = json.loads((VECTORS / "hashes.json").read_text())
FILES = sorted(path.name for path in VECTORS.glob("*.jsonl"))


def test_every_vector_is_listed() -> None:
    assert sorted(HASHES) == FILES
    assert len(FILES) == 4


def plain_hash(data: bytes) -> bytes:
    return blake2b(data, digest_size=32).digest()


def proof(raw: bytes) -> dict[str, str] | None:
    """Straight from the reference page, with nothing but a JSON parser and BLAKE2b."""
    body, mark, _ = raw.rstrip(b" ").rpartition(b',"chain":"')
    if not mark:
        return None
    data: dict[str, Any] = json.loads(raw)
    if data["type"] == "tombstone":
        return {"bodyHash": data["bodyHash"], "chain": data["chain"]}
    digest = plain_hash(bytes.fromhex(data["salt"]) + body)
    return {"bodyHash": "b2:" + digest.hex(), "chain": data["chain"]}


@pytest.mark.parametrize("name", FILES)
def test_the_hashes_are_those_that_are_published(name: str) -> None:
    lines = (VECTORS / name).read_bytes().split(b"\n")[:-1]
    assert [proof(raw) for raw in lines] == HASHES[name]


@pytest.mark.parametrize("name", FILES)
def test_each_line_follows_the_one_before_it(name: str) -> None:
    previous = bytes(32)
    for entry in HASHES[name]:
        if entry is None:
            continue
        link = plain_hash(previous + bytes.fromhex(entry["bodyHash"][3:]))
        assert entry["chain"] == "b2:" + link.hex()
        previous = link


@pytest.mark.parametrize("name", FILES)
def test_seals_hold_and_our_own_reader_agrees(name: str, home: Home) -> None:
    data = (VECTORS / name).read_bytes()
    lines = data.split(b"\n")[:-1]
    stream = str(json.loads(lines[0])["id"])
    for raw in lines:
        seal: dict[str, Any] = json.loads(raw) if b'"adopted"' in raw else {}
        if seal.get("event") == "adopted":
            part = b"".join(r + b"\n" for r in lines[seal["firstSeq"] :][: seal["lines"]])
            digest = plain_hash(bytes.fromhex(seal["sealSalt"]) + part)
            assert seal["seal"] == "b2:" + digest.hex()
    home.stream(stream).write_bytes(data)
    assert [f for f in verify_stream(FileStore(home), stream) if f.damage] == []
