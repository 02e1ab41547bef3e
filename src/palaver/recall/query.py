"""Queries: what can be searched for, and the terms to search by."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.errors import BadValue
from palaver.ledger.strict import check_text
from palaver.text import Term, query_terms


def check_query(query: str) -> str:
    """`query`, if there is a word in it. Raises BadText, BadValue."""
    if not query_terms(check_text(query), ()):
        raise BadValue(
            "There is no word in that search.",
            remedy="Search for at least one word, number or emoji.",
        )
    return query


def search_terms(query: str, languages: Sequence[str], *, timed: bool) -> list[Term]:
    """The terms to search by in texts of `languages`.

    Of a query that names a time, what is left over may be stop words only ("what did we do"):
    these ask for nothing in particular, and there is no term.
    """
    return query_terms(query, languages, telling=timed)
