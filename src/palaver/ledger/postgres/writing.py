"""The rows of a commit, written in one round trip."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from palaver.errors import StorageFailed
from palaver.ledger.batch import Batch
from palaver.ledger.lines import key_digest
from palaver.ledger.postgres.rows import QUERIES, columns
from palaver.ledger.postgres.stored import Stored
from palaver.postgres import Connection

_Statement = tuple[str, dict[str, list[Any]]]


def write(
    connection: Connection, batches: Mapping[int, Batch], stored: Mapping[int, Stored]
) -> None:
    """Writes the lines of the batches, by owner, and what is noted beside them."""
    ends = [(owner, head) for owner, batch in batches.items() for head in batch.ends.values()]
    begun = [(owner, head) for owner, head in ends if head.stream in stored[owner].numbers]
    new = [(owner, head) for owner, head in ends if head.stream not in stored[owner].numbers]
    asked: list[_Statement] = [
        (QUERIES[name], columns([owner for owner, _ in heads], [head for _, head in heads]))
        for name, heads in (("begin_streams", new), ("move_heads", begun))
    ]
    asked += [_lines(batches), _keys(batches), _counters(batches)]
    asked = [(sql, values) for sql, values in asked if values["owners"]]
    answers = connection.together(*asked)
    for (_, values), answer in zip(asked, answers, strict=True):
        if answer.touched != len(values["owners"]):  # a row that is not there takes no change
            raise StorageFailed(
                "The tables of the database do not fit together, so nothing was stored.",
                remedy="Run `palaver verify`.",
            )


def _lines(batches: Mapping[int, Batch]) -> _Statement:
    lines = [(owner, line) for owner, batch in batches.items() for line in batch.in_order()]
    values: dict[str, list[Any]] = {
        "owners": [owner for owner, _ in lines],
        "names": [line.stream for _, line in lines],
        "seqs": [line.seq for _, line in lines],
        "positions": [line.pos for _, line in lines],
        "places": [line.offset for _, line in lines],
        "lines": [line.raw.decode() for _, line in lines],
    }
    return QUERIES["add_lines"], values


def _keys(batches: Mapping[int, Batch]) -> _Statement:
    keyed = [
        (owner, line)
        for owner, batch in batches.items()
        for line in batch.in_order()
        if isinstance(line.data.get("key"), str)
    ]
    values: dict[str, list[Any]] = {
        "owners": [owner for owner, _ in keyed],
        "digests": [bytes.fromhex(key_digest(line.data["key"])) for _, line in keyed],
        "names": [line.stream for _, line in keyed],
        "seqs": [line.seq for _, line in keyed],
    }
    return QUERIES["add_keys"], values


def _counters(batches: Mapping[int, Batch]) -> _Statement:
    values: dict[str, list[Any]] = {
        "owners": list(batches),
        "positions": [batch.pos for batch in batches.values()],
    }
    return QUERIES["move_counters"], values
