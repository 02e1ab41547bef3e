"""What a search answers with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from palaver.index.records import Record
from palaver.recall.window import TimeWindow

Highlights = list[tuple[int, int]]


class SearchResult(Record):
    """A conversation in which something was found."""

    conversation_id: str
    conversation_name: str | None
    title: str | None
    channel: str
    abbreviation: str | None
    matched_turns: list[int]
    """The turns that matched, best first."""
    timestamp: str
    """When the best match was said."""
    score: float
    """Between 0 and 1."""
    topics: list[str]
    snippet: str
    highlights: Highlights
    """The character ranges of the snippet that matched."""
    turn_range: str
    """The best match and its neighbours, in words: "turns 5-8"."""
    message_ids: list[str]
    """The messages that matched, best first."""
    kind: Literal["conversation"] = "conversation"


class MessageHit(Record):
    """A round in which something was found: a message of the user and its reply."""

    conversation_id: str
    turn_number: int
    message_ids: list[str]
    """The messages that matched, best first."""
    score: float
    """Between 0 and 1."""
    snippet: str
    highlights: Highlights
    timestamp: str


class SearchPage(Record):
    """Some results of a search, best first."""

    results: list[SearchResult]
    total_matches: int
    """How many messages matched in all."""
    time_window: TimeWindow | None = None
    next_cursor: str | None = None


def unit_score(raw: float) -> float:
    """An unbounded score, brought into 0..1 in the same order."""
    return raw / (raw + 1) if raw > 0 else 0.0


def turn_range(turns: Sequence[int]) -> str:
    """The first of `turns` and those that follow on it without a gap, in words."""
    first = last = turns[0]
    there = set(turns)
    while first - 1 in there:
        first -= 1
    while last + 1 in there:
        last += 1
    return f"turn {first}" if first == last else f"turns {first}-{last}"
