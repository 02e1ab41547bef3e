"""Search: what was said, found again."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from palaver.errors import BadCursor, BadId, BadText, BadValue, NotFound
from palaver.recall.results import AnyKind, SearchPage
from palaver.server.doors import access_searched
from palaver.server.entry import CurrentPalaver, CurrentPrincipal
from palaver.server.routes.parameters import WORDS, Cursor, From, Limit, RecencyDays, To
from palaver.server.routing import INDEX, api_router, needs
from palaver.server.shapes import ChannelQuery, Day, NamedPlace, Text

router = api_router("search")


@router.get(
    "/api/search",
    summary="Find what was said",
    description="By word and by meaning, best first. A time that `q` names, such as "
    "`the invoice last March`, is read in the user's time zone and applied, unless a time is "
    "given or nothing was said then; `timeWindow` is what was applied. `highlights` counts in "
    "characters of `snippet`. A cursor belongs to the same query with the same filters. What "
    "outsiders wrote appears with `kind=external` only, and `external` says whose words they are.",
    **needs("recall", BadCursor, BadId, BadValue, BadText, NotFound, *INDEX, spends="searches"),
)
async def search(
    *,
    palaver: CurrentPalaver,
    principal: CurrentPrincipal,
    q: Annotated[
        Text,
        Query(
            description=WORDS,
            examples=["login bug", "the trip to the coast last March"],
        ),
    ],
    channel: Annotated[
        ChannelQuery | None, Query(description="Only in this channel.", examples=["email"])
    ] = None,
    from_: From = None,
    to: To = None,
    day: Annotated[
        Day | None,
        Query(description="Only on this day of the user's time zone.", examples=["2026-02-14"]),
    ] = None,
    recency_days: RecencyDays = 0,
    conversation_id: Annotated[
        NamedPlace | None,
        Query(
            alias="conversationId",
            description="Only in this conversation; or in this external communication, of that "
            "kind.",
        ),
    ] = None,
    kind: Annotated[
        AnyKind,
        Query(
            description="What a result is: a conversation, a single turn (`message`), or a message "
            "of an external communication (`external`), which is found in no other way. That is by "
            "word alone, and needs the scope `read`, too."
        ),
    ] = "conversation",
    ignore_time_phrases: Annotated[
        bool,
        Query(alias="ignoreTimePhrases", description="Take a time in `q` for mere words."),
    ] = False,
    limit: Limit = 10,
    cursor: Cursor = None,
    explain: Annotated[
        bool, Query(description="With every part of each score, in `explanation`.")
    ] = False,
) -> SearchPage:
    outside = kind == "external"
    if outside:
        principal.require("read")
    return await palaver.search_page(
        q,
        channel=channel,
        from_=from_,
        to=to,
        day=day,
        recency_days=recency_days,
        conversation_id=access_searched(principal, conversation_id, outside=outside)
        if conversation_id
        else None,
        ignore_time_phrases=ignore_time_phrases,
        kind=kind,
        limit=limit,
        cursor=cursor,
        explain=explain,
    )
