"""Calls of tools: read from what a model said, and answered in what it is told next."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import cast

from pydantic_ai.messages import ModelRequestPart, ModelResponse, ToolCallPart, ToolReturnPart

from palaver.agent.language import ToolCall, ToolResult
from palaver.errors import BadValue, InputError
from palaver.index.records import Json
from palaver.ledger.strict import check_value, loads
from palaver.text.fitting import fit

_NOT_USED = "It was not used."
_UNREADABLE = "It was not used: the arguments cannot be read."


@dataclass(slots=True)
class Calls:
    """The calls in one answer of a model."""

    made: list[ToolCall] = field(default_factory=list[ToolCall])
    """Those that can be carried out."""
    mistakes: dict[str, str] = field(default_factory=dict[str, str])
    """What is wrong with the arguments of the others."""


def calls_of(response: ModelResponse, taken: set[str]) -> Calls:
    """The calls of tools, each with an id that is not in `taken` yet: some models use one id for
    several. What cannot be read in `response` is put so that it can be sent back."""
    calls = Calls()
    for part in _parts(response):
        part.tool_call_id = _own_id(part.tool_call_id, taken)
        taken.add(part.tool_call_id)
        try:
            given = _arguments(part)
            calls.made.append(ToolCall(part.tool_call_id, part.tool_name, given))
        except InputError as error:
            calls.mistakes[part.tool_call_id] = error.message
            part.args = {"unreadable": fit(str(part.args))}
    return calls


def results_of(
    response: ModelResponse, calls: Calls, results: Sequence[ToolResult]
) -> list[ModelRequestPart]:
    """An answer to every call: providers refuse to go on while one has none."""
    given = {result.call.id: result for result in results}
    return [_result(part, calls, given.get(part.tool_call_id)) for part in _parts(response)]


def _parts(response: ModelResponse) -> list[ToolCallPart]:
    return [part for part in response.parts if isinstance(part, ToolCallPart)]


def _own_id(given: str, taken: Collection[str]) -> str:
    if given and given not in taken:
        return given
    return next(one for n in count(2) if (one := f"{given or 'call'}-{n}") not in taken)


def _result(part: ToolCallPart, calls: Calls, result: ToolResult | None) -> ToolReturnPart:
    mistake = calls.mistakes.get(part.tool_call_id)
    unused = f"{_UNREADABLE} {mistake}" if mistake else _NOT_USED
    return ToolReturnPart(
        part.tool_name,
        result.content if result else unused,
        tool_call_id=part.tool_call_id,
        outcome="success" if result and not result.failed else "failed",
    )


def _arguments(part: ToolCallPart) -> Json:
    """Raises BadJson, BadText, BadValue."""
    if isinstance(part.args, dict):
        check_value(part.args)
        return part.args
    found = loads((part.args or "{}").encode("utf-8", "surrogatepass"))
    if not isinstance(found, dict):
        raise BadValue("The arguments of a tool are one JSON object.")
    return cast("Json", found)
