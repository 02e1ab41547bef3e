"""Calls of tools: read from what a model said, and answered in what it is told next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic_ai.messages import (
    BaseToolCallPart,
    ModelRequestPart,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
)

from palaver.agent.language import ToolCall, ToolResult
from palaver.errors import BadValue, InputError
from palaver.index.records import Json
from palaver.ledger.strict import check_value, loads

_NOT_USED = "It was not used."


@dataclass(slots=True)
class Calls:
    """The calls in one answer of a model."""

    made: list[ToolCall] = field(default_factory=list[ToolCall])
    mistaken: bool = False
    """Whether there are others, whose arguments cannot be read."""


def calls_of(response: ModelResponse) -> Calls:
    """The calls that can be carried out."""
    calls = Calls()
    for part in _parts(response):
        try:
            calls.made.append(ToolCall(part.tool_call_id, part.tool_name, _arguments(part)))
        except InputError:
            calls.mistaken = True
    return calls


def results_of(response: ModelResponse, results: Sequence[ToolResult]) -> list[ModelRequestPart]:
    """An answer to every call: providers refuse to go on while one has none."""
    given = {result.call.id: result for result in results}
    return [_result(part, given.get(part.tool_call_id)) for part in _parts(response)]


def _parts(response: ModelResponse) -> list[ToolCallPart]:
    return [part for part in response.parts if isinstance(part, ToolCallPart)]


def _result(part: ToolCallPart, result: ToolResult | None) -> ToolReturnPart:
    return ToolReturnPart(
        part.tool_name,
        result.content if result else _problem(part),
        tool_call_id=part.tool_call_id,
        outcome="success" if result and not result.failed else "failed",
    )


def _problem(part: ToolCallPart) -> str:
    try:
        _arguments(part)
    except InputError as error:
        return f"It was not used: the arguments cannot be read. {error.message}"
    return _NOT_USED


def _arguments(part: BaseToolCallPart) -> Json:
    """Raises BadJson, BadText, BadValue."""
    if isinstance(part.args, dict):
        check_value(part.args)
        return part.args
    found = loads((part.args or "{}").encode("utf-8", "surrogatepass"))
    if not isinstance(found, dict):
        raise BadValue("The arguments of a tool are one JSON object.")
    return found  # pyright: ignore[reportUnknownVariableType]
