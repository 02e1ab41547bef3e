"""Showing what was found in the continuous conversation: who said it, and on which day."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from palaver.index.pieces import without_marks
from palaver.index.port import Index
from palaver.index.records import Message, StoredSummary
from palaver.index.rows import SPEAKING_ROLES, UNSAID
from palaver.index.summary_fold import day_kind, day_of
from palaver.recall.continuous_results import FoundMessage, FoundSummary
from palaver.recall.plain import plain_text
from palaver.recall.ranking import FoundRound
from palaver.recall.search import Asked
from palaver.recall.showing import show
from palaver.recall.snippet import snippet
from palaver.recall.window import TimeWindow

_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)
Result = FoundMessage | FoundSummary


class Showing:
    """Reads what is needed to show results of one user."""

    def __init__(self, index: Index, user: str) -> None:
        self._index = index
        self._user = user

    async def results(
        self, conversation_id: str, found: Sequence[FoundRound], answer: Asked
    ) -> list[Result]:
        """The results, without what was erased meanwhile. Raises NotFound, IndexUnavailable."""
        labels = [one.day[0] for one in found if one.is_page and one.day]
        told = await self._told(conversation_id, labels)
        places = [one.best for one in found if not one.is_page]
        said = (await self._index.shown(self._user, places, [])).messages
        results: list[Result] = []
        for one in found:
            if one.is_page:
                shown = _summary(one, told, answer)
            else:
                best = said.get(one.best)
                shown = await self._message(one, best, answer) if best else None
            if shown is not None:
                results.append(shown)
        return results

    async def _told(self, conversation_id: str, labels: Sequence[str]) -> dict[str, StoredSummary]:
        kinds = [day_kind(label) for label in labels]
        found = await self._index.summaries(self._user, conversation_id, kinds) if kinds else []
        return {label: one for one in found if (label := day_of(one.kind))}

    async def _message(self, one: FoundRound, best: Message, answer: Asked) -> FoundMessage | None:
        if best.role == "system":  # never searched: a model might take it for its own instructions
            return None
        shown = show(best, one, answer.terms)
        label, name = one.day or (None, None)
        return FoundMessage(
            day_label=label,
            day_segment_id=name,
            message_id=(await self._first(one, best, answer.reading.window)).id,
            snippet=shown.text,
            snippet_message_id=best.id,
            role=best.role,
            highlights=shown.highlights,
            covered_by_summary=one.covered,
            score=one.score,
            timestamp=best.timestamp,
            turn_number=one.turn,
        )

    async def _first(self, one: FoundRound, best: Message, window: TimeWindow | None) -> Message:
        """The first message of a round that was said in the window."""
        said = await self._index.turns(self._user, one.conversation_id, one.turn, one.turn)
        may = (
            message
            for message in said
            if message.role in SPEAKING_ROLES
            and message.status not in UNSAID
            and _is_within(message, window)
        )
        return next(may, best)


def _summary(
    one: FoundRound, told: Mapping[str, StoredSummary], answer: Asked
) -> FoundSummary | None:
    label, name = one.day or ("", "")
    summary = told.get(label)
    if summary is None:
        return None
    text = _HEADING.sub(r"\1:", plain_text(without_marks(summary.text)))
    shown = snippet(text, answer.terms)
    return FoundSummary(
        day_label=label,
        day_segment_id=name,
        summary_snippet=shown.text,
        highlights=shown.highlights,
        score=one.score,
        message_ids=summary.message_ids,
    )


def _is_within(message: Message, window: TimeWindow | None) -> bool:
    since, until = (window.from_, window.to) if window else (None, None)
    return (since is None or message.timestamp >= since) and (
        until is None or message.timestamp < until
    )
