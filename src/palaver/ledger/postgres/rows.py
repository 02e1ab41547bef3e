"""Lines and heads as the rows of the tables hold them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from palaver.ledger import chain
from palaver.ledger.lines import Line, read_line
from palaver.ledger.stamping import Head, Turns
from palaver.postgres import Row
from palaver.sql import statements

QUERIES = statements(__package__ or "", "queries.sql")


def line_of(stream: str, row: Row) -> Line:
    """From `seq, place, line, odd`."""
    seq, place, text, odd = row
    return read_line(stream, seq, place, raw_of(text, odd))


def raw_of(text: str | None, odd: bytes | None) -> bytes:
    return text.encode() if text is not None else odd or b""


def head_of(row: Row) -> Head:
    """From `name, size, lines, chain, turn, answered, unsealed, unsealed_lines`."""
    name, size, lines, link, turn, answered, unsealed, unsealed_lines = row
    turns = Turns(turn, answered)
    return Head(name, size, lines, link or chain.ORIGIN, turns, unsealed, unsealed_lines)


def head_row(owner: int, head: Head) -> dict[str, Any]:
    return {
        "owner": owner,
        "name": head.stream,
        "size": head.size,
        "lines": head.lines,
        "chain": head.chain.hex(),
        "turn": head.turns.number,
        "answered": head.turns.answered,
    }


def as_json(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as one value: much cheaper to hand over than a list for each column."""
    return orjson.dumps(rows).decode()
