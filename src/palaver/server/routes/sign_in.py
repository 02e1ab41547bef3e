"""Signing in with a link or a password, and signing out."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from palaver.errors import Forbidden, LimitReached, SignInRequired, StorageFull
from palaver.server.entry import CurrentEntry
from palaver.server.problems import Responses
from palaver.server.routing import BODY, OPEN, SIGNED_IN, STORAGE, api_router, needs
from palaver.server.shapes import LinkSignIn, SignIn

router = api_router("sign-in")
_MAX_BODY = 16 * 1024
"""Anybody may send it, so it is read no further than a password can be long."""


_COOKIE: Responses = {
    204: {
        "headers": {
            "Set-Cookie": {
                "description": "The cookie of a browser that is signed in.",
                "required": True,
                "schema": {"type": "string"},
            }
        }
    }
}


@router.post(
    "/api/login",
    status_code=204,
    summary="Sign a browser in",
    description="Trades the code of a sign-in link, or a name and its password, for a cookie. A "
    "code works once. After ten wrong passwords whoever tries has to wait.",
    response_description="The browser is signed in.",
    **needs(
        OPEN,
        SignInRequired,
        Forbidden,
        LimitReached,
        *STORAGE,
        *BODY,
        StorageFull,
        max_body=_MAX_BODY,
        answers=_COOKIE,
    ),
)
async def sign_in(entry: CurrentEntry, request: Request, body: SignIn) -> Response:
    response = Response(status_code=204)
    if isinstance(body, LinkSignIn):
        await entry.sign_in_by_link(body.code, response)
    else:
        await entry.sign_in_by_password(body.name, body.password, request, response)
    return response


@router.post(
    "/api/logout",
    status_code=204,
    summary="Sign this browser out",
    response_description="The browser is signed out.",
    **needs(SIGNED_IN),
)
async def sign_out(entry: CurrentEntry, request: Request) -> Response:
    response = Response(status_code=204)
    await entry.sign_out(request, response)
    return response
