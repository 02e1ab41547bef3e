"""The room of an excerpt: how much of what was said fits into what a model is given at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from palaver.context.clipping import clipped, longest_cut
from palaver.context.tokens import TokenCounter
from palaver.index.port import Day
from palaver.recall.continuous_results import DaySummary, ExcerptMessage

TOKENS = 6_000
_SUMMARY = 2_000
_TOOL = 250
"""So many tokens of a summary, and of what a tool gave, are shown at most."""
_LEAST = 50
"""So many tokens of a message are shown at least, if any are."""
_SMALLER = 0.8

Key = tuple[int, int]
"""Where a message stands: its turn, and its line."""


class Offer(NamedTuple):
    """A message that is to be shown, if there is room."""

    side: int
    """Of the two directions, the one that it lies in."""
    key: Key
    message: ExcerptMessage


class Room:
    """Takes what fits, and says whether all of it did."""

    def __init__(self, counter: TokenCounter, tokens: int = TOKENS) -> None:
        self._counter = counter
        self._left = tokens
        self.cut = False
        """Whether something is left out."""

    def summary(self, day: Day) -> DaySummary:
        """What tells of a day."""
        told = day.summary
        text, cut = self._shortened(told.text if told else "", _SUMMARY)
        self.cut |= cut
        self._left -= self._counter.count(text)
        return DaySummary(
            day_segment_id=day.id,
            day_label=day.label,
            summary_markdown=text,
            updated_at=told.made if told else None,
            message_ids=told.message_ids if told else [],
        )

    def take(self, offers: Sequence[Offer]) -> list[ExcerptMessage]:
        """What fits, in the order in which it was said: of what is offered, the first always. What
        does not fit ends its side, so that nothing is missing in between."""
        taken: dict[Key, ExcerptMessage] = {}
        ended: set[int] = set()
        for offer in offers:
            one = self._of_tool(offer.message)
            if self._cost(one) > self._left:
                self.cut = True
                if taken:
                    ended.add(offer.side)
                one = self._fitting(one)
            if offer.side not in ended:
                self._left -= self._cost(one)
                taken[offer.key] = one
        return [taken[key] for key in sorted(taken)]

    def _of_tool(self, message: ExcerptMessage) -> ExcerptMessage:
        """What a tool gave is shown in short."""
        if message.role != "tool":
            return message
        text, cut = self._shortened(message.content, _TOOL)
        self.cut |= cut
        return message.model_copy(update={"content": text, "truncated": cut})

    def _fitting(self, message: ExcerptMessage) -> ExcerptMessage:
        """As much of a message as there is room for."""
        room = max(self._left, _LEAST)
        most = float(room)
        while most >= 1:
            text, _ = self._shortened(message.content, int(most))
            one = message.model_copy(update={"content": text, "truncated": True})
            if self._cost(one) <= room:
                return one
            most *= _SMALLER
        return message.model_copy(update={"content": "", "truncated": True})

    def _shortened(self, text: str, most: int) -> tuple[str, bool]:
        """The head and the tail of a text, and whether anything is missing between them."""
        if self._counter.count(text) <= most:
            return text, False
        cut = longest_cut(text, most, self._counter)
        return (clipped(text, cut) if cut else ""), True

    def _cost(self, message: ExcerptMessage) -> int:
        return self._counter.count(message.model_dump_json(by_alias=True))
