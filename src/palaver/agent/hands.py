"""Hands: the tools as one reply may use them, and what becomes of each call.

Whatever goes wrong in a tool is told to the model, so that it can do something about it.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

import orjson

from palaver.agent.answering import Frame, Frames
from palaver.agent.language import ToolCall, ToolResult, ToolSpec
from palaver.agent.toolbox import Caller, Output, Tool
from palaver.agent.tools.wording import as_text, failure
from palaver.errors import Forbidden, NotFound, PalaverError
from palaver.index.records import Json

log = logging.getLogger(__name__)
_UNKNOWN_END = (
    "It was begun before an interruption; whether it was finished is not known. "
    "It is not done again."
)
_UNFORESEEN = "The tool failed, and whether it did anything is not known."


@dataclass(frozen=True, slots=True)
class Used:
    """A call of a tool, and what came of it."""

    result: ToolResult
    output: Output


class Hands:
    """The tools that are open to one caller."""

    def __init__(
        self, tools: Iterable[Tool], caller: Caller, frames: Frames, earlier: Iterable[Frame]
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._open = {name: tool for name, tool in self._tools.items() if tool.open_to(caller)}
        self._caller = caller
        self._frames = frames
        self._earlier = {_identity(frame.call): frame for frame in earlier}

    @property
    def specs(self) -> Sequence[ToolSpec]:
        """What a model is offered."""
        return [tool.spec for tool in self._open.values()]

    def kept_input(self, call: ToolCall) -> Json:
        """What of the input of a call is kept with the reply, whatever becomes of it."""
        tool = self._tools.get(call.name)
        return tool.kept_input(call.input) if tool else call.input

    async def use(self, call: ToolCall) -> Used:
        """Raises StorageError when a tool with an effect cannot be recorded."""
        tool = self._open.get(call.name)
        if tool is None:
            return failed(call, self._refusal(call.name))
        if tool.effect == "read" or tool.repeatable:
            return await self._run(tool, call) or _unforeseen(call)
        return await self._write(tool, call)

    async def _write(self, tool: Tool, call: ToolCall) -> Used:
        """Uses a tool with an effect, unless an earlier attempt at this reply has begun to."""
        if frame := self._earlier.get(_identity(call)):
            return _recorded(call, frame)
        await self._frames.started(call)
        used = await self._run(tool, call)
        if used is None:
            return _unforeseen(call)
        await self._frames.finished(call, used.output)
        return used

    async def _run(self, tool: Tool, call: ToolCall) -> Used | None:
        """What came of a tool; None when it failed in a way nobody foresaw."""
        try:
            output = await tool.run(call.input, self._caller)
            result = ToolResult(call, output.content)
        except PalaverError as error:
            return failed(call, error)
        except Exception as error:  # noqa: BLE001 - a reply does not end with one of its tools
            _log(tool, error)
            return None
        return Used(result, output)

    def _refusal(self, name: str) -> PalaverError:
        if name in self._tools:
            return Forbidden(f"{name} may not be used here.", remedy="Go on without it.")
        there = ", ".join(self._open) or "none"
        return NotFound(f"There is no tool {name[:80]!r}.", remedy=f"The tools are: {there}.")


def failed(call: ToolCall, error: PalaverError) -> Used:
    """A call that failed, and why."""
    told = failure(error)
    text = as_text(told)
    return Used(ToolResult(call, text, failed=True), Output(text, told))


def _unforeseen(call: ToolCall) -> Used:
    return failed(call, PalaverError(_UNFORESEEN, remedy="Go on without it."))


def _recorded(call: ToolCall, frame: Frame) -> Used:
    """What an earlier attempt has left of the same call."""
    kept = frame.output if frame.finished else _UNKNOWN_END
    text = kept if isinstance(kept, str) else as_text(kept)
    return Used(ToolResult(call, text), Output(text, kept))


def _identity(call: ToolCall) -> tuple[str, bytes]:
    """The same for calls of the same tool with the same input, in whatever order."""
    return call.name, orjson.dumps(call.input, option=orjson.OPT_SORT_KEYS)


def _log(tool: Tool, error: Exception) -> None:
    """Where it arose; not its words, which may quote."""
    places = traceback.extract_tb(error.__traceback__)
    where = ", ".join(f"{PurePath(one.filename).name}:{one.lineno}" for one in places)
    log.error("The tool %s failed: %s at %s", tool.name, type(error).__name__, where)
