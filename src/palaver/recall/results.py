"""What a search answers with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from palaver.index.records import Message, Moment, Record, Voice
from palaver.recall.window import TimeWindow
from palaver.settings import Tier

Highlights = list[tuple[int, int]]
MAX_RESULTS = 200
"""A search ranks at most so many conversations, or so many rounds."""
Kind = Literal["conversation", "message"]
"""What a search of conversations finds: conversations, or single rounds of them."""
AnyKind = Literal[Kind, "external"]
"""What a result is: one of these, or a message of an exchange with an outsider, which nothing finds
but a search for just that."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A message that was found; `score` is between 0 and 1."""

    message: Message
    score: float


class Outside(Record):
    """Who said what was found in an exchange with somebody who is not the owner.

    Names are what they call themselves: shown as text, and never trusted.
    """

    by: Voice
    """Who said it: the outsider, the assistant or the owner."""
    party: str
    """With whom the exchange is, as the channel spells it."""
    name: str | None
    sender: str | None
    """Who of several wrote it, as they call themselves."""
    trust: Tier
    """How far the party is trusted."""
    claimed: bool
    """Whether it is not proven that the outsider's words are theirs."""


class SearchResult(Record):
    """A conversation, or a round of one, in which something was found."""

    conversation_id: str
    conversation_name: str | None
    title: str | None
    channel: str
    abbreviation: str | None
    matched_turns: list[int]
    """The turns that matched, best first; none when only the abbreviation did."""
    timestamp: Moment
    """When the best match was said; when something was last said, if only the abbreviation did."""
    score: float
    """Between 0 and 1."""
    topics: list[str]
    snippet: str
    highlights: Highlights
    """The character ranges of the snippet that matched."""
    turn_range: str
    """The best match and its neighbours, in words: "turns 5-8"; empty when no turn matched."""
    message_ids: list[str]
    """The messages that matched, best first; those on which the abbreviation stands, when only that
    did."""
    kind: AnyKind = "conversation"
    explanation: dict[str, float] | None = None
    """Every part of the score, when it was asked for: they add up to it. They are those of the
    best round; the other rounds of a conversation lift its score, or lower it, and what its
    abbreviation means may lift it."""


class ExternalResult(SearchResult):
    """A message of an exchange with an outsider, in which something was found.

    `conversation_id` is the id of the exchange, `title` with whom it is, and `timestamp` when the
    message came in.
    """

    kind: AnyKind = "external"
    external: Outside
    """Whose words these are."""


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
    explanation: dict[str, float] | None = None
    """Every part of the score, when it was asked for: they add up to it."""


class SearchPage(Record):
    """Some results of a search, best first."""

    results: Sequence[ExternalResult | SearchResult]
    total_matches: int
    """How many messages hold any of the words, or how many results there are if these are more:
    some are found by their meaning alone."""
    time_window: TimeWindow | None = None
    """The window that was applied, if any, whether it was given or named in the query."""
    empty_window: TimeWindow | None = None
    """The window that the query names, if nothing was found in it and all time was searched."""
    next_cursor: str | None = None


def turn_range(turns: Sequence[int]) -> str:
    """The first of `turns` and those that follow on it without a gap, in words."""
    if not turns:
        return ""
    first = last = turns[0]
    there = set(turns)
    while first - 1 in there:
        first -= 1
    while last + 1 in there:
        last += 1
    return f"turn {first}" if first == last else f"turns {first}-{last}"
