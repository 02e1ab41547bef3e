"""From a packet to what a provider's library takes: the same words, in the same order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, takewhile

from pydantic_ai.messages import (
    InstructionPart,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from palaver.agent.language import Request, ToolSpec
from palaver.agent.models.former import in_words
from palaver.index.records import Json

_OPENED = "[The assistant wrote first.]"
"""Providers want the user to begin."""


def parameters(request: Request) -> ModelRequestParameters:
    """The tools, and the sections of the packet that stand before the conversation."""
    return ModelRequestParameters(
        function_tools=[_tool(spec) for spec in request.tools],
        instruction_parts=[
            InstructionPart(content=str(message["content"]), dynamic=True)
            for message in _sections(request.packet.messages)
        ],
    )


def opening(request: Request) -> list[ModelMessage]:
    """The system prompt, then the conversation."""
    messages = request.packet.messages[len(_sections(request.packet.messages)) :]
    said = list(_turns(in_words(messages, {spec.name for spec in request.tools})))
    if not said or isinstance(said[0], ModelResponse):
        said.insert(0, ModelRequest(parts=[UserPromptPart(_OPENED)]))
    if request.system and isinstance(said[0], ModelRequest):
        said[0] = ModelRequest(parts=[SystemPromptPart(request.system), *said[0].parts])
    return said


def _tool(spec: ToolSpec) -> ToolDefinition:
    return ToolDefinition(
        name=spec.name, description=spec.description, parameters_json_schema=spec.schema
    )


def _sections(messages: Sequence[Json]) -> list[Json]:
    return list(takewhile(lambda message: message["role"] == "system", messages))


def _turns(messages: Iterable[Json]) -> Iterable[ModelMessage]:
    """One message for all that stands between two of the other side."""
    names: dict[str, str] = {}
    for is_reply, group in groupby(messages, lambda message: message["role"] == "assistant"):
        if is_reply:
            parts = [part for message in group for part in _reply(message, names)]
            yield ModelResponse(parts=parts)
        else:
            yield ModelRequest(parts=[_asked(message, names) for message in group])


def _reply(message: Json, names: dict[str, str]) -> Iterable[ModelResponsePart]:
    if message.get("content"):
        yield TextPart(message["content"])
    for call in message.get("tool_calls") or ():
        made = call["function"]
        names[call["id"]] = made["name"]
        yield ToolCallPart(made["name"], made["arguments"], tool_call_id=call["id"])


def _asked(message: Json, names: dict[str, str]) -> ModelRequestPart:
    content = str(message["content"])
    match message["role"]:
        case "system":
            return SystemPromptPart(content)
        case "tool":
            call = message["tool_call_id"]
            return ToolReturnPart(names[call], content, tool_call_id=call)
        case _:
            return UserPromptPart(content)
