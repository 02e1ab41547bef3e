"""What is told of the days of the continuous conversation."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from palaver.index.records import Message, Moment, Record, SummarySource

DayLabel = Annotated[str, Field(json_schema_extra={"format": "date"})]
"""A day, as 2026-02-14."""


class SummaryLine(Record):
    """A line of the summary of a day, without its mark, and the messages that it stands on."""

    text: str
    section: str
    """The heading that it stands under; empty above the first."""
    sources: list[SummarySource]


class LoopEnd(Record):
    """How something that was open was closed."""

    day: DayLabel
    """The day on which that was."""
    message_id: str
    """The message that closed it."""
    how: str
    """`answered`, `done`, `decided`, `withdrawn` or `dropped`."""


class DayLoop(Record):
    """Something that was left open, in the words it was said in."""

    text: str
    message_id: str
    """The message that opened it."""
    kind: str
    """Such as `question` or `promise`; `loop` where that is not known any more."""
    since: DayLabel | None
    """The day on which it was opened."""
    closed: LoopEnd | None
    """How it was closed, on this day or later; null while it is open."""


class DayView(Record):
    """A day of the continuous conversation."""

    day: DayLabel
    """The day, as 2026-02-14: its date in the user's time zone when its first message came."""
    day_label: DayLabel
    """Another name for `day`."""
    day_segment_id: str | None
    """The id of the day; null until its first message."""
    conversation_id: str | None
    """The id of the continuous conversation; null until its first message."""
    timezone: str
    """The time zone of the day."""
    messages: list[Message]
    """The last 200 of the day, oldest first."""
    has_more: bool
    """Whether there are earlier ones on this day."""
    message_count: int
    """How many the user and the assistant have said."""
    summary_markdown: str
    """The summary of the day; empty while there is none."""
    summary_lines: list[SummaryLine]
    """Its lines without headings, each with the messages that it stands on."""
    summary_covers_until: str | None
    """The id of the last message of which the summary tells."""
    summary_by: str | None
    """Who made the summary: `offline`, the name of a model, or `user`."""
    summary_edited: bool
    """Whether some of it was written by hand."""
    summary_due: bool
    """Whether there is none although there was one, and it is being made again: what it told of was
    changed or erased."""
    updated_at: Moment | None
    """When the summary was made; null while there is none."""
    closed: bool
    """Whether the day is over and told to its end."""
    loops: list[DayLoop]
    """What was open on this day, and what was closed on it."""
    previous_day: DayLabel | None
    """The day before it on which something was said."""
    next_day: DayLabel | None
    """The day after it on which something was said; after the last one, today."""
    today: DayLabel
    """The day to which the next message belongs."""


class DayEntry(Record):
    """A day in a list."""

    day_label: DayLabel
    """The day, as 2026-02-14."""
    day_segment_id: str
    """The id of the day."""
    message_count: int
    """How many messages the user and the assistant have said."""
    summary_markdown: str
    """The summary of the day; empty while there is none."""
    updated_at: Moment | None
    """When the summary was made; null while there is none."""
    closed: bool
    """Whether the day is over and told to its end."""


class DayPage(Record):
    """Some days of the continuous conversation."""

    days: list[DayEntry]
    """Those on which something was said, newest first."""
    next_cursor: str | None = None
