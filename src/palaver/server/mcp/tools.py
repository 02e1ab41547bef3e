"""Which of the tools a client may use, by its scopes."""

from __future__ import annotations

from collections.abc import Iterable

from palaver.agent.tools.table import QUOTED, TOOLS, RecallTool
from palaver.errors import Forbidden

INSTRUCTIONS = (
    "Palaver remembers everything that was said in the user's conversations. Search before you "
    f"say that something is not known. {QUOTED}"
)
_BY_NAME = {tool.name: tool for tool in TOOLS}


def offered(scopes: Iterable[str]) -> list[RecallTool]:
    """The tools that the scopes open."""
    held = frozenset(scopes)
    return [tool for tool in TOOLS if tool.scope in held]


def tool_named(name: str, scopes: Iterable[str]) -> RecallTool | None:
    """The tool, or None when there is none of that name. Raises Forbidden without its scope."""
    tool = _BY_NAME.get(name)
    if tool is not None and tool not in offered(scopes):
        raise Forbidden(
            f"{name} needs the scope {tool.scope}.",
            remedy=f"Start the server with it: `palaver mcp --scope {tool.scope}`.",
        )
    return tool
