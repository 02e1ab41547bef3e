"""The shapes of the REST API as TypeScript, for the page: from the OpenAPI description."""

from __future__ import annotations

import json
import re
from typing import Any

from scripts.api import description

_HEAD = "// Made by `python -m scripts.reference` from the API's description. Do not edit.\n"
_PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
_NAME = re.compile(r"[A-Za-z_$][\w$]*")


def shapes_module() -> str:
    """One exported type for each shape."""
    schemas: dict[str, Any] = description()["components"]["schemas"]
    return _HEAD + "".join(_declaration(name, schemas[name]) for name in sorted(schemas))


def _declaration(name: str, schema: dict[str, Any]) -> str:
    about = schema.get("description", "").partition("\n")[0]
    said = f"/** {about} */\n" if about else ""
    if "properties" not in schema:
        return f"\n{said}export type {name} = {_type(schema)};\n"
    return f"\n{said}export interface {name} {_fields(schema)}\n"


def _fields(schema: dict[str, Any]) -> str:
    required = schema.get("required", ())
    fields = (
        f"  {field if _NAME.fullmatch(field) else repr(field)}"
        f"{'' if field in required else '?'}: {_type(kind)};\n"
        for field, kind in schema["properties"].items()
    )
    return "{\n" + "".join(fields) + "}"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema or "enum" in schema:
        values = schema["enum"] if "enum" in schema else [schema["const"]]
        return " | ".join(_literal(value) for value in values)
    for several in ("anyOf", "oneOf"):
        if several in schema and "type" not in schema:
            return " | ".join(dict.fromkeys(_type(one) for one in schema[several]))
    kind = schema.get("type")
    if kind == "array":
        item = _type(schema.get("items", {}))
        return f"({item})[]" if " " in item else f"{item}[]"
    if kind == "object" or "additionalProperties" in schema:
        inside: dict[str, Any] | bool = schema.get("additionalProperties", True)
        return f"Record<string, {'unknown' if isinstance(inside, bool) else _type(inside)}>"
    return _PLAIN.get(str(kind), "unknown")


def _literal(value: object) -> str:
    return json.dumps(value)
