"""Parameters that several routes take behind the `?`, said once."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from palaver.recall.window import MAX_RECENCY_DAYS
from palaver.server.shapes import ChannelQuery, DayOrTime, Text

_DAYS_AND_TIMES = ["2026-02-14", "2026-02-14T09:00:00Z"]

Limit = Annotated[int, Query(ge=1, le=200, description="At most this many.")]
Cursor = Annotated[Text | None, Query(description="`nextCursor` of the page before.")]
OfChannel = Annotated[ChannelQuery | None, Query(description="Only those of this channel.")]
Preview = Annotated[bool, Query(description="Only say what would go.")]
From = Annotated[
    DayOrTime | None,
    Query(alias="from", description="Not before this day or time.", examples=_DAYS_AND_TIMES),
]
To = Annotated[
    DayOrTime | None,
    Query(description="Not after this day, or before this time.", examples=_DAYS_AND_TIMES),
]
RecencyDays = Annotated[
    int,
    Query(
        alias="recencyDays",
        ge=0,
        le=MAX_RECENCY_DAYS,
        description="Only so many days back; 0 is no limit. A time that is named overrides it.",
    ),
]
WORDS = "What to look for. Everything in it is words: there are no operators."
