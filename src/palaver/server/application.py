"""The application: the routes, the guard before them, and their description."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version
from typing import Any, cast

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from palaver.accounts import Accounts
from palaver.server import problems
from palaver.server.addresses import Address
from palaver.server.entry import Entry
from palaver.server.guard import Guard
from palaver.server.guests import Guests
from palaver.server.libraries import Libraries
from palaver.server.limits import Limits
from palaver.server.live import live_route
from palaver.server.pages import page_routes
from palaver.server.routes import ROUTERS
from palaver.server.routing import SIGNED_IN, api_router, needs
from palaver.server.watchman import Watchman
from palaver.settings import LimitSettings
from palaver.telemetry.metrics import Metrics

_ABOUT = (
    "Everything that was said, and a way to go on. JSON is camelCase, times are UTC, lists go on "
    "with `cursor` → `nextCursor`, and every error is a problem document with a stable `code`. "
    "`x-scope` names the scope a token needs."
)
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
) -> FastAPI:
    """The web application of whoever `libraries` lets in, reached at `address`.

    `used` is told the code of each sign-in link that has been used. `metrics` are those that it
    shows, and to which it adds its requests. `limits` is how much one user may do.
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
        watchman=Watchman(accounts, guests),
    )
    app.add_middleware(
        Guard, hosts=address.origins, metrics=metrics, stopping=lambda: guests.closed
    )
    routers, pages = (*ROUTERS, _description_router(app)), page_routes()
    for router in routers:
        app.include_router(router)
    app.router.routes.extend([*pages, live_route()])
    described = [route for router in routers for route in router.routes]
    problems.install(app, [*cast("list[APIRoute]", described), *pages])
    return app


@asynccontextmanager
async def _watched(app: FastAPI) -> AsyncGenerator[None]:
    """As long as it serves, somebody looks after those who stay."""
    entry: Entry = app.state.entry
    watching = asyncio.create_task(entry.watchman.watch())
    try:
        yield
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


def _description_router(app: FastAPI) -> APIRouter:
    router = api_router("description")

    @router.get("/openapi.json", summary="This description, as OpenAPI", **needs(SIGNED_IN))
    async def openapi() -> dict[str, Any]:  # pyright: ignore[reportUnusedFunction]
        return describe(app)

    return router


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI description of every route of the API."""
    if app.openapi_schema is None:
        found = get_openapi(
            title="Palaver", version=version("palaver"), description=_ABOUT, routes=app.routes
        )
        components: dict[str, Any] = found.setdefault("components", {})
        components["schemas"]["Problem"] = problems.Problem.model_json_schema()
        components["securitySchemes"] = {
            "token": {"type": "http", "scheme": "bearer"},
            "browser": {
                "type": "apiKey",
                "in": "cookie",
                "name": app.state.entry.address.cookie,
            },
        }
        found["security"] = [{"token": []}, {"browser": []}]
        app.openapi_schema = found
    return app.openapi_schema
