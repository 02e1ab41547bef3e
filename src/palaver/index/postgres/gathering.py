"""What a commit writes for many users: one statement for each kind of row, whosever it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import orjson

from palaver.errors import StorageFailed
from palaver.index.connection import Statements
from palaver.index.postgres.joining import Sent, Statement
from palaver.index.rows import CONVERSATION_FIELDS, MessageRow
from palaver.postgres import Connection

_Row = dict[str, Any]


class _Kind(NamedTuple):
    """Rows that nearly every commit has for a user."""

    statement: str
    """What writes those of several users."""
    columns: Sequence[str]
    key: str
    """The column that tells the rows of one user apart."""


_KINDS = {
    "add_message": _Kind(
        "add_messages_of_commit", ("place", "stream", *MessageRow._fields[1:], "hash"), "place"
    ),
    "wait": _Kind("wait_of_commit", ("place",), "place"),
    "put_conversation": _Kind(
        "put_conversations_of_commit",
        (*CONVERSATION_FIELDS, "folded", "pinned_place", "pinned_party", "hash"),
        "id",
    ),
    "set_stream": _Kind("set_streams_of_commit", ("size", "lines", "no"), "no"),
    "set_position": _Kind("set_positions_of_commit", ("position",), "position"),
}
"""By the statement that writes them for one user."""


class Gathering:
    """The rows of users for whom nothing else is written."""

    def __init__(self, sql: Statements) -> None:
        self._sql = sql
        self._kinds = {sql[name]: kind for name, kind in _KINDS.items()}
        self._rows: dict[str, dict[tuple[int, Any], _Row]] = {}

    def take(self, owner: int, book: int, rest: Sequence[Sent]) -> bool:
        """Takes what is to be written for a user; False when it is not only of these kinds."""
        if not all(sent.sql in self._kinds for sent in rest):
            return False
        for sent in rest:
            kind = self._kinds[sent.sql]
            rows = self._rows.setdefault(kind.statement, {})
            for values in sent.rows:
                row = _given(kind.columns, values) | {"owner": owner, "book": book}
                rows[owner, row[kind.key]] = row  # the last word counts
        return True

    def write(self, connection: Connection, others: Sequence[Statement]) -> None:
        """Writes the rows, and runs `others` in the same round trip. Raises StorageFailed, also
        when a row is not of whom it is said to be."""
        ours = [(self._sql[name], (_as_json(rows.values()),)) for name, rows in self._rows.items()]
        answers = connection.together(*ours, *others) if ours or others else []
        for rows, answer in zip(self._rows.values(), answers, strict=False):
            if answer.touched != len(rows):
                raise StorageFailed("The tables of the index do not fit together.")


def _given(columns: Sequence[str], values: Any) -> _Row:
    """What is not there needs no words."""
    named = zip(columns, values, strict=True)
    return {name: value for name, value in named if value is not None}


def _as_json(rows: Iterable[_Row]) -> str:
    return orjson.dumps(list(rows), default=bytes.hex).decode()
