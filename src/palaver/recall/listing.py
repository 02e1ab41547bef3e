"""Listing what was said at a time: decisions first, then what a summary tells of, then the rest.

A query that names nothing but a time has no words to score by. So what was said then is scored by
what the summaries of its days, or the abbreviation of its conversation, make of it. Of equal ones
the newest comes first; in the continuous conversation, they follow each other as they were said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from palaver.index.port import Index
from palaver.index.records import StoredSummary
from palaver.index.summary_fold import day_kind
from palaver.recall.ranking import Found, FoundRound
from palaver.recall.results import MAX_RESULTS

DECIDED, TOLD, SAID = 1.0, 0.75, 0.5
"""The score of a turn in which something was decided, of a summary and of a turn that it stands on,
and of any other turn."""
LOOKED_AT = 2000
"""So many of the newest turns of that time are looked at."""
MOST_TOLD = 50
"""Of so many conversations is read what tells of them."""
_DECISION = "decision"


class Listing:
    """Puts what one user said at a time in order."""

    def __init__(self, index: Index, user: str) -> None:
        self._index = index
        self._user = user

    async def weighed(self, found: Found) -> Found:
        """What was found in all conversations, the most important first. Raises
        IndexUnavailable."""
        names = dict.fromkeys(name for name, _ in found.turns(LOOKED_AT))
        told = await self._index.telling(self._user, list(names)[:MOST_TOLD])
        weights = {
            (name, turn): weight
            for name, summaries in told.items()
            for turn, weight in _weights(summaries).items()
        }
        return found.weighed(weights, SAID)

    async def ordered(self, conversation_id: str, rounds: Sequence[FoundRound]) -> list[FoundRound]:
        """What was found in the continuous conversation: the most important first, then in the
        order of time. Raises NotFound, IndexUnavailable."""
        kinds = [day_kind(label) for label in sorted({one.day[0] for one in rounds if one.day})]
        asked = (self._user, conversation_id, kinds)
        weights = _weights(await self._index.summaries(*asked) if kinds else ())
        scored = [replace(one, score=_score(one, weights)) for one in rounds]
        return sorted(scored, key=_rank)[:MAX_RESULTS]


def _weights(summaries: Iterable[StoredSummary]) -> dict[int, float]:
    """What summaries make of turns."""
    weights: dict[int, float] = {}
    for source in (source for told in summaries for source in told.sources):
        weight = DECIDED if source.kind == _DECISION else TOLD
        weights[source.turn] = max(weight, weights.get(source.turn, 0.0))
    return weights


def _score(one: FoundRound, weights: dict[int, float]) -> float:
    return TOLD if one.is_page else weights.get(one.turn, SAID)


def _rank(one: FoundRound) -> tuple[float, str, bool, int]:
    return -one.score, one.day[0] if one.day else "", not one.is_page, one.turn
