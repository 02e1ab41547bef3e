"""Search: what was said, found again."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from palaver.conversation.streams import check_conversation_id
from palaver.errors import BadCursor, BadId, BadText, BadValue, NotFound
from palaver.recall.results import SearchPage
from palaver.server.entry import CurrentPalaver
from palaver.server.routes.conversations import Limit
from palaver.server.routing import INDEX, api_router, needs
from palaver.server.shapes import Text

router = api_router("search")

Time = Annotated[Text | None, Query(description="A time (2026-02-14T09:00:00Z) or a day.")]


@router.get(
    "/api/search",
    summary="Find what was said",
    description="Conversations in which the words were said, best first.",
    **needs("recall", BadCursor, BadId, BadValue, BadText, NotFound, *INDEX),
)
async def search(
    *,
    palaver: CurrentPalaver,
    q: Annotated[Text, Query(description="The words to look for.")],
    channel: Text | None = None,
    from_: Annotated[Time, Query(alias="from")] = None,
    to: Time = None,
    day: Annotated[Text | None, Query(description="A day, such as 2026-02-14.")] = None,
    conversation_id: Annotated[Text | None, Query(alias="conversationId")] = None,
    limit: Limit = 10,
    cursor: Text | None = None,
) -> SearchPage:
    if conversation_id is not None:
        check_conversation_id(conversation_id)
    return await palaver.search_page(
        q,
        channel=channel,
        from_=from_,
        to=to,
        day=day,
        conversation_id=conversation_id,
        limit=limit,
        cursor=cursor,
    )
