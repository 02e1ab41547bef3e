"""Tools: what a model may have done for it, and who may have that done."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from palaver.agent.language import ToolSpec
from palaver.errors import BadValue
from palaver.index.records import Json, Source

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NAMES = "Use up to 64 letters, digits, _ and -."


@dataclass(frozen=True, slots=True)
class Caller:
    """For whom a tool is used."""

    conversation_id: str
    scopes: frozenset[str]
    """What whoever sent the message may do."""
    main: bool = True
    """Whether it is the agent itself, and not one that works for it."""
    asked: str | None = None
    """When it was sent: nothing that was said later is looked up."""
    message_id: str | None = None
    """The message that is answered."""
    company: bool = False
    """Whether others read along: then no tool is used, because it might tell them something."""


@dataclass(frozen=True, slots=True)
class Output:
    """What came of a tool."""

    content: str
    """As the model reads it."""
    kept: Any
    """As it is kept with the reply: for what was recalled ids, and no copies."""
    sources: Sequence[Source] = ()
    """The messages that it showed to the model."""
    recalled: bool = False
    """Whether it showed what was said before: later on, nothing is left of that but the reply."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool, and what it does."""

    name: str
    description: str
    schema: Json
    run: Callable[[Json, Caller], Awaitable[Output]]
    """An `async` function of what the model gives and of who asks."""
    effect: Literal["read", "write"] = "read"
    """One that writes is never repeated after an interruption."""
    scope: str | None = None
    """What one must be allowed to do to have it used."""
    main_only: bool = False
    """Whether it is refused to those who work for the agent."""
    repeatable: bool = False
    """Whether it may be done again after an interruption all the same: twice is as good as once."""
    withheld: frozenset[str] = frozenset()
    """What of its input is not kept with the reply: it is kept elsewhere, and may go from there."""

    def __post_init__(self) -> None:
        """Raises BadValue for what no model takes as the name of a tool."""
        if not _NAME.fullmatch(self.name):
            raise BadValue(f"{self.name[:80]!r} cannot be the name of a tool.", remedy=_NAMES)
        if self.effect not in ("read", "write"):
            raise BadValue("The effect of a tool is read or write.")
        if self.withheld and self.effect == "write" and not self.repeatable:
            raise BadValue("Of a tool that is never repeated all of the input is kept.")

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(self.name, self.description, self.schema)

    def kept_input(self, given: Json) -> Json:
        """What of an input is kept with the reply."""
        return {name: value for name, value in given.items() if name not in self.withheld}

    def open_to(self, caller: Caller) -> bool:
        allowed = self.scope is None or self.scope in caller.scopes
        return allowed and (caller.main or not self.main_only) and not caller.company
