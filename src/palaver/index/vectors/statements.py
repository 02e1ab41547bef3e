"""The statements of the file of vectors."""

from __future__ import annotations

import json
from collections.abc import Iterable

from palaver.sql import statements

SCHEMA = statements(__package__ or "", "schema.sql")
QUERIES = statements(__package__ or "", "queries.sql")


def among(numbers: Iterable[int]) -> str:
    """The value for `json_each(?)`: any count of numbers, in order, so that pages are read once."""
    return json.dumps(sorted(set(numbers)))
