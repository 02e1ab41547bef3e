"""From the table to tools of the agent: what a model reads, and what is kept of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from palaver.agent.toolbox import Caller, Output, Tool
from palaver.agent.tools.open_loops import open_loops_tool
from palaver.agent.tools.past import Openings, Past
from palaver.agent.tools.schemas import checked, schema_of
from palaver.agent.tools.shapes import Answer
from palaver.agent.tools.table import TOOLS, RecallTool
from palaver.agent.tools.wording import as_text
from palaver.index.records import Json, Source


def recall_tools(past: Past, openings: Openings | None = None) -> list[Tool]:
    """The tools for looking back; `open_loops` only where somebody knows what is open."""
    known = (*TOOLS, open_loops_tool(openings)) if openings else TOOLS
    return [_tool(one, past) for one in known]


def _tool(one: RecallTool, past: Past) -> Tool:
    return Tool(
        name=one.name,
        description=one.description,
        schema=schema_of(one.takes),
        run=_running(one, past),
        effect=one.effect,
        scope=one.scope,
        main_only=True,
        repeatable=one.repeatable,
        withheld=one.withheld,
    )


def _running(one: RecallTool, past: Past) -> Callable[[Json, Caller], Awaitable[Output]]:
    async def run(given: Json, caller: Caller) -> Output:
        then = replace(
            past,
            before=caller.asked,
            conversation_id=caller.conversation_id,
            message_id=caller.message_id,
        )
        return output_of(await one.work(then, checked(one.takes, one.name, given)))

    return run


def output_of(answer: Answer) -> Output:
    """What a tool gives, and the messages that it shows."""
    sources = [Source(message_id=one) for one in dict.fromkeys(answer.shown())]
    return Output(as_text(answer.to_json()), answer.kept(), sources, recalled=True)
