"""Describing: the API as OpenAPI, good enough to make a client from.

It is made from the routes and the shapes. What a field means stands behind it, as a docstring; what
the same word means everywhere stands in the glossary, and examples stand in a table of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from palaver.server import problems
from palaver.server.example_answers import answers
from palaver.server.examples import PLACES, REQUESTS
from palaver.server.glossary import TAGS, explain
from palaver.server.links import link
from palaver.server.steps import EVENTS

_ABOUT = (
    "Everything that was said, and a way to go on. JSON is camelCase, times are UTC, lists go on "
    "with `cursor` → `nextCursor`, and every error is a problem document with a stable `code`. "
    "`x-scope` names the scope a token needs, `x-codes` the codes that a problem can have. Answers "
    "may get more fields: pass over those you do not know. A method that an address does not take "
    "is answered with 405 `bad_method`, and `Allow` names those it takes."
)
_SCHEMAS = "#/components/schemas/"
Json = dict[str, Any]


def describe(app: FastAPI) -> Json:
    """The OpenAPI description of every route of the API."""
    if app.openapi_schema is None:
        app.openapi_schema = _made(app)
    return app.openapi_schema


def _made(app: FastAPI) -> Json:
    address = app.state.entry.address
    found = get_openapi(
        title="Palaver",
        version=version("palaver"),
        description=_ABOUT,
        routes=app.routes,
        tags=[{"name": name, "description": about} for name, about in TAGS.items()],
        servers=[{"url": address.url, "description": "This server."}],
    )
    components: Json = found.setdefault("components", {})
    components["schemas"] |= _further_schemas()
    components["securitySchemes"] = _security(address.cookie)
    found["security"] = [{"token": []}, {"browser": []}]
    for schema in components["schemas"].values():
        _untitle(schema.get("properties", {}))
    explain(components["schemas"])
    for operation in _operations(found):
        _finish(operation, components["schemas"])
    link(found)
    _prune(found)
    _exemplify(components["schemas"])
    return found


def _further_schemas() -> Json:
    """Shapes that no route names: problems, and what comes with each event of a stream."""
    kinds = [problems.Problem, *EVENTS.values()]
    _, made = models_json_schema(
        [(kind, "serialization") for kind in kinds], ref_template=f"{_SCHEMAS}{{model}}"
    )
    return made["$defs"]


def _security(cookie: str) -> Json:
    return {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "A token, as `palaver tokens create` makes it.",
        },
        "browser": {
            "type": "apiKey",
            "in": "cookie",
            "name": cookie,
            "description": "The cookie of a browser that is signed in. A request that changes "
            "something must also name its `Origin`.",
        },
    }


def _operations(found: Json) -> Iterator[Json]:
    for methods in found["paths"].values():
        yield from methods.values()


def _finish(operation: Json, schemas: Json) -> None:
    for parameter in operation.get("parameters", ()):
        parameter["schema"] = _given(parameter["schema"])
        if example := PLACES.get(parameter["name"]):
            parameter.setdefault("example", example)
    for answer in operation["responses"].values():
        for content in answer.get("content", {}).values():
            name = content.get("schema", {}).get("$ref", "").removeprefix(_SCHEMAS)
            if schemas.get(name, {}).get("description") and answer["description"] == _DEFAULT:
                answer["description"] = schemas[name]["description"]


_DEFAULT = "Successful Response"


def _given(schema: Json) -> Json:
    """The schema of a parameter, which is there or is not, but is never null."""
    schema = {name: value for name, value in schema.items() if name not in ("title", "description")}
    options = [one for one in schema.pop("anyOf", ()) if one != {"type": "null"}]
    return {**options[0], **schema} if len(options) == 1 else schema | _any_of(options)


def _any_of(options: list[Json]) -> Json:
    return {"anyOf": options} if options else {}


def _untitle(properties: Json) -> None:
    """Titles made from the names of the fields say nothing."""
    for field in properties.values():
        if isinstance(field.get("title"), str):
            del field["title"]


def _prune(found: Json) -> None:
    """Takes away the shapes that nothing names: some belong to fields that stay inside."""
    schemas: Json = found["components"]["schemas"]
    reached: set[str] = set()
    waiting = set(_references(found["paths"]))
    while waiting:
        name = waiting.pop()
        reached.add(name)
        waiting |= set(_references(schemas[name])) - reached
    for name in set(schemas) - reached:
        del schemas[name]


def _references(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        node = cast("Json", value)
        if isinstance(target := node.get("$ref"), str):
            yield target.removeprefix(_SCHEMAS)
        for inner in node.values():
            yield from _references(inner)
    elif isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from _references(inner)


def _exemplify(schemas: Json) -> None:
    for name, examples in (REQUESTS | answers()).items():
        schemas[name].setdefault("examples", examples)
