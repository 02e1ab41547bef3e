"""Carrying out erasures, in the transaction that records them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from palaver.events.parts import PATIENCE
from palaver.ledger.erasure import EVENTS, may_overwrite, stone_for
from palaver.ledger.lines import Line
from palaver.ledger.postgres.rows import QUERIES, raw_of
from palaver.postgres import Connection


def enforce(connection: Connection, owner: int, lines: Iterable[Line]) -> None:
    """Takes away what the events among `lines` say is erased."""
    records = [line for line in lines if line.event in EVENTS]
    if records:
        connection.act_for(owner)
    for record in records:
        if record.event == "redacted":
            _put_stones(connection, record)
            connection.run(QUERIES["forget_replies"], (record.stream, PATIENCE))
        else:
            connection.run(QUERIES["forget_replies"], (record.data["stream"], PATIENCE))
            connection.run(QUERIES["delete_lines"], (record.data["stream"],))
            connection.run(QUERIES["delete_stream"], (record.data["stream"],))
        keys = [bytes.fromhex(digest) for digest in dict.fromkeys(record.data.get("keys", ()))]
        connection.run(QUERIES["erase_keys"], (keys,))


def _put_stones(connection: Connection, record: Line) -> None:
    targets: dict[int, dict[str, Any]] = {item["seq"]: item for item in record.data["targets"]}
    asked = {"name": record.stream, "seqs": list(targets)}
    stones = {
        seq: stone_for(targets[seq], len(raw)).decode()
        for seq, _, text, odd in connection.all(QUERIES["some_lines"], asked)
        if may_overwrite(raw := raw_of(text, odd), targets[seq])
    }
    values = {"name": record.stream, "seqs": list(stones), "stones": list(stones.values())}
    connection.run(QUERIES["put_stones"], values)
