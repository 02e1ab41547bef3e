"""The application: the routes, the guard before them, and their description."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute

from palaver.accounts import Accounts
from palaver.channels.directory import Directory
from palaver.server import problems
from palaver.server.addresses import Address
from palaver.server.assets import Assets
from palaver.server.describing import describe
from palaver.server.entry import Entry
from palaver.server.guard import Guard
from palaver.server.guests import Guests
from palaver.server.hosting import Host
from palaver.server.libraries import Libraries
from palaver.server.limits import Limits
from palaver.server.live import live_route
from palaver.server.mcp import mcp_route
from palaver.server.pages import page_routes
from palaver.server.passwords import PasswordDesk
from palaver.server.routes import ROUTERS
from palaver.server.routing import SIGNED_IN, api_router, needs, spelt_out
from palaver.server.watchman import Watchman
from palaver.settings import LimitSettings
from palaver.telemetry.metrics import Metrics
from palaver.times import Clock, system_clock

_NO_TELEMETRY = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""A variable in somebody's shell must not send addresses, which hold searches, anywhere."""


def create_app(
    libraries: Libraries,
    accounts: Accounts,
    address: Address,
    used: Callable[[str], None] = lambda code: None,
    *,
    metrics: Metrics | None = None,
    limits: LimitSettings | None = None,
    channels: Directory | None = None,
    clock: Clock = system_clock,
) -> FastAPI:
    """The web application of whoever `libraries` lets in, reached at `address`.

    `used` is told the code of each sign-in link that has been used. `metrics` are those that it
    shows, and to which it adds its requests. `limits` is how much one user may do. `channels` are
    those that run as long as it serves.
    """
    metrics = metrics or Metrics()
    app = FastAPI(
        title="Palaver",
        openapi_url=None,
        redirect_slashes=False,
        telemetry=_NO_TELEMETRY,  # pyright: ignore[reportArgumentType]
        lifespan=_watched,
    )
    guests = Guests()
    app.state.entry = Entry(
        libraries,
        accounts,
        address,
        used,
        metrics,
        limits=Limits(limits or LimitSettings(), reached=metrics.limit_reached),
        guests=guests,
        passwords=PasswordDesk(accounts),
        watchman=Watchman(accounts, guests),
        channels=Host(Directory() if channels is None else channels, libraries, clock),
    )
    app.add_middleware(
        Guard, hosts=address.origins, metrics=metrics, stopping=lambda: guests.closed
    )
    app.state.assets = Assets()
    routers, pages = (*ROUTERS, _description_router(app)), page_routes(app.state.assets)
    for router in routers:
        app.include_router(router)
    app.router.routes.extend([*pages, live_route(), mcp_route()])
    described = [route for router in routers for route in router.routes]
    routes = [*cast("list[APIRoute]", described), *pages]
    app.state.spelt_out = spelt_out(routes)
    problems.install(app, routes)
    return app


@asynccontextmanager
async def _watched(app: FastAPI) -> AsyncGenerator[None]:
    """As long as it serves, somebody looks after those who stay, and channels run."""
    entry: Entry = app.state.entry
    watching = asyncio.create_task(entry.watchman.watch())
    try:
        async with entry.channels.running():
            yield
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


def _description_router(app: FastAPI) -> APIRouter:
    router = api_router("description")

    @router.get(
        "/openapi.json",
        summary="This description, as OpenAPI",
        response_description="An OpenAPI description.",
        **needs(SIGNED_IN),
    )
    async def show_description() -> dict[str, Any]:  # pyright: ignore[reportUnusedFunction]
        return await asyncio.to_thread(describe, app)  # the first time takes long

    return router
