"""The reference pages say what the code says: everything in it, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS
from typer.core import TyperGroup

from palaver.accounts import SCOPES
from palaver.agent.tools.table import TOOLS
from palaver.cli.commands import app
from palaver.errors import PalaverError
from palaver.server.live.kinds import REQUESTS
from palaver.server.live.messages import MESSAGES
from palaver.server.live.socket import INTERNAL, SIGNED_OUT, STOPPING, TOO_SLOW, TRY_AGAIN
from palaver.server.mcp.route import MAX_BODY
from palaver.server.routes import ROUTERS
from palaver.server.socket_protocol import FLOODED
from palaver.settings import environment_name, known_settings
from scripts.reference import FOLDER, PAGES


@pytest.mark.parametrize("file", PAGES)
def test_pages_are_up_to_date(file: str) -> None:
    written = (FOLDER / file).read_text(encoding="utf-8")
    assert written == PAGES[file](), "run `python -m scripts.reference`"


def test_every_setting_is_described() -> None:
    page = read("settings.md")
    for key in known_settings():
        assert f"| `{key}` |" in page
        assert f"`{environment_name(key)}`" in page


def test_every_command_is_described() -> None:
    page = read("cli.md")
    root = typer.main.get_command(app)
    assert isinstance(root, TyperGroup)
    for name, command in root.commands.items():
        assert f"\n## palaver {name}\n" in page
        for below in command.commands if isinstance(command, TyperGroup) else ():
            assert f"\n## palaver {name} {below}\n" in page


def test_every_route_is_described() -> None:
    page = read("api.md")
    routes = [route for router in ROUTERS for route in router.routes]
    assert routes
    for route in routes:
        for method in getattr(route, "methods", ()):
            assert f"\n## {method} {getattr(route, 'path', '')}\n" in page


def test_every_message_of_the_websocket_is_described() -> None:
    page = read("websocket.md")
    for kind in (*MESSAGES, *REQUESTS):
        assert f"\n| `{kind}` |" in page
    for asked in REQUESTS.values():
        assert asked.scope in SCOPES
    for code in (FLOODED, STOPPING, TRY_AGAIN, INTERNAL, SIGNED_OUT, TOO_SLOW):
        assert f"\n| {code} |" in page


def test_every_tool_is_described_with_its_scope() -> None:
    page = read("mcp.md")
    for tool in TOOLS:
        assert tool.scope in SCOPES
        assert f"| [`{tool.name}`](#{tool.name}) | `{tool.scope}` |" in page
        for field in (*tool.takes.model_fields.values(), *tool.gives.model_fields.values()):
            assert f"\n| `{field.alias}` |" in page
    first, *_, last = KNOWN_PROTOCOL_VERSIONS
    assert f"from {first} to {last}" in page
    assert f"more than {MAX_BODY >> 20} MiB" in page


def test_every_error_is_described() -> None:
    page = read("errors.md")
    found = errors(PalaverError)
    assert len(found) > 20
    for kind in found:
        assert f"| `{kind.code}` | `{kind.__name__}` |" in page
        assert kind.remedy


def errors(kind: type[PalaverError]) -> list[type[PalaverError]]:
    below = [kind for kind in kind.__subclasses__() if kind.__module__ == "palaver.errors"]
    return [kind, *(found for one in below for found in errors(one))]


def read(file: str) -> str:
    return Path(FOLDER / file).read_text(encoding="utf-8")
