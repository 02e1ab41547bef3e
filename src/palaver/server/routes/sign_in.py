"""Signing in with a link, and signing out."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from palaver.errors import Forbidden, SignInRequired, StorageFull
from palaver.server.entry import CurrentEntry
from palaver.server.routing import BODY, OPEN, SIGNED_IN, STORAGE, api_router, needs
from palaver.server.shapes import SignIn

router = api_router("sign-in")
_MAX_BODY = 4 * 1024
"""Anybody may send it, so it is read no further than a code can be long."""


@router.post(
    "/api/login",
    status_code=204,
    summary="Sign a browser in",
    description="Trades the code of a sign-in link for a cookie. A code works once.",
    **needs(OPEN, SignInRequired, Forbidden, *STORAGE, *BODY, StorageFull, max_body=_MAX_BODY),
)
async def sign_in(entry: CurrentEntry, body: SignIn) -> Response:
    response = Response(status_code=204)
    await entry.sign_in(body.code, response)
    return response


@router.post(
    "/api/logout",
    status_code=204,
    summary="Sign this browser out",
    **needs(SIGNED_IN),
)
async def sign_out(entry: CurrentEntry, request: Request) -> Response:
    response = Response(status_code=204)
    await entry.sign_out(request, response)
    return response
