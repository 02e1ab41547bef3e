"""The protocol: which tools a client is shown, and what happens when it calls one."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.metadata import version
from typing import Any

from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    Tool,
    ToolAnnotations,
)

from palaver.agent.tools.past import Past
from palaver.agent.tools.schemas import checked, schema_of
from palaver.agent.tools.table import RecallTool
from palaver.app import Palaver
from palaver.errors import PalaverError
from palaver.server.mcp.answers import answer, failure, unforeseen
from palaver.server.mcp.tools import INSTRUCTIONS, Access

Context = ServerRequestContext[Any, Any]
_LONGEST = 80
"""So many characters of an agent's name are kept."""


def create_server(palaver: Palaver, access: Access) -> Server[Any]:
    """A server of what one user has said, with the tools that `access` opens."""
    past = Past(palaver, palaver.zone)
    shown = ListToolsResult(tools=[_described(tool) for tool in access.offered()])

    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return shown

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        return await _called(replace(past, by=_name_of(context)), access, params)

    server = Server[Any](
        "palaver",
        title="Palaver",
        version=version("palaver"),
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware.clear()  # it reports calls to whatever telemetry the environment names
    return server


def _name_of(context: Context) -> str:
    """What an agent calls itself, told apart from the owner and from models."""
    known = context.session.client_params
    return f"mcp:{' '.join(known.client_info.name.split())[:_LONGEST]}" if known else "mcp"


@cache
def _described(tool: RecallTool) -> Tool:
    return Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=schema_of(tool.takes),
        output_schema=schema_of(tool.gives),
        annotations=_hints(tool),
    )


def _hints(tool: RecallTool) -> ToolAnnotations:
    if tool.effect == "read":
        return ToolAnnotations(read_only_hint=True, open_world_hint=False)
    return ToolAnnotations(
        read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )


async def _called(past: Past, access: Access, params: CallToolRequestParams) -> CallToolResult:
    """Does what was asked; every error but a wrong name is a result the model can read."""
    try:
        tool = access.tool(params.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, f"There is no tool {params.name[:80]!r}.")
        arguments = checked(tool.takes, tool.name, params.arguments or {})
        if tool.searches:
            access.search()
        return answer(await tool.work(past, arguments))
    except PalaverError as error:
        return failure(error)
    except MCPError:
        raise
    except Exception as error:  # noqa: BLE001 - nobody above could say it better
        return unforeseen(error)
