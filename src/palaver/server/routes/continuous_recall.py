"""What was said in the continuous conversation: found again, and read word for word."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from palaver.conversation.excerpts import MOST as MOST_MESSAGES
from palaver.errors import BadCursor, BadId, BadText, BadValue, NotFound
from palaver.recall.continuous import LIMIT, MOST, RECENCY_DAYS
from palaver.recall.continuous_results import ContinuousExcerpt, ContinuousPage
from palaver.server.doors import access_day, access_message
from palaver.server.entry import CurrentPalaver, CurrentPrincipal
from palaver.server.routes.parameters import WORDS, Cursor, From, RecencyDays, To
from palaver.server.routing import INDEX, api_router, needs
from palaver.server.shapes import Day, NamedDay, NamedMessage, Text

router = api_router("continuous")


@router.get(
    "/api/continuous/search",
    summary="Find what was said in the continuous conversation",
    description="Turns and summaries of days in one list, best first. A time that `query` names, "
    "such as `yesterday between 2 and 4 pm`, is read in the user's time zone and applied, unless a "
    "time is given; it goes before `recencyDays`. `highlights` counts in characters. A cursor "
    "belongs to the same query with the same filters.",
    **needs("recall", BadCursor, BadValue, BadText, *INDEX, spends="searches"),
)
async def search_days(
    *,
    palaver: CurrentPalaver,
    query: Annotated[
        Text,
        Query(
            description=WORDS,
            examples=["which tiles did we choose"],
        ),
    ],
    day: Annotated[
        Day | None,
        Query(description="Only on this day of the conversation.", examples=["2026-02-14"]),
    ] = None,
    from_: From = None,
    to: To = None,
    recency_days: RecencyDays = RECENCY_DAYS,
    limit: Annotated[int, Query(ge=1, le=MOST, description="At most this many.")] = LIMIT,
    cursor: Cursor = None,
    min_score: Annotated[
        float | None,
        Query(alias="minScore", ge=0, le=1, description="Only what scores at least so much."),
    ] = None,
) -> ContinuousPage:
    return await palaver.continuous.search(
        query,
        day=day,
        from_=from_,
        to=to,
        recency_days=recency_days,
        limit=limit,
        cursor=cursor,
        min_score=min_score,
    )


@router.get(
    "/api/continuous/messages",
    summary="Read what was said in the continuous conversation",
    description="One of: around `messageId`; of the day `daySegmentId`, its summary and its first "
    "messages; of that day from `fromMessageId` to `toMessageId`. `beforeMessageId` and "
    "`afterMessageId` give what comes before a message, or after it. What is given has about 6,000 "
    "tokens at most; `truncated` says that something did not fit.",
    **needs("read", BadId, BadValue, NotFound, *INDEX),
)
async def read_days(
    *,
    palaver: CurrentPalaver,
    principal: CurrentPrincipal,
    message_id: Annotated[
        NamedMessage | None, Query(alias="messageId", description="Around this message.")
    ] = None,
    day_segment_id: Annotated[
        NamedDay | None, Query(alias="daySegmentId", description="Of this day.")
    ] = None,
    from_message_id: Annotated[
        NamedMessage | None,
        Query(alias="fromMessageId", description="From this message of the day on."),
    ] = None,
    to_message_id: Annotated[
        NamedMessage | None,
        Query(alias="toMessageId", description="Up to this message of the day."),
    ] = None,
    limit: Annotated[
        int, Query(ge=1, le=MOST_MESSAGES, description="At most this many.")
    ] = MOST_MESSAGES,
    before_message_id: Annotated[
        NamedMessage | None,
        Query(alias="beforeMessageId", description="What comes before this message."),
    ] = None,
    after_message_id: Annotated[
        NamedMessage | None,
        Query(alias="afterMessageId", description="What comes after this message."),
    ] = None,
) -> ContinuousExcerpt:
    messages = {
        "message_id": message_id,
        "from_message_id": from_message_id,
        "to_message_id": to_message_id,
        "before_message_id": before_message_id,
        "after_message_id": after_message_id,
    }
    given = {name: access_message(principal, named) for name, named in messages.items() if named}
    if day_segment_id is not None:
        given["day_segment_id"] = access_day(principal, day_segment_id)
    return await palaver.continuous.get(limit=limit, **given)
