"""Metrics: how much is done, and how long it takes, for whoever runs the server."""

from __future__ import annotations

from collections import Counter

from fastapi import Response

from palaver.engines import LOCAL
from palaver.errors import Forbidden
from palaver.server.entry import CurrentEntry, CurrentPrincipal
from palaver.server.routing import api_router, needs
from palaver.telemetry.metrics import CONTENT_TYPE

router = api_router("health")


@router.get(
    "/metrics",
    summary="Counters and times, for Prometheus",
    description="How many turns, tokens, requests and jobs there are, and how long they take. "
    "There is nothing in it that anybody said, and no name of a user or a conversation. It is "
    "about everybody who is served, so only the user `local` sees it.",
    response_class=Response,
    response_description="The metrics, as text.",
    **needs("admin", answers={200: {"content": {CONTENT_TYPE: {"schema": {"type": "string"}}}}}),
)
async def show_metrics(entry: CurrentEntry, principal: CurrentPrincipal) -> Response:
    if principal.user != LOCAL:
        raise Forbidden(
            "How much everybody does is for whoever runs the server.",
            remedy=f"Use a token of the user {LOCAL}: `palaver tokens create --scope admin`.",
        )
    due = Counter((job.kind, job.state) for job in await entry.libraries.jobs())
    shown = entry.metrics.shown(due, open_now=len(entry.guests.present()))
    return Response(shown, media_type=CONTENT_TYPE)
