"""The continuous conversation: today, its days, and what tells of them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path

from palaver.conversation.day_records import DayPage, DayView
from palaver.conversation.records import Reply
from palaver.errors import BadCursor, Conflict, NotFound
from palaver.server.entry import CurrentPalaver, CurrentPrincipal
from palaver.server.keys import KeyHeader, one_key
from palaver.server.routes.answering import ANSWERED, answer
from palaver.server.routes.parameters import Cursor, Limit
from palaver.server.routing import BODY, INDEX, WRITE, api_router, needs
from palaver.server.shapes import ContinuousMessage, Day, DaySummaryBody
from palaver.server.streams import CurrentListener
from palaver.server.views import Wanted

router = api_router("continuous")

Date = Annotated[Day, Path(description="The day, as 2026-02-14.")]


@router.get(
    "/api/continuous",
    summary="Today in the continuous conversation",
    description="The day to which the next message belongs, in the user's time zone, with its "
    "messages, its summary, and what is left open. There is one such conversation for each user; "
    "it begins with the first message.",
    **needs("read", *INDEX),
)
async def show_today(palaver: CurrentPalaver) -> DayView:
    return await palaver.continuous.today()


@router.get(
    "/api/continuous/days",
    summary="Days of the continuous conversation",
    description="Those on which something was said, newest first.",
    **needs("read", BadCursor, *INDEX),
)
async def list_days(
    palaver: CurrentPalaver,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> DayPage:
    return await palaver.continuous.days(limit=limit, cursor=cursor)


@router.get(
    "/api/continuous/days/{date}",
    summary="One day of the continuous conversation",
    description="As it is shown for today. A day never changes its date, wherever the user goes.",
    **needs("read", NotFound, *INDEX),
)
async def show_day(palaver: CurrentPalaver, date: Date) -> DayView:
    return await palaver.continuous.day(date)


@router.put(
    "/api/continuous/days/{date}/summary",
    summary="Write the summary of a day by hand",
    description="It tells as far as the one whose place it takes; lines that stay as they were "
    "keep the messages that they stand on. Whatever tells of the day later keeps these words.",
    **needs("write", NotFound, Conflict, *BODY, *INDEX, *WRITE, spends="messages"),
)
async def edit_day_summary(palaver: CurrentPalaver, date: Date, body: DaySummaryBody) -> DayView:
    return await palaver.continuous.edit(date, body.summary_markdown)


@router.post(
    "/api/continuous/days/{date}/summary",
    status_code=202,
    summary="Make the summary of a day again",
    description="It is made in the background; `day_summary_updated` comes by the WebSocket when "
    "it is there.",
    **needs("write", NotFound, *INDEX, spends="messages"),
)
async def regenerate_day_summary(palaver: CurrentPalaver, date: Date) -> Wanted:
    await palaver.continuous.regenerate(date)
    return Wanted(day=date)


@router.post(
    "/api/continuous/messages",
    summary="Say something in the continuous conversation",
    description="As `/api/chat`. The first message of a day opens it.",
    response_model=Reply,
    **ANSWERED,
)
async def say_today(
    *,
    palaver: CurrentPalaver,
    principal: CurrentPrincipal,
    stay: CurrentListener,
    body: ContinuousMessage,
    header: KeyHeader = None,
) -> Any:
    return await answer(
        palaver,
        body,
        stay,
        conversation_id=(await palaver.continuous.ensure()).id,
        key=one_key(body.key, body.idempotency_key, header),
        scopes=principal.scopes,
    )
