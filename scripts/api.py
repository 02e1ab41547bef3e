"""The page about the REST API, from its OpenAPI description."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from json import dumps
from pathlib import Path
from typing import Any

from palaver.accounts import Accounts
from palaver.app import Palaver
from palaver.server import Address, create_app
from palaver.server.describing import describe
from palaver.server.libraries import Libraries
from palaver.server.problems import CODES

_FIRST_PROBLEM = 400
_JSON = "application/json"
_BOUNDS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "maxLength": "at most {} characters",
}

_API = """# REST API

A running server describes itself at `/openapi.json`; this page is made from that description.

A program sends a token as `Authorization: Bearer …`; `palaver tokens create` makes one. Each route
names the scope that the token needs. A body is one JSON object in UTF-8; a field that is not known
is refused. An error is an `application/problem+json` document with one of the codes in
[Errors](errors.md), and changes nothing.

What providers of [channels](../explanation/channels.md) call, at `/channels/NAME`, is described
here as well. It is open, and not for programs of yours: the call itself proves who it comes from.
"""


def api_page() -> str:
    """Each route with its scope, its parameters and its answers; then the shapes."""
    described = description()
    schemas: dict[str, Any] = described["components"]["schemas"]
    routes = [
        (path, method, route)
        for path, methods in described["paths"].items()
        for method, route in methods.items()
    ]
    return (
        _API
        + "".join(_route(method, path, route) for path, method, route in routes)
        + "\n## Shapes\n"
        + "".join(_shape(name, schema) for name, schema in sorted(schemas.items()))
    )


def description() -> dict[str, Any]:
    """How the server describes itself, as OpenAPI."""
    with tempfile.TemporaryDirectory() as folder:
        accounts = Accounts.in_file(Path(folder) / "accounts.db")
        try:
            palaver = Palaver.open(folder)
            return describe(
                create_app(
                    Libraries(palaver, lambda _: palaver),
                    accounts,
                    Address("127.0.0.1", 8420),
                )
            )
        finally:
            accounts.close()


def _route(method: str, path: str, route: dict[str, Any]) -> str:
    about = [route["summary"] + ".", route.get("description", "")]
    in_person = "; a signed-in browser needs none" if route.get("x-in-person") else ""
    facts = [f"Scope: `{route['x-scope']}`{in_person}.", *_body(route), *_answers(route)]
    return (
        f"\n## {method.upper()} {path}\n\n"
        + " ".join(part for part in about if part)
        + "\n\n"
        + "\n".join(f"- {fact}" for fact in facts)
        + "\n"
        + "".join(_parameters(route))
    )


def _parameters(route: dict[str, Any]) -> Iterator[str]:
    parameters = route.get("parameters", [])
    if parameters:
        yield "\n| parameter | in | type | default | meaning |\n|---|---|---|---|---|\n"
    for parameter in parameters:
        schema = parameter["schema"]
        kind = ", ".join((in_words(schema), *bounds(schema)))
        default = "needed" if parameter.get("required") else fallback(schema)
        meaning = cell(parameter.get("description", ""))
        yield f"| `{parameter['name']}` | {parameter['in']} | {kind} | {default} | {meaning} |\n"


def _body(route: dict[str, Any]) -> Iterator[str]:
    for content in route.get("requestBody", {}).get("content", {}).values():
        yield f"Body: {in_words(content['schema'])}."


def _answers(route: dict[str, Any]) -> Iterator[str]:
    problems: list[str] = []
    for status, answer in route["responses"].items():
        if int(status) >= _FIRST_PROBLEM:
            problems += [f"{status} `{code}`" for code in answer[CODES]]
            continue
        yield f"{status}: {', '.join(_contents(answer))}." if "content" in answer else f"{status}."
    if problems:
        yield f"Problems: {', '.join(problems)}."


def _contents(answer: dict[str, Any]) -> Iterator[str]:
    for kind, content in answer["content"].items():
        told = in_words(content.get("schema", {}))
        yield told if kind == _JSON else f"`{kind}`"


def _shape(name: str, schema: dict[str, Any]) -> str:
    rows = "".join(
        f"| `{field}` | {', '.join((in_words(about), *bounds(about)))} "
        f"| {cell(about.get('description', ''))} |\n"
        for field, about in schema.get("properties", {}).items()
    )
    about = cell(schema.get("description", ""))
    return f"\n### {name}\n\n{about}\n\n| field | type | meaning |\n|---|---|---|\n{rows}"


def in_words(schema: dict[str, Any]) -> str:
    """A schema in words."""
    if reference := schema.get("$ref"):
        name = str(reference).rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(in_words(option) for option in options)
    if values := schema.get("enum"):
        return " or ".join(f"`{value}`" for value in values)
    if "const" in schema:
        return f"`{schema['const']}`"
    if schema.get("type") == "array":
        return f"list of {in_words(schema.get('items', {}))}"
    return str(schema.get("type", "any"))


def bounds(schema: dict[str, Any]) -> Iterator[str]:
    """What else is asked of a value, in words."""
    for option in (schema, *schema.get("anyOf", ())):
        yield from (said.format(option[name]) for name, said in _BOUNDS.items() if name in option)


def fallback(schema: dict[str, Any]) -> str:
    """What holds where nothing is given."""
    found = schema.get("default")
    if found is None:
        return ""
    return f"`{found if isinstance(found, str) else dumps(found)}`"


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
