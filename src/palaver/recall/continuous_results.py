"""What a search of the continuous conversation answers with, and what is read of it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from palaver.index.records import Moment, Record
from palaver.recall.results import Highlights
from palaver.recall.window import TimeWindow

DayLabel = Annotated[str, Field(json_schema_extra={"format": "date"})]
"""A day, as 2026-02-14."""


class FoundMessage(Record):
    """A turn of the continuous conversation in which something was found."""

    kind: Literal["message"] = "message"
    day_label: DayLabel | None
    """The day that it belongs to."""
    day_segment_id: str | None
    """The id of that day."""
    message_id: str
    """The first message of the turn: read on from there."""
    snippet: str
    """The words around the best match, as they were said."""
    snippet_message_id: str
    """The message that these words are from."""
    role: Literal["user", "assistant", "tool"]
    """Who said them."""
    highlights: Highlights
    """The character ranges of the snippet that matched."""
    covered_by_summary: bool
    """Whether the summary of the day tells of it, too."""
    score: float
    """Between 0 and 1."""
    timestamp: Moment
    """When the words were said."""
    turn_number: int


class FoundSummary(Record):
    """A day of the continuous conversation whose summary was found."""

    kind: Literal["summary"] = "summary"
    day_label: DayLabel
    """The day of which it tells."""
    day_segment_id: str
    """The id of that day."""
    summary_snippet: str
    """The part of the summary that matched best."""
    highlights: Highlights
    """The character ranges of the snippet that matched."""
    score: float
    """Between 0 and 1."""
    message_ids: list[str]
    """The messages that the summary stands on."""


class ContinuousPage(Record):
    """Some results of a search of the continuous conversation."""

    results: list[FoundMessage | FoundSummary]
    """Turns and summaries of days, best first."""
    next_cursor: str | None = None
    time_window: TimeWindow | None = None
    """The window that was applied, if any, whether it was given or named in the query."""
    empty_window: TimeWindow | None = None
    """The window that the query names, if nothing was found in it and all time was searched."""


class ExcerptMessage(Record):
    """A message of the continuous conversation, word for word."""

    message_id: str
    role: Literal["user", "assistant", "tool"]
    content: str
    """What was said; of what a tool gave, and of what is too long, the beginning and the end."""
    created_at: Moment
    """When it was said."""
    turn_number: int
    day_label: DayLabel | None
    """The day that it belongs to."""
    truncated: bool = False
    """Whether a part of the content is left out."""


class DaySummary(Record):
    """The summary of a day."""

    day_segment_id: str
    """The id of the day."""
    day_label: DayLabel
    """The day, as 2026-02-14."""
    summary_markdown: str
    """The summary; empty while there is none."""
    updated_at: Moment | None
    """When it was made; null while there is none."""
    message_ids: list[str] = Field(default=[])
    """The messages that it stands on."""


class ContinuousExcerpt(Record):
    """A part of the continuous conversation."""

    messages: list[ExcerptMessage]
    """Turn by turn, the oldest first."""
    summary: DaySummary | None = None
    """The summary of the day, when a whole day was asked for."""
    truncated: bool = False
    """Whether something that was asked for did not fit."""
    next_before_message_id: str | None = None
    """Give it as `beforeMessageId` for what comes before; null when nothing does."""
    next_after_message_id: str | None = None
    """Give it as `afterMessageId` for what comes after; null when nothing does."""
