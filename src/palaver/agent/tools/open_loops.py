"""`open_loops`: what conversations leave open."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal

from pydantic import Field

from palaver.agent.tools.past import Openings, Past
from palaver.agent.tools.recall import spoken_date, with_remedy
from palaver.agent.tools.shapes import Answer, Arguments
from palaver.agent.tools.table import QUOTED, SCOPE, RecallTool
from palaver.digest.states import Opening
from palaver.errors import NotFound
from palaver.index.records import Json, Record
from palaver.text import whole_character

MAX_LIMIT = 50
_LONGEST = 240


class OpenArguments(Arguments):
    """What `open_loops` takes."""

    conversation_id: str | None = Field(
        default=None, description="Only in this conversation; in the recent ones when left out."
    )
    limit: int = Field(default=10, ge=1, le=MAX_LIMIT, description="At most so many.")


class OpenLoop(Record):
    """Something that is left open."""

    text: str = Field(description="The words that left it open: a quotation.")
    kind: str = Field(description="What it is, such as question, task or promise.")
    role: Literal["user", "assistant"] = Field(description="Who said them.")
    turn: int
    message_id: str
    conversation_id: str
    conversation_name: str | None
    channel: str
    date: str = Field(description="When they were said, in the user's time zone.")
    timestamp: str = Field(description="When they were said, in UTC.")


class OpenAnswer(Answer):
    """What `open_loops` gives."""

    open_loops: list[OpenLoop] = Field(description="The newest first.")

    def kept(self) -> Json:
        names = {"conversation_id", "message_id", "turn"}
        found = [one.model_dump(include=names, by_alias=True) for one in self.open_loops]
        return {"openLoops": found}

    def shown(self) -> list[str]:
        return [one.message_id for one in self.open_loops]


def open_loops_tool(openings: Openings) -> RecallTool:
    """The tool, for whoever keeps the states of conversations."""
    return RecallTool(
        name="open_loops",
        title="List what is open",
        description=(
            "List what is left open: questions without an answer, tasks, promises, decisions that "
            "were put off. In the recent conversations, or in one. "
            f"{QUOTED}"
        ),
        takes=OpenArguments,
        gives=OpenAnswer,
        work=_listing(openings),
        scope=SCOPE,
    )


def _listing(openings: Openings) -> Callable[[Past, OpenArguments], Awaitable[OpenAnswer]]:
    async def listed(past: Past, given: OpenArguments) -> OpenAnswer:
        """Raises InputError, NotFound, IndexUnavailable."""
        if given.conversation_id is not None:
            with with_remedy():
                await past.archive.conversation(given.conversation_id)
        items = await openings.open(given.conversation_id, limit=given.limit)
        loops = [await _loop(past, item) for item in items]
        return OpenAnswer(open_loops=[one for one in loops if one])

    return listed


async def _loop(past: Past, item: Opening) -> OpenLoop | None:
    """The item with who said it and where, or None when it has been erased meanwhile."""
    try:
        said = await past.archive.message(item.conversation_id, item.message_id)
        conversation = await past.archive.conversation(item.conversation_id)
    except NotFound:
        return None
    return OpenLoop(
        text=_verbatim(item.text, said.content),
        kind=item.kind,
        role="assistant" if said.role == "assistant" else "user",
        turn=item.turn,
        message_id=item.message_id,
        conversation_id=conversation.id,
        conversation_name=conversation.name,
        channel=conversation.channel,
        date=spoken_date(item.timestamp, past.zone()),
        timestamp=item.timestamp,
    )


def _verbatim(text: str, content: str) -> str:
    """`text`, if it stands in the message; else how the message begins."""
    return text if text in content else content[: whole_character(content, _LONGEST)]
