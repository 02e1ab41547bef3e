"""Metrics: how much is done, and how long it takes, for whoever runs the server."""

from __future__ import annotations

from collections import Counter

from fastapi import Response

from palaver.server.entry import CurrentEntry
from palaver.server.routing import api_router, needs
from palaver.telemetry.metrics import CONTENT_TYPE

router = api_router("health")


@router.get(
    "/metrics",
    summary="Counters and times, for Prometheus",
    description="How many turns, tokens, requests and jobs there are, and how long they take. "
    "There is nothing in it that anybody said, and no name of a user or a conversation.",
    response_class=Response,
    response_description="The metrics, as text.",
    **needs("admin", answers={200: {"content": {CONTENT_TYPE: {"schema": {"type": "string"}}}}}),
)
async def show_metrics(entry: CurrentEntry) -> Response:
    due = Counter((job.kind, job.state) for job in await entry.libraries.jobs())
    shown = entry.metrics.shown(due, open_now=len(entry.guests.present()))
    return Response(shown, media_type=CONTENT_TYPE)
