"""Strict text and JSON: what is accepted here can always be written, indexed and read again."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any, NoReturn, cast

import orjson

from palaver.errors import BadJson, BadText, BadValue

MAX_DEPTH = 32
_MAX_INT = 2**63 - 1


def check_text(text: str) -> str:
    """`text`, if it is valid Unicode without NUL. Raises BadText."""
    if "\0" in text:
        raise BadText("The text holds a NUL character.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadText("The text holds a lone surrogate.") from None
    return text


def check_value(value: object, depth: int = 0) -> None:
    """Raises BadText or BadValue unless `value` is JSON that survives every round trip."""
    if depth > MAX_DEPTH:
        raise BadValue(f"The value is nested more than {MAX_DEPTH} levels deep.")
    if isinstance(value, str):
        check_text(value)
    elif isinstance(value, dict):
        for key, item in cast("dict[object, object]", value).items():
            _check_key(key)
            check_value(item, depth + 1)
    elif isinstance(value, list | tuple):
        for item in cast("Sequence[object]", value):
            check_value(item, depth + 1)
    else:
        _check_scalar(value)


def _check_key(key: object) -> None:
    if not isinstance(key, str):
        raise BadValue("The keys of an object are strings.")
    check_text(key)


def _check_scalar(value: object) -> None:
    match value:
        case None | bool():
            pass
        case int():
            if abs(value) > _MAX_INT:
                raise BadValue("A number does not fit in 64 bits.")
        case float():
            if not math.isfinite(value):
                raise BadValue("NaN and Infinity are not JSON numbers.")
        case _:
            raise BadValue(f"{type(value).__name__} is not a JSON value.")


def dumps(value: object) -> bytes:
    """The bytes a line is made of: compact JSON in UTF-8."""
    return orjson.dumps(value)


def loads(raw: bytes) -> Any:
    """The value `raw` holds, read strictly. Raises BadJson, BadText or BadValue."""
    value = parse(raw)
    check_value(value)
    return value


def parse(raw: bytes) -> Any:
    """The value `raw` holds, if it is JSON, whatever its texts and numbers are. Raises BadJson or
    BadValue."""
    try:
        return json.loads(raw.decode(), object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise BadJson(f"The JSON cannot be read: {_reason(error)}.") from None
    except ValueError:
        raise BadValue("A number has too many digits.") from None


def _reason(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            return f"{error.msg[0].lower()}{error.msg[1:]} at character {error.pos}"
        case UnicodeDecodeError():
            return f"it is not UTF-8 at byte {error.start}"
        case _:
            return "it is nested too deeply"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BadJson("The JSON has an object with the same key twice.")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise BadJson(f"{name} is not a JSON number.")
