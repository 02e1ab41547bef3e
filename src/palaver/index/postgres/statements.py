"""The statements of the index in PostgreSQL, for the live book and for the others of a user."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

from palaver.sql import statements
from palaver.text import ANALYSER_VERSION, PIECES_VERSION

_SCHEMA = 8
VERSION = f"{_SCHEMA}_{ANALYSER_VERSION}_{PIECES_VERSION}"
"""Nodes of another version have tables of their own."""
LIVE, NEW, OLD = "book()", "new_book()", "old_book()"
"""The book that answers, the one that a rebuild fills, one that was replaced."""


class Dialect:
    """The statements of one version."""

    def __init__(self, version: str = VERSION) -> None:
        self.version = version
        self.schema = f"palaver_{version}"
        """The name of the schema in which the tables are."""
        given = statements(__package__ or "", "queries.sql")
        self.live = self._of(given, LIVE)
        self.new = self._of(given, NEW)
        self.old = self._of(given, OLD)
        made = (files(__package__ or "") / "schema.sql").read_text(encoding="utf-8")
        self.tables = self._named(made)

    def _of(self, given: Mapping[str, str], book: str) -> Mapping[str, str]:
        return {
            name: self._named(text.replace(f"palaver_n.{LIVE}", f"palaver_n.{book}"))
            for name, text in given.items()
        }

    def _named(self, text: str) -> str:
        return text.replace("palaver_n.", f"{self.schema}.").replace(
            "SCHEMA palaver_n;", f"SCHEMA {self.schema};"
        )
