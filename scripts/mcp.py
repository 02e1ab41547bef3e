"""The page about the tools that agents elsewhere are given, from the table of the tools."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from palaver.agent.tools.schemas import schema_of
from palaver.agent.tools.table import QUOTED, TOOLS, RecallTool
from scripts.api import bounds, cell, fallback, in_words
from scripts.parts import renewed

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "mcp.md"


def mcp_page() -> str:
    """Each tool with its scope, what it takes and what it gives."""
    parts = {"tools": "".join(_listed()), "shapes": "".join(_told(tool) for tool in TOOLS)}
    return renewed(PAGE.read_text(encoding="utf-8"), parts)


def _listed() -> Iterator[str]:
    yield "| tool | scope | effect | counted as a search |\n|---|---|---|---|\n"
    for tool in TOOLS:
        counted = "yes" if tool.searches else "no"
        effect = f"{tool.effect}s"
        yield f"| [`{tool.name}`](#{tool.name}) | `{tool.scope}` | {effect} | {counted} |\n"


def _told(tool: RecallTool) -> str:
    about = tool.description.removesuffix(QUOTED).strip()
    taken, given = schema_of(tool.takes), schema_of(tool.gives)
    return (
        f"### {tool.name}\n\n{about}\n\n"
        "| argument | type | default | meaning |\n|---|---|---|---|\n"
        + "".join(_arguments(taken))
        + "\n| answer | type | meaning |\n|---|---|---|\n"
        + "".join(_fields(given))
        + "\n"
    )


def _arguments(schema: dict[str, Any], above: str = "") -> Iterator[str]:
    for name, about in schema["properties"].items():
        needed = name in schema.get("required", ())
        kind = ", ".join((in_words(about), *bounds(about)))
        default = "needed" if needed else fallback(about)
        yield f"| `{above}{name}` | {kind} | {default} | {_meaning(about)} |\n"
        for inner in _objects(about):
            yield from _arguments(inner, f"{above}{name}.")


def _fields(schema: dict[str, Any], above: str = "") -> Iterator[str]:
    for name, about in schema["properties"].items():
        yield f"| `{above}{name}` | {in_words(about)} | {_meaning(about)} |\n"
        for inner in _objects(about):
            yield from _fields(inner, f"{above}{name}.")
        for inner in _objects(about.get("items", {})):
            yield from _fields(inner, f"{above}{name}[].")


def _objects(about: dict[str, Any]) -> list[dict[str, Any]]:
    """The shapes of objects that may stand there."""
    return [option for option in (about, *about.get("anyOf", ())) if "properties" in option]


def _meaning(about: dict[str, Any]) -> str:
    return cell(about.get("description", ""))
