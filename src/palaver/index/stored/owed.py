"""What conversations are owed, and what they are called: for whoever digests them.

Everything here happens inside a transaction that the caller has begun.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import orjson

from palaver.index.connection import Connection, Statements
from palaver.index.port import After, Owed, OwedFilter
from palaver.index.rows import to_owed
from palaver.index.stored.places import read_conversation

_AT_THE_BOTTOM = After("", "")


def read_owed(
    database: Connection, sql: Statements, wanted: OwedFilter, after: After | None, limit: int
) -> list[Owed]:
    """What conversations are owed, in the order (heard, id). Raises Unusable."""
    rows = database.all(sql["owed"], owed_values(wanted, after, limit))
    return [to_owed(read_conversation(row)) for row in rows]


def owed_values(wanted: OwedFilter, after: After | None, limit: int) -> Mapping[str, Any]:
    """What a statement is told that asks for what is owed."""
    start = after or _AT_THE_BOTTOM
    return asdict(wanted) | {"heard": start.updated, "id": start.id, "limit": limit}


def read_titles(database: Connection, sql: Statements, wanted: Sequence[str]) -> set[str]:
    """Those of some titles that conversations have, whatever the case of their letters."""
    folded = {title: title.casefold() for title in wanted}
    asked = {"titles": orjson.dumps(sorted({*folded.values()})).decode()}
    found = {title for (title,) in database.all(sql["titles"], asked)}
    return {title for title in wanted if folded[title] in found}
