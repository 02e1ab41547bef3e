"""Routing: a route says which scope it needs, and no body is read before that is checked.

The scope stands in the route's OpenAPI description (`x-scope`); the same word is enforced.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import Scope

from palaver.errors import (
    BadHost,
    BadJson,
    BadText,
    BadValue,
    CopyUnfinished,
    Forbidden,
    IndexDegraded,
    IndexRebuilding,
    LimitReached,
    PalaverError,
    SignInRequired,
    StorageBusy,
    StorageFailed,
    StorageFull,
    StorageUncertain,
    StorageUnreachable,
    StreamDamaged,
    TooLarge,
)
from palaver.server.bodies import SMALL, StrictRequest
from palaver.server.entry import Entry
from palaver.server.limits import Kind
from palaver.server.problems import Responses, documented
from palaver.server.queries import check_query, parameters

Handler = Callable[[Request], Coroutine[Any, Any, Response]]
Spend = Callable[..., None]
SCOPE = "x-scope"
MAX_BODY = "x-max-body"
"""How many bytes of a body are read."""
SPENDS = "x-spends"
"""Of what a request is one, as `server.limits` counts."""
IN_PERSON = "x-in-person"
"""Whether somebody who signed in by a browser needs no scope: it is about what is their own."""
OPEN = "open"
"""Instead of a scope: anybody may ask."""
SIGNED_IN = "signed-in"
"""Instead of a scope: any valid credentials will do."""

INDEX = (IndexRebuilding, IndexDegraded)
BODY = (BadJson, TooLarge, BadValue, BadText, LimitReached)
WRITE = (StorageFull, StorageUncertain, StreamDamaged)
"""Problems that reading, taking a body and writing can answer with."""
STORAGE = (StorageFailed, StorageBusy, StorageUnreachable)
"""Problems of whatever looks into the storage."""


class StrictRoute(APIRoute):
    """Looks at the query, admits, reads the body strictly, then lets FastAPI do its part."""

    def get_route_handler(self) -> Handler:
        handle = super().get_route_handler()
        stated = self.openapi_extra or {}
        known = parameters(self.dependant)

        async def strictly(request: Request) -> Response:
            check_query(request, known)
            spend = await _admit(request, stated)
            if kind := stated.get(SPENDS):
                spend(kind)
            if self.body_field is not None:
                request = await StrictRequest(request.scope, request.receive).load(
                    required=bool(self.body_field.field_info.is_required()),
                    limit=stated.get(MAX_BODY, SMALL),
                    spend=partial(spend, "bytes"),
                )
            return await handle(request)

        return strictly

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """An address that is spelt out is nobody's id."""
        if self.param_convertors and scope["path"] in scope["app"].state.spelt_out:
            return Match.NONE, {}
        return super().matches(scope)


async def _admit(request: Request, stated: Mapping[str, Any]) -> Spend:
    """How whoever sent it spends what they have."""
    entry: Entry = request.app.state.entry
    needed: str = stated[SCOPE]
    if needed == OPEN:
        entry.check_origin(request)
        return _nothing_spent
    principal = await entry.admit(request)
    if needed != SIGNED_IN and not (stated.get(IN_PERSON) and principal.in_person):
        principal.require(needed)
    request.state.principal = principal
    return partial(entry.limits.spend, principal.user)


def _nothing_spent(kind: Kind, amount: float = 1) -> None:
    """For somebody of whom nobody knows who it is."""


def spelt_out(routes: Iterable[Route]) -> frozenset[str]:
    """The addresses that hold no id."""
    return frozenset(route.path for route in routes if not route.param_convertors)


def api_router(tag: str, kind: type[APIRoute] = StrictRoute) -> APIRouter:
    return APIRouter(route_class=kind, tags=[tag], generate_unique_id_function=_name)


def _name(route: APIRoute) -> str:
    """How clients that are made from the description call a route."""
    return route.name


def needs(
    scope: str,
    *errors: type[PalaverError],
    max_body: int | None = None,
    answers: Responses | None = None,
    spends: Kind | None = None,
    in_person: bool = False,
) -> dict[str, Any]:
    """What a route states about itself: its scope, the problems it can answer with, of its good
    answers what their types do not tell, of what each request is one that a user has only so many
    of, and whether a browser needs no scope."""
    stated: dict[str, Any] = {SCOPE: scope}
    if max_body is not None:
        stated[MAX_BODY] = max_body
    if in_person:
        stated[IN_PERSON] = True
    if spends is not None:
        stated[SPENDS] = spends
        errors = (*errors, LimitReached)
    always: set[type[PalaverError]] = {BadHost, BadValue, BadText}
    if scope == OPEN:
        stated["security"] = []
    else:
        always |= {SignInRequired, Forbidden, CopyUnfinished, *STORAGE}
    found = {**(answers or {}), **documented(*always.union(errors))}
    return {"openapi_extra": stated, "responses": found}
