"""Listing what was said at a time: decisions first, then what a summary tells of, then the rest.

A query that names nothing but a time has no words to score by. So what was said then is scored by
what the summaries of its days make of it, and equal ones follow each other as they were said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from palaver.index.port import Index
from palaver.index.summary_fold import day_kind
from palaver.recall.ranking import FoundRound
from palaver.recall.results import MAX_RESULTS

DECIDED, TOLD, SAID = 1.0, 0.75, 0.5
"""The score of a turn in which something was decided, of a summary and of a turn that it stands on,
and of any other turn."""
LOOKED_AT = 2000
"""So many of the newest turns of that time are looked at."""
_DECISION = "decision"


class Listing:
    """Puts what one user said at a time in order."""

    def __init__(self, index: Index, user: str) -> None:
        self._index = index
        self._user = user

    async def ordered(self, conversation_id: str, rounds: Sequence[FoundRound]) -> list[FoundRound]:
        """The most important first, then in the order of time. Raises NotFound,
        IndexUnavailable."""
        weights = await self._weights(conversation_id, rounds)
        scored = [replace(one, score=_score(one, weights)) for one in rounds]
        return sorted(scored, key=_rank)[:MAX_RESULTS]

    async def _weights(
        self, conversation_id: str, rounds: Sequence[FoundRound]
    ) -> dict[int, float]:
        """What the summaries of their days make of turns."""
        kinds = [day_kind(label) for label in sorted({one.day[0] for one in rounds if one.day})]
        if not kinds:
            return {}
        weights: dict[int, float] = {}
        for told in await self._index.summaries(self._user, conversation_id, kinds):
            for source in told.sources:
                weight = DECIDED if source.kind == _DECISION else TOLD
                weights[source.turn] = max(weight, weights.get(source.turn, 0.0))
        return weights


def _score(one: FoundRound, weights: dict[int, float]) -> float:
    return TOLD if one.is_page else weights.get(one.turn, SAID)


def _rank(one: FoundRound) -> tuple[float, str, bool, int]:
    return -one.score, one.day[0] if one.day else "", not one.is_page, one.turn
