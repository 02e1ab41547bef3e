"""Health: whether the process lives, whether it can answer, and how the index is."""

from __future__ import annotations

from palaver.errors import Stopping
from palaver.index.records import Health
from palaver.server.entry import CurrentEntry, CurrentPalaver
from palaver.server.guard import ALIVE
from palaver.server.routing import INDEX, OPEN, STORAGE, api_router, needs
from palaver.server.views import Alive, ServedHealth

router = api_router("health")


@router.get(ALIVE, summary="Whether the process answers", **needs(OPEN))
async def alive() -> Alive:
    return Alive()


@router.get(
    "/readyz",
    summary="Whether conversations can be read and written",
    description="Stays ready while the index is rebuilt, once the list of conversations answers, "
    "and while search finds words only because there is no embedding model. On PostgreSQL it is "
    "ready while the database answers. A server that is being stopped says `stopping`.",
    **needs(OPEN, Stopping, *INDEX, *STORAGE),
)
async def ready(entry: CurrentEntry) -> Alive:
    await entry.libraries.ready()
    return Alive()


@router.get(
    "/api/health",
    summary="How far the index can be trusted",
    description="`done` and `total` are the progress of a rebuild, in bytes of the ledger. It is "
    "`degraded` as well when search finds words only, because there is no embedding model: "
    "`detail` says so, and everything else works. A background job that keeps the index in "
    "order and failed makes it `degraded`, too: `/api/jobs` lists them. `started` "
    "tells what was done when your conversations were opened, to bring them into order.",
    **needs("read", *STORAGE),
)
async def health(palaver: CurrentPalaver) -> ServedHealth:
    return ServedHealth(**palaver.health().model_dump(), started=await palaver.started())


@router.post(
    "/api/rebuild",
    summary="Make the index again",
    description="Every row is made again from the ledger; nothing that was said is touched. "
    "Answers when it is done; `/api/health` tells the progress meanwhile.",
    **needs("write", *INDEX),
)
async def rebuild(palaver: CurrentPalaver) -> Health:
    await palaver.rebuild()
    return palaver.health()
