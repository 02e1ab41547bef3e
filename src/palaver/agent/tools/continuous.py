"""The tools for the continuous conversation: `conversation_search` and `conversation_get`."""

from __future__ import annotations

from palaver.agent.tools.continuous_shapes import (
    DayMessage,
    DaysGetAnswer,
    DaysGetArguments,
    DaysSearchAnswer,
    DaysSearchArguments,
    DaySummaryShown,
    DayTold,
    DayTurn,
)
from palaver.agent.tools.past import Past
from palaver.agent.tools.recall import spoken_date
from palaver.errors import NotFound
from palaver.recall.continuous_results import ExcerptMessage, FoundMessage, FoundSummary

_REMEDY = "Use an id that conversation_search or conversation_get gave."


async def conversation_search(past: Past, given: DaysSearchArguments) -> DaysSearchAnswer:
    """Raises InputError, IndexUnavailable."""
    page = await past.archive.continuous.search(
        given.query,
        day=given.day,
        from_=given.from_,
        to=given.to,
        recency_days=given.recency_days,
        limit=given.limit,
        cursor=given.cursor,
        min_score=given.min_score,
        before=past.before,
    )
    return DaysSearchAnswer(
        results=[_found(past, one) for one in page.results],
        next_cursor=page.next_cursor,
        time_window=page.time_window,
        empty_window=page.empty_window,
    )


def _found(past: Past, one: FoundMessage | FoundSummary) -> DayMessage | DayTold:
    told = one.model_dump(exclude={"highlights", "turn_number"})
    if isinstance(one, FoundSummary):
        return DayTold.model_validate(told)
    date = spoken_date(one.timestamp, past.zone())
    return DayMessage.model_validate({**told, "date": date})


async def conversation_get(past: Past, given: DaysGetArguments) -> DaysGetAnswer:
    """Raises InputError, NotFound, IndexUnavailable."""
    try:
        found = await past.archive.continuous.get(**dict(given))
    except NotFound as error:
        raise NotFound(error.message, remedy=_REMEDY) from None
    summary = found.summary
    return DaysGetAnswer(
        messages=[_turn(past, one) for one in found.messages],
        summary=DaySummaryShown.model_validate(summary.model_dump()) if summary else None,
        truncated=found.truncated,
        next_before_message_id=found.next_before_message_id,
        next_after_message_id=found.next_after_message_id,
    )


def _turn(past: Past, one: ExcerptMessage) -> DayTurn:
    date = spoken_date(one.created_at, past.zone())
    return DayTurn.model_validate({**one.model_dump(), "date": date})
