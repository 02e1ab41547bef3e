"""Problems: every error leaves as `application/problem+json` with a stable code and a remedy."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Match, Route
from starlette.types import Scope

from palaver.conversation.streams import check_conversation_id
from palaver.errors import BadMethod, BadValue, LimitReached, NotFound, PalaverError, SignInRequired
from palaver.index.records import Record
from palaver.server.bodies import LingeringResponse, Unread
from palaver.server.pages import problem_page

MEDIA_TYPE = "application/problem+json"
_UNAVAILABLE = 503
_RETRY_SECONDS = "1"
Responses = dict[int | str, dict[str, Any]]
CODES = "x-codes"
"""Which codes the problems of an answer can have."""
_RETRY_AFTER = {
    "Retry-After": {
        "description": "After how many seconds it is worth while to try again.",
        "schema": {"type": "integer", "minimum": 0},
    }
}
_HEADERS: dict[int, dict[str, Any]] = {
    SignInRequired.status: {
        "WWW-Authenticate": {
            "description": "What kind of credentials are taken.",
            "schema": {"type": "string", "const": "Bearer"},
        }
    },
    LimitReached.status: _RETRY_AFTER,
    _UNAVAILABLE: _RETRY_AFTER,
}
"""Status → the headers that problems come with."""


class Problem(Record):
    """Why a request was refused, and what to do about it (RFC 9457)."""

    type: str
    """The code, as a URN."""
    title: str
    """What kind of problem it is, in one sentence."""
    status: int = Field(ge=400, le=599)
    """The status of the answer."""
    detail: str
    """What is wrong here, in one sentence."""
    code: str
    """Stable: programs branch on it."""
    remedy: str
    """What to do about it."""


def problem(error: PalaverError) -> Problem:
    """What goes out for `error`."""
    return Problem(
        type=f"urn:palaver:problem:{error.code}",
        title=(type(error).__doc__ or "").partition("\n")[0],
        status=error.status,
        detail=error.message,
        code=error.code,
        remedy=error.remedy,
    )


def problem_response(error: PalaverError) -> Response:
    headers = {"WWW-Authenticate": "Bearer"} if isinstance(error, SignInRequired) else {}
    if isinstance(error, LimitReached):
        headers["Retry-After"] = str(ceil(error.retry_after))
    elif error.retriable and error.status == _UNAVAILABLE:
        headers["Retry-After"] = _RETRY_SECONDS
    kind = LingeringResponse if isinstance(error, Unread) else JSONResponse
    return kind(
        problem(error).to_json(),
        status_code=error.status,
        headers=headers,
        media_type=MEDIA_TYPE,
    )


def documented(*errors: type[PalaverError]) -> Responses:
    """How the problems a route can answer with appear in its description."""
    by_status: dict[int, list[type[PalaverError]]] = {}
    for error in sorted(errors, key=lambda error: (error.status, error.code)):
        by_status.setdefault(error.status, []).append(error)
    return {status: _description(kinds) for status, kinds in by_status.items()}


def _description(kinds: Sequence[type[PalaverError]]) -> dict[str, Any]:
    reference = {"$ref": "#/components/schemas/Problem"}
    lines = [f"`{kind.code}`: {(kind.__doc__ or '').partition(chr(10))[0]}" for kind in kinds]
    found = {
        "description": " ".join(lines),
        "content": {MEDIA_TYPE: {"schema": reference}},
        CODES: [kind.code for kind in kinds],
    }
    headers = _HEADERS.get(kinds[0].status)
    return {**found, "headers": headers} if headers else found


def install(app: FastAPI, routes: Sequence[Route]) -> None:
    """Makes every error of the application a problem document; `routes` are all it has."""

    async def from_http(request: Request, error: Exception) -> Response:
        if cast("HTTPException", error).status_code == BadMethod.status:
            response = problem_response(BadMethod())
            response.headers["Allow"] = ", ".join(_methods(routes, request.scope))
            return response
        return _told(request, _unknown_address(request.scope["path"]))

    app.add_exception_handler(PalaverError, _from_palaver)
    app.add_exception_handler(RequestValidationError, _from_validation)
    app.add_exception_handler(HTTPException, from_http)


def _methods(routes: Sequence[Route], scope: Scope) -> list[str]:
    """What can be done at an address, by any route that it leads to."""
    matching = [route for route in routes if route.matches(scope)[0] is not Match.NONE]
    methods = {method for route in matching for method in route.methods or ()}
    return sorted(methods | ({"HEAD"} if "GET" in methods else set[str]()))


async def _from_palaver(request: Request, error: Exception) -> Response:
    return _told(request, cast("PalaverError", error))


def _told(request: Request, error: PalaverError) -> Response:
    """The problem, for programs; a page, for somebody who opened the address in a browser."""
    for_people = "text/html" in request.headers.get("accept", "")
    if for_people and not request.scope["path"].startswith("/api/"):
        return problem_page(request.app.state.assets, error)
    return problem_response(error)


async def _from_validation(_: Request, error: Exception) -> Response:
    first = cast("RequestValidationError", error).errors()[0]
    return problem_response(BadValue(_sentence(first), remedy="Correct it and try again."))


def _unknown_address(path: str) -> PalaverError:
    """An id with a slash in it makes an unknown address; what is wrong is still the id."""
    match path.split("/"):
        case ["", "api", "conversations", conversation_id, *_]:
            try:
                check_conversation_id(conversation_id)
            except PalaverError as error:
                return error
        case _:
            pass
    return NotFound("There is nothing at this address.", remedy="`/docs` lists every address.")


def _sentence(error: dict[str, Any]) -> str:
    """What is wrong with which field; never what was in it."""
    place = ".".join(str(part) for part in error["loc"][1:]) or "The body"
    match error["type"]:
        case "missing":
            return f"{place} is missing."
        case "extra_forbidden":
            return f"There is no field {place[:80]!r}."
        case _:
            message: str = error["msg"]
            return f"{place}: {message[0].lower()}{message[1:]}."
