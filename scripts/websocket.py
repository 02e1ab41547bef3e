"""The page about the WebSocket, with the tables of its messages and requests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from palaver.server.live.kinds import REQUESTS
from palaver.server.live.messages import MESSAGES
from scripts.api import bounds, cell, in_words
from scripts.parts import renewed

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "websocket.md"
_EVERYWHERE = ("type", "requestId")
"""What is told once, before the tables."""


def websocket_page() -> str:
    """Each message that goes out, and each request with its scope."""
    parts = {"messages": "".join(_messages()), "requests": "".join(_requests())}
    return renewed(PAGE.read_text(encoding="utf-8"), parts)


def _messages() -> Iterator[str]:
    yield "| type | fields | when |\n|---|---|---|\n"
    for name, kind in MESSAGES.items():
        schema = kind.model_json_schema(by_alias=True, mode="serialization")
        yield f"| `{name}` | {_fields(schema)} | {_about(kind)} |\n"


def _requests() -> Iterator[str]:
    yield "| type | fields | scope | spends | meaning |\n|---|---|---|---|---|\n"
    for name, kind in REQUESTS.items():
        fields = _fields(kind.model.model_json_schema(by_alias=True), tells_needed=True)
        spends = f"`{kind.spends}`" if kind.spends else ""
        yield f"| `{name}` | {fields} | `{kind.scope}` | {spends} | {_about(kind.model)} |\n"


def _fields(schema: dict[str, Any], *, tells_needed: bool = False) -> str:
    needed = schema.get("required", ()) if tells_needed else ()
    return "; ".join(
        f"`{name}`: {_kind(about)}" + (", needed" if name in needed else "")
        for name, about in schema.get("properties", {}).items()
        if name not in _EVERYWHERE
    )


def _kind(about: dict[str, Any]) -> str:
    """Shapes that have a name are described with the REST API."""
    return ", ".join((in_words(about), *bounds(about))).replace("](#", "](api.md#")


def _about(kind: type[BaseModel]) -> str:
    return cell((kind.__doc__ or "").partition("\n\n")[0])
