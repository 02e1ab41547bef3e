"""Insights: how much was said, what it cost, and how much is kept."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from palaver.conversation.insights import MOST_DAYS, Insights
from palaver.errors import BadValue
from palaver.server.entry import CurrentPalaver
from palaver.server.routing import INDEX, api_router, needs
from palaver.server.shapes import Day

router = api_router("insights")
_EXAMPLES = ["2026-02-14"]


@router.get(
    "/api/insights",
    summary="How much was said",
    description="Messages, turns, tokens and cost by day, by model and by channel. Days are those "
    "of the user's time zone; those on which nothing was said are left out. Without `from` and "
    f"`to` it is the last year, and at most {MOST_DAYS} days. `storage` and `index` say how much "
    "is kept, and how far the index can be trusted.",
    **needs("read", BadValue, *INDEX),
)
async def show_insights(
    palaver: CurrentPalaver,
    from_: Annotated[
        Day | None, Query(alias="from", description="The first day.", examples=_EXAMPLES)
    ] = None,
    to: Annotated[
        Day | None, Query(description="The last day, which is included.", examples=_EXAMPLES)
    ] = None,
) -> Insights:
    return await palaver.insights(from_=from_, to=to)
