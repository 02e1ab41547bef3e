"""Routing: a route says which scope it needs, and nothing is read before that is checked.

The scope stands in the route's OpenAPI description (`x-scope`); the same word is enforced.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from palaver.errors import (
    BadHost,
    BadJson,
    BadText,
    BadValue,
    Forbidden,
    IndexDegraded,
    IndexRebuilding,
    PalaverError,
    SignInRequired,
    StorageFailed,
    StorageFull,
    StreamDamaged,
    TooLarge,
)
from palaver.server.bodies import StrictRequest
from palaver.server.entry import Entry, check_origin
from palaver.server.problems import documented

Handler = Callable[[Request], Coroutine[Any, Any, Response]]
SCOPE = "x-scope"
OPEN = "open"
"""Instead of a scope: anybody may ask."""
SIGNED_IN = "signed-in"
"""Instead of a scope: any valid credentials will do."""

INDEX = (IndexRebuilding, IndexDegraded)
BODY = (BadJson, TooLarge, BadValue, BadText)
WRITE = (StorageFull, StreamDamaged)
"""Problems that reading, taking a body and writing can answer with."""


class StrictRoute(APIRoute):
    """Admits, then reads the body strictly, then lets FastAPI do its part."""

    def get_route_handler(self) -> Handler:
        handle = super().get_route_handler()
        needed = (self.openapi_extra or {})[SCOPE]

        async def strictly(request: Request) -> Response:
            await _admit(request, needed)
            if self.body_field is not None:
                required = bool(self.body_field.field_info.is_required())
                request = await StrictRequest(request.scope, request.receive).load(
                    required=required
                )
            return await handle(request)

        return strictly


async def _admit(request: Request, needed: str) -> None:
    if needed == OPEN:
        check_origin(request)
        return
    entry: Entry = request.app.state.entry
    principal = await entry.admit(request)
    if needed != SIGNED_IN:
        principal.require(needed)
    request.state.principal = principal


def api_router(tag: str) -> APIRouter:
    return APIRouter(route_class=StrictRoute, tags=[tag])


def needs(scope: str, *errors: type[PalaverError]) -> dict[str, Any]:
    """What a route states about itself: its scope and the problems it can answer with."""
    if scope == OPEN:
        return {
            "openapi_extra": {SCOPE: scope, "security": []},
            "responses": documented(BadHost, *errors),
        }
    return {
        "openapi_extra": {SCOPE: scope},
        "responses": documented(SignInRequired, Forbidden, BadHost, StorageFailed, *errors),
    }
