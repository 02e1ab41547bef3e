"""Scope: where and when to look, and what is left to look for once the query has said when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from palaver.index.port import SearchFilter
from palaver.recall.window import TimeWindow, common_window, time_window
from palaver.times import Clock

Moment = str | datetime | date | None


@with_config(ConfigDict(strict=True, extra="forbid"))
class Filters(TypedDict, total=False):
    """What every search of the library takes beside the query; each field is one of Scope."""

    channel: str | None
    from_: Moment
    to: Moment
    day: Moment
    recency_days: int
    conversation_id: str | None
    ignore_time_phrases: bool
    before: str | None


@dataclass(frozen=True, slots=True)
class Scope:
    """Where and when to look; a day is a day of the user's zone."""

    channel: str | None = None
    from_: str | date | None = None
    to: str | date | None = None
    day: str | date | None = None
    recency_days: int = 0
    """How many days back; 0 for all time."""
    conversation_id: str | None = None
    ignore_time_phrases: bool = False
    """Whether "last week" in the query means no more than its words."""
    before: str | None = None
    """What was said from this moment on is not looked at, whatever time is asked for: such as the
    question itself."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a query means: the words to look for, and the time in which they were said."""

    query: str
    """What to look for."""
    window: TimeWindow | None
    from_phrase: bool = False
    """Whether the window is what a phrase of the query says; nobody insisted on it."""
    only_time: bool = False
    """Whether the query asks for all that was said then."""
    otherwise: TimeWindow | None = None
    """The window that is left without the phrase."""

    def wanted(self, scope: Scope) -> SearchFilter:
        applied = self.window or TimeWindow()
        ends = [end for end in (applied.to, scope.before) if end]
        until = min(ends, default=None)
        return SearchFilter(scope.channel, applied.from_, until, scope.conversation_id)


def read_query(query: str, scope: Scope, zone: tzinfo, clock: Clock) -> Reading:
    """What a query means in a scope. A time that the scope names goes before one in the query.

    Raises BadValue.
    """
    window = time_window(
        zone,
        from_=scope.from_,
        to=scope.to,
        day=scope.day,
        recency_days=scope.recency_days,
        clock=clock,
    )
    named = scope.day or scope.from_ or scope.to
    if scope.ignore_time_phrases:
        return Reading(query, window)
    from palaver.recall.phrases import asks_for_all, read_phrase

    if named:
        return Reading(query, window, only_time=asks_for_all(query))
    phrase = read_phrase(query, clock(), zone)
    if phrase is None:
        return Reading(query, window)
    both = common_window(phrase.window, window)
    if both is None:
        return Reading(query, window)
    return Reading(
        phrase.rest(query), both, from_phrase=True, only_time=phrase.alone, otherwise=window
    )
