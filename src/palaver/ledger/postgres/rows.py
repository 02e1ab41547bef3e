"""Lines and heads as the rows of the tables hold them."""

from __future__ import annotations

from typing import Any

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


def columns(owners: list[int], heads: list[Head]) -> dict[str, list[Any]]:
    """The heads, one list for each column."""
    return {
        "owners": owners,
        "names": [head.stream for head in heads],
        "sizes": [head.size for head in heads],
        "lines": [head.lines for head in heads],
        "chains": [head.chain for head in heads],
        "turns": [head.turns.number for head in heads],
        "answered": [head.turns.answered for head in heads],
    }
