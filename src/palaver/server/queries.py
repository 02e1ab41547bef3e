"""Queries: what may stand behind the `?`. A parameter that is not known is refused.

To ignore one would be to do something else than was asked, for good when it is an erasure.
"""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from urllib.parse import unquote_to_bytes

from fastapi.dependencies.models import Dependant
from starlette.requests import HTTPConnection

from palaver.errors import BadText, BadValue


def parameters(dependant: Dependant) -> list[str]:
    """The names that a route takes, itself or by what it depends on."""
    own = [field.alias for field in dependant.query_params]
    return own + [name for inner in dependant.dependencies for name in parameters(inner)]


def check_query(request: HTTPConnection, known: list[str]) -> None:
    """Raises BadText unless it is UTF-8, and BadValue for a name unknown or given twice."""
    _check_encoding(request.scope["query_string"])
    given = Counter(name for name, _ in request.query_params.multi_items())
    for name, times in given.items():
        if name not in known:
            raise BadValue(f"There is no parameter {name[:80]!r}.", remedy=_remedy(name, known))
        if times > 1:
            raise BadValue(f"{name} is given {times} times.", remedy="Give it once.")


def _check_encoding(query: bytes) -> None:
    try:
        unquote_to_bytes(query).decode()
    except UnicodeDecodeError:
        raise BadText("The query is not valid UTF-8.") from None


def _remedy(name: str, known: list[str]) -> str:
    if near := get_close_matches(name, known, n=1):
        return f"Did you mean {near[0]}?"
    return f"Use any of {', '.join(known)}." if known else "Leave it out; none is taken here."
