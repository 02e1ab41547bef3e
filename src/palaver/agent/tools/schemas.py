"""Shapes as clients see them (JSON Schema), and calls held against them."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar, cast

from pydantic import ValidationError
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails

from palaver.agent.tools.shapes import Arguments
from palaver.errors import BadValue
from palaver.index.records import Json, Record

A = TypeVar("A", bound=Arguments)

_EXPECTED = {
    "missing": "is missing",
    "string_type": "must be a string",
    "string_too_long": "must have at most {max_length} characters",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "model_type": "must be an object",
}


def checked(kind: type[A], tool: str, given: Json) -> A:
    """`given` as the arguments of `tool`. Raises BadValue."""
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise BadValue(
            _sentence(first, tool), remedy=f"{tool} takes {', '.join(_names(kind))}."
        ) from None


def _sentence(error: ErrorDetails, tool: str) -> str:
    """What is wrong with which argument; never what was in it."""
    name = ".".join(str(part) for part in error["loc"])[:80]
    if error["type"] == "extra_forbidden":
        return f"{name!r} is not an argument of {tool}."
    expected = _EXPECTED.get(error["type"], "is not valid")
    return f"{name} {expected.format(**error.get('ctx', {}))}."


def _names(kind: type[Arguments]) -> list[str]:
    return [field.alias or to_camel(name) for name, field in kind.model_fields.items()]


@cache
def schema_of(kind: type[Record]) -> Json:
    """The JSON Schema of a shape in one piece: some clients do not follow references. It is made
    once, and nobody changes it."""
    mode = "validation" if issubclass(kind, Arguments) else "serialization"
    schema = kind.model_json_schema(by_alias=True, mode=mode)
    parts = schema.pop("$defs", {})
    del schema["description"]  # a tool is described once, by itself
    return _in_one_piece(schema, parts)


def _in_one_piece(schema: Any, parts: Json) -> Any:
    if isinstance(schema, list):
        return [_in_one_piece(one, parts) for one in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    node = cast("Json", schema)
    if "$ref" in node:
        node = {**parts[node["$ref"].rpartition("/")[2]], **node}
    return {
        name: _in_one_piece(value, parts)
        for name, value in node.items()
        if name != "$ref" and not (name == "title" and isinstance(value, str))
    }
