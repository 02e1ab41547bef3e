"""The statements of the index, for the live tables and for the other sets of the same tables."""

from __future__ import annotations

from collections.abc import Mapping

from palaver.sql import statements

LIVE, NEW, OLD = "", "new_", "old_"
"""The sets of tables: those that answer, those that a rebuild fills, those it has replaced."""


def _for_each_set(given: Mapping[str, str]) -> dict[str, Mapping[str, str]]:
    """A table's name stands in brackets; there it gets the prefix of its set."""
    return {
        prefix: {name: text.replace("[", f"[{prefix}") for name, text in given.items()}
        for prefix in (LIVE, NEW, OLD)
    }


SCHEMAS = _for_each_set(statements(__package__ or "", "schema.sql"))
QUERIES_OF = _for_each_set(statements(__package__ or "", "queries.sql"))
SCHEMA = SCHEMAS[LIVE]
QUERIES = QUERIES_OF[LIVE]
