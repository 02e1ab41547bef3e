"""Reading the fields of lines that anybody may have written.

What has the wrong type is read as if it were not there, so that every line that is stored can also
be indexed. JSON is kept as text.
"""

from __future__ import annotations

import math
import re
from datetime import datetime
from functools import lru_cache
from typing import Any, cast

import orjson

from palaver.errors import BadValue
from palaver.ledger.lines import sources_of
from palaver.times import iso, parse

EPOCH = "1970-01-01T00:00:00.000Z"
"""When something was said if nothing says when."""
OFFLINE = "offline"
"""The model's name on the replies of the offline assistant."""
MOST_UNTOLD = 50
"""No more messages of a day are counted of which no summary tells."""

_ISO = re.compile(
    r"\d{4}-(?:0\d|1[012])-[0-3]\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z", re.ASCII
).fullmatch
_DIGEST = re.compile(r"[0-9a-f]{32}")
_MOST = 2**31
_AUTHORS = ("owner", "assistant", "participant", "system")


def text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def moment(value: object) -> str | None:
    """A point in time as `palaver.times.iso` writes it, so that times compare as texts."""
    if not isinstance(value, str):
        return None
    if _ISO(value):
        return value
    try:
        return iso(parse(value))
    except (BadValue, OverflowError):
        return None


def milliseconds(moment: str) -> int:
    """A point in time as rows hold it, in milliseconds since 1970; 0 for a day that never was."""
    try:
        return round(datetime.fromisoformat(moment).timestamp() * 1000)
    except ValueError:  # 30 February
        return 0


def is_echo(role: str, model: str | None) -> bool:
    """Whether a message is a reply of the offline assistant: these repeat what was said before."""
    return role == "assistant" and model == OFFLINE


def count(value: object) -> int | None:
    """A number of turns or of lines."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST:
        return value
    return None


def number(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    return None


def digests(value: object) -> list[str]:
    """The digests of keys in a list."""
    if not isinstance(value, list):
        return []
    return [
        item
        for item in cast("list[object]", value)
        if isinstance(item, str) and _DIGEST.fullmatch(item)
    ]


def objects(value: object) -> list[dict[str, Any]]:
    """The objects in a list."""
    if not isinstance(value, list):
        return []
    return [item for item in cast("list[dict[str, Any]]", value) if isinstance(item, dict)]  # pyright: ignore[reportUnnecessaryIsInstance]


def flag(value: object) -> int:
    return int(value is True)


def json(value: object) -> str | None:
    """Any JSON value, as text."""
    if value is None:
        return None
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        return None


def json_object(value: object) -> str | None:
    return json(cast("object", value)) if isinstance(value, dict) else None


def json_list(value: object) -> str | None:
    return json(cast("object", value)) if isinstance(value, list) else None


def json_objects(value: object) -> str | None:
    """A list of objects; what is not an object is left out of it."""
    return json(objects(cast("object", value))) if isinstance(value, list) else None


def json_texts(value: object) -> str | None:
    """A list of texts; what is not a text is left out of it."""
    if not isinstance(value, list):
        return None
    return json([item for item in cast("list[object]", value) if isinstance(item, str)])


def json_author(value: object) -> str | None:
    if not isinstance(value, dict):
        return None
    author = cast("dict[str, object]", value)
    kind = author.get("kind")
    if kind not in _AUTHORS:
        return None
    return _json_author(str(kind), text(author.get("id")), text(author.get("grade")))


@lru_cache(256)
def _json_author(kind: str, identity: str | None, grade: str | None) -> str | None:
    return json({"kind": kind, "id": identity, "grade": grade})


def json_sources(value: object) -> str | None:
    found = [
        {"messageId": source["messageId"], "quote": text(source.get("quote"))}
        for source in sources_of({"sources": value})
    ]
    return json(found) if found else None
