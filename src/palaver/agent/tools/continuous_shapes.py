"""What the tools for the continuous conversation take and give: S4's shapes, and who said what."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from palaver.agent.tools.shapes import DATE, Answer, Arguments
from palaver.index.records import Json, Record
from palaver.recall.window import MAX_RECENCY_DAYS, TimeWindow

_DAY = Field(max_length=10, examples=["2026-02-14"])
_ID = Field(max_length=80)


class DaysSearchArguments(Arguments):
    """What `conversation_search` takes."""

    query: str = Field(
        description="What to look for, in plain words; it may name a time, as in: what did we "
        "decide on 3 February between 2 and 4 pm."
    )
    day: Annotated[str | None, _DAY] = Field(
        default=None, description="Only on this day of the conversation: YYYY-MM-DD."
    )
    from_: Annotated[str | None, DATE] = Field(
        default=None, alias="from", description="Not before this day or time, in ISO 8601."
    )
    to: Annotated[str | None, DATE] = Field(
        default=None, description="Not after this day or time, in ISO 8601; a day is included."
    )
    recency_days: int = Field(
        default=14,
        ge=0,
        le=MAX_RECENCY_DAYS,
        description="How many days back; 0 is no limit. A time that is named overrides it.",
    )
    limit: int = Field(default=6, ge=1, le=20, description="At most so many results.")
    cursor: str | None = Field(default=None, description="nextCursor of the page before.")
    min_score: float | None = Field(
        default=None, ge=0, le=1, description="Only what scores at least so much."
    )


class DayMessage(Record):
    """A turn in which something was found."""

    kind: Literal["message"] = "message"
    day_label: str | None = Field(description="The day that it belongs to.")
    day_segment_id: str | None
    message_id: str = Field(description="The first message of the turn: read it there.")
    snippet: str = Field(description="The words that matched best: a quotation.")
    snippet_message_id: str = Field(description="The message that they are from.")
    role: Literal["user", "assistant", "tool"] = Field(description="Who said them.")
    covered_by_summary: bool = Field(description="Whether the summary of the day tells of it, too.")
    score: float = Field(description="From 0 to 1.")
    date: str = Field(description="When they were said, in the user's time zone.")
    timestamp: str = Field(description="When they were said, in UTC.")


class DayTold(Record):
    """A day whose summary was found."""

    kind: Literal["summary"] = "summary"
    day_label: str
    day_segment_id: str
    summary_snippet: str = Field(
        description="The part of the day's summary that matched best: a quotation."
    )
    score: float = Field(description="From 0 to 1.")
    message_ids: list[str] = Field(description="The messages that the summary stands on.")


class DaysSearchAnswer(Answer):
    """What `conversation_search` gives."""

    results: list[DayMessage | DayTold] = Field(
        description="Turns and summaries of days, best first."
    )
    next_cursor: str | None
    time_window: TimeWindow | None = Field(
        description="The time the search kept to, in UTC: given, or named in the query."
    )
    empty_window: TimeWindow | None = Field(
        description="The time named in the query, in UTC, when nothing was found in it and all "
        "time was searched instead."
    )

    def kept(self) -> Json:
        names = {"kind", "day_label", "day_segment_id", "message_id"}
        return {"results": [one.model_dump(include=names, by_alias=True) for one in self.results]}

    def shown(self) -> list[str]:
        return [name for one in self.results for name in _shown(one)]


class DaysGetArguments(Arguments):
    """What `conversation_get` takes."""

    message_id: Annotated[str | None, _ID] = Field(
        default=None, description="Around this message, which conversation_search gave."
    )
    day_segment_id: Annotated[str | None, _ID] = Field(
        default=None, description="Of this day: its summary and its first messages."
    )
    from_message_id: Annotated[str | None, _ID] = Field(
        default=None, description="Of that day, from this message on; with toMessageId."
    )
    to_message_id: Annotated[str | None, _ID] = Field(
        default=None, description="Of that day, up to this message; with fromMessageId."
    )
    limit: int = Field(default=30, ge=1, le=30, description="At most so many messages.")
    before_message_id: Annotated[str | None, _ID] = Field(
        default=None, description="What comes before this message: nextBeforeMessageId."
    )
    after_message_id: Annotated[str | None, _ID] = Field(
        default=None, description="What comes after this message: nextAfterMessageId."
    )


class DayTurn(Record):
    """A message, word for word."""

    message_id: str
    role: Literal["user", "assistant", "tool"] = Field(description="Who said it.")
    content: str = Field(description="What was said: a quotation.")
    created_at: str = Field(description="When it was said, in UTC.")
    date: str = Field(description="When it was said, in the user's time zone.")
    turn_number: int
    day_label: str | None = Field(description="The day that it belongs to.")
    truncated: bool = Field(description="Whether a part of the content is left out.")


class DaySummaryShown(Record):
    """The summary of a day."""

    day_segment_id: str
    day_label: str
    summary_markdown: str = Field(description="A quotation; empty while there is none.")
    updated_at: str | None = Field(description="When it was made, in UTC.")
    message_ids: list[str] = Field(description="The messages that it stands on.")


class DaysGetAnswer(Answer):
    """What `conversation_get` gives."""

    messages: list[DayTurn] = Field(description="Turn by turn, the oldest first.")
    summary: DaySummaryShown | None = Field(
        description="The summary of the day, when a whole day was asked for."
    )
    truncated: bool = Field(description="Whether something that was asked for did not fit.")
    next_before_message_id: str | None = Field(
        description="Give it as beforeMessageId for what comes before."
    )
    next_after_message_id: str | None = Field(
        description="Give it as afterMessageId for what comes after."
    )

    def kept(self) -> Json:
        day = self.summary.day_segment_id if self.summary else None
        return {"messageIds": [one.message_id for one in self.messages], "daySegmentId": day}

    def shown(self) -> list[str]:
        told = self.summary.message_ids if self.summary else []
        return [*(one.message_id for one in self.messages), *told]


def _shown(one: DayMessage | DayTold) -> list[str]:
    if isinstance(one, DayTold):
        return one.message_ids
    return [one.message_id, one.snippet_message_id]
