"""Which of the tools a client may use, by its scopes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from palaver.agent.tools.table import QUOTED, TOOLS, RecallTool
from palaver.errors import Forbidden

INSTRUCTIONS = (
    "Palaver remembers everything that was said in the user's conversations, and apart from them "
    "what lasts: facts, preferences, decisions. Search before you say that something is not known. "
    f"{QUOTED}"
)
_BY_NAME = {tool.name: tool for tool in TOOLS}


def _as_often_as_wanted() -> None:
    """For a program that somebody started for themselves."""


@dataclass(frozen=True, slots=True)
class Access:
    """What a client may do."""

    scopes: frozenset[str]
    remedy: str
    """How it may do more; `{scope}` stands for what is missing."""
    search: Callable[[], None] = _as_often_as_wanted
    """Told of each search before it is made. Raises LimitReached."""

    def offered(self) -> list[RecallTool]:
        """The tools that the scopes open."""
        return [tool for tool in TOOLS if tool.scope in self.scopes]

    def tool(self, name: str) -> RecallTool | None:
        """The tool, or None when there is none of that name. Raises Forbidden without its scope."""
        tool = _BY_NAME.get(name)
        if tool is not None and tool.scope not in self.scopes:
            raise Forbidden(
                f"{name} needs the scope {tool.scope}.",
                remedy=self.remedy.format(scope=tool.scope),
            )
        return tool
