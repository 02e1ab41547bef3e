"""Signing in with a link, signing out, and who is signed in."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from palaver.errors import Forbidden, SignInRequired, StorageFull
from palaver.server.entry import CurrentEntry, CurrentPalaver, CurrentPrincipal
from palaver.server.problems import Responses
from palaver.server.routing import BODY, OPEN, SIGNED_IN, STORAGE, api_router, needs
from palaver.server.shapes import Me, SignIn

router = api_router("sign-in")
_MAX_BODY = 4 * 1024
"""Anybody may send it, so it is read no further than a code can be long."""


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
    description="Trades the code of a sign-in link for a cookie. A code works once.",
    response_description="The browser is signed in.",
    **needs(
        OPEN,
        SignInRequired,
        Forbidden,
        *STORAGE,
        *BODY,
        StorageFull,
        max_body=_MAX_BODY,
        answers=_COOKIE,
    ),
)
async def sign_in(entry: CurrentEntry, body: SignIn) -> Response:
    response = Response(status_code=204)
    await entry.sign_in(body.code, response)
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


@router.get("/api/me", summary="Who is signed in", **needs(SIGNED_IN))
async def me(palaver: CurrentPalaver, principal: CurrentPrincipal) -> Me:
    settings = palaver.settings
    return Me(
        user=principal.user,
        scopes=sorted(principal.scopes),
        timezone=settings.user.timezone,
        assistant=settings.agent.name,
    )
