"""The rows of a commit, written in one round trip."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from palaver.errors import StorageFailed
from palaver.ledger.batch import Batch
from palaver.ledger.lines import Line, key_digest
from palaver.ledger.postgres.rows import QUERIES, as_json, head_row
from palaver.ledger.postgres.stored import Stored
from palaver.postgres import Connection

_Rows = list[dict[str, Any]]


def write(
    connection: Connection, batches: Mapping[int, Batch], stored: Mapping[int, Stored]
) -> None:
    """Writes the lines of the batches, by owner, and what is noted beside them."""
    lines = [(owner, line) for owner, batch in batches.items() for line in batch.in_order()]
    asked: dict[str, _Rows] = {
        "begin_streams": _heads(batches, stored, begun=False),
        "move_heads": _heads(batches, stored, begun=True),
        "add_lines": [_line_row(owner, line) for owner, line in lines],
        "add_keys": [_key_row(owner, line) for owner, line in lines if line.data.get("key")],
        "move_counters": [{"owner": owner, "pos": batch.pos} for owner, batch in batches.items()],
    }
    asked = {name: rows for name, rows in asked.items() if rows}
    answers = connection.together(*((QUERIES[name], (as_json(asked[name]),)) for name in asked))
    for rows, answer in zip(asked.values(), answers, strict=True):
        if answer.touched != len(rows):  # a row that is not there takes no change
            raise StorageFailed(
                "The tables of the database do not fit together, so nothing was stored.",
                remedy="Run `palaver verify`.",
            )


def _heads(batches: Mapping[int, Batch], stored: Mapping[int, Stored], *, begun: bool) -> _Rows:
    return [
        head_row(owner, head)
        for owner, batch in batches.items()
        for head in batch.ends.values()
        if (head.stream in stored[owner].numbers) == begun
    ]


def _line_row(owner: int, line: Line) -> dict[str, Any]:
    return {
        "owner": owner,
        "name": line.stream,
        "seq": line.seq,
        "pos": line.pos,
        "place": line.offset,
        "line": line.raw.decode(),
    }


def _key_row(owner: int, line: Line) -> dict[str, Any]:
    digest = key_digest(line.data["key"])
    return {"owner": owner, "digest": digest, "name": line.stream, "seq": line.seq}
