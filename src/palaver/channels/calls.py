"""Calls: what a provider tells, read strictly and taken apart without surprises.

A signature says who wrote the JSON, not that it has the shape which is documented: whatever is not
there, or is of another kind, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import cast

from palaver.errors import BadJson, BadValue
from palaver.index.records import Json
from palaver.ledger.strict import MAX_DEPTH, parse
from palaver.text.fitting import fit
from palaver.text.quoting import quoted

MOST_BYTES = 4 << 20
"""WhatsApp promises that no call has more than 3 MB."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_ID = re.compile(r"[!-~]{1,200}")
_NUMBER = re.compile(r"-?[0-9]{1,18}")
_MOST = 10**18
_LONGEST_NAME = 100
_LONGEST_SENTENCE = 300


def object_in(body: bytes) -> Json:
    """The object that `body` is. Raises BadJson."""
    if len(body) > MOST_BYTES:
        raise BadJson(f"The call has more than {MOST_BYTES >> 20} MiB.")
    try:
        return fitted(parse(body))
    except BadValue as error:
        raise BadJson(error.message) from None


def fitted(given: object) -> Json:
    """An object with a replacement sign for what can never be stored of its texts: a message with
    such a character must not keep others from coming. Raises BadJson."""
    found = _fitted(given)
    if not isinstance(found, dict):
        raise BadJson("A call is one JSON object.")
    return cast("Json", found)


def _fitted(value: object, depth: int = 0) -> object:
    if depth > MAX_DEPTH:
        raise BadJson(f"The JSON is nested more than {MAX_DEPTH} levels deep.")
    if isinstance(value, str):
        return fit(value)
    if isinstance(value, list):
        return [_fitted(one, depth + 1) for one in cast("list[object]", value)]
    if isinstance(value, dict):
        pairs = cast("dict[str, object]", value).items()
        return {fit(name): _fitted(one, depth + 1) for name, one in pairs}
    return value


def inner(given: Json, *names: str) -> Json:
    """The object of that name, or below these names; an empty one if there is none."""
    for name in names:
        found = given.get(name)
        given = cast("Json", found) if isinstance(found, dict) else {}
    return given


def each(given: Json, name: str) -> Iterator[Json]:
    """The objects in the list of that name."""
    found = given.get(name)
    for one in cast("list[object]", found) if isinstance(found, list) else ():
        if isinstance(one, dict):
            yield cast("Json", one)


def text(given: Json, name: str) -> str:
    found = given.get(name)
    return found if isinstance(found, str) else ""


def label(given: Json, name: str, most: int = _LONGEST_NAME) -> str:
    """A text that is shown in a line with others: a name, a title."""
    return one_line(text(given, name), most)


def one_line(words: str, most: int = _LONGEST_SENTENCE) -> str:
    return " ".join(_CONTROL.sub(" ", words).split())[:most]


def coordinates(given: Json) -> str:
    """A place on earth; an empty text if it is none."""
    found = [given.get(name) for name in ("latitude", "longitude")]
    numbers = [one for one in found if isinstance(one, float | int) and -180 <= one <= 180]
    return ", ".join(str(round(one, 6)) for one in numbers) if len(numbers) == 2 else ""


def id_of(given: Json, name: str) -> str:
    """An id of the provider's; an empty text if it can be none."""
    found = text(given, name)
    return found if _ID.fullmatch(found) else ""


def number(given: Json, name: str) -> int | None:
    """A whole number; some providers write it as a text."""
    found = given.get(name)
    if isinstance(found, str) and _NUMBER.fullmatch(found):
        return int(found)
    if isinstance(found, int) and not isinstance(found, bool) and abs(found) < _MOST:
        return found
    return None


def moment(given: Json, name: str) -> datetime | None:
    """A time in seconds since 1970."""
    seconds = number(given, name)
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        return None


def placeholder(kind: str, *about: str) -> str:
    """What stands for something that is no text."""
    said = ", ".join(one for one in about if one)
    return f"[{kind}: {said}]" if said else f"[{kind}]"


def forwarded(words: str, whose: str = "") -> str:
    """Words that somebody passed on: they are others', and stay a quotation."""
    return f"[Forwarded{f' from {whose}' if whose else ''}]\n{quoted(words)}"
