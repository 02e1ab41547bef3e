"""What came in sight of a question: what was found, and how well it fits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from palaver.agent.offline.quotation import Quotation
from palaver.recall.results import Hit
from palaver.text import Term, occurrences

_CLOSE = 2
"""So many of its words something must hold to be brought up when nobody asked."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What came in sight of a question."""

    terms: Sequence[Term]
    languages: Sequence[str]
    """Those that are spoken there."""
    hits: Sequence[Hit]
    titles: Mapping[str, str | None]
    elsewhen: bool
    """Whether it was said at another time than the one that was asked for."""

    def close(self, found: Iterable[Quotation]) -> list[Quotation]:
        """Those that have more in common with what was told than a single word."""
        least = min(_CLOSE, len(self.terms))
        return [one for one in found if len(one.held) >= least]

    def is_titled(self, conversation_id: str) -> bool:
        """Whether the title of a conversation holds all the words."""
        held = {one.word for one in occurrences(self.titles[conversation_id] or "", self.terms)}
        return bool(self.terms) and len(held) == len(self.terms)
