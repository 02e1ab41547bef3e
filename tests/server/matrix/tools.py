"""Every tool of the Model Context Protocol."""

from __future__ import annotations

from typing import Any

from palaver.agent.tools.schemas import schema_of
from palaver.agent.tools.table import TOOLS, RecallTool
from palaver.app import Palaver
from tests.server.matrix.judging import Answer, Judge
from tests.server.matrix.people import CANARY, Ids
from tests.server.matrix.positions import KINDS, Json, Unprobed, ids_in, put
from tests.server.mcp.agents import Agent, beside, text_of

SAMPLES: dict[str, Json] = {
    "search_conversations": {"query": CANARY},
    "fetch_context": {},
}
"""What a tool needs beside ids."""


def paths(tool: RecallTool) -> list[tuple[str, ...]]:
    """Every id that a tool takes. Raises Unprobed."""
    if tool.name not in SAMPLES:
        raise Unprobed(f"Nobody has looked at the tool {tool.name}.")
    schema = schema_of(tool.takes)
    return list(dict.fromkeys(ids_in(schema, schema)))


async def every(palaver: Palaver, judge: Judge, theirs: list[Ids]) -> None:
    """Calls them as somebody to whom `palaver` belongs; with the scope, and without."""
    for scopes in (("recall",), ("read",)):
        async with beside(palaver, *scopes) as agent:
            for tool in TOOLS:
                for ids in theirs:
                    await _compare(agent, judge, tool, ids)


async def _compare(agent: Agent, judge: Judge, tool: RecallTool, ids: Ids) -> None:
    got, absent = [await _called(agent, tool, one) for one in (ids, ids.absent)]
    judge.same(f"{tool.name}", got, absent, ids)


async def _called(agent: Agent, tool: RecallTool, ids: Ids) -> Answer:
    given: dict[str, Any] = dict(SAMPLES[tool.name])
    for path in paths(tool):
        put(given, path, ids.at(tool.name, KINDS[path[-1]]))
    result = await agent.client.call_tool(tool.name, given)
    return Answer(404 if result.is_error else 200, (), text_of(result))
