"""Tokens: made, listed and ended by whose they are, in person or by a token that may do that."""

from __future__ import annotations

import asyncio

from palaver.errors import BadId, BadValue, NotFound
from palaver.server.doors import TokenId
from palaver.server.entry import CurrentEntry, CurrentPrincipal
from palaver.server.routing import BODY, api_router, needs
from palaver.server.shapes import NewTokenBody
from palaver.server.views import NewTokenView, TokenList, TokenView
from palaver.times import parse

router = api_router("tokens")


@router.get("/api/tokens", summary="List tokens", **needs("admin", in_person=True))
async def list_tokens(entry: CurrentEntry, principal: CurrentPrincipal) -> TokenList:
    found = await asyncio.to_thread(entry.accounts.tokens, principal.user)
    return TokenList(tokens=[TokenView.of(token) for token in found])


@router.post(
    "/api/tokens",
    status_code=201,
    summary="Create a token",
    description="The secret is in this answer and nowhere else. Only who has the scope `admin` "
    "can give it to a token.",
    **needs("admin", *BODY, in_person=True),
)
async def create_token(
    entry: CurrentEntry,
    principal: CurrentPrincipal,
    body: NewTokenBody = NewTokenBody(),  # noqa: B008 - frozen
) -> NewTokenView:
    if "admin" in body.scopes:
        principal.require("admin")
    made = await asyncio.to_thread(
        entry.accounts.create_token,
        principal.user,
        name=body.name,
        scopes=body.scopes,
        expires=parse(body.expires) if body.expires is not None else None,
    )
    return NewTokenView(**dict(TokenView.of(made.token)), token=made.secret)


@router.delete(
    "/api/tokens/{tokenId}",
    summary="Revoke a token",
    description="It opens nothing from now on, and whatever it has open ends.",
    **needs("admin", BadId, NotFound, BadValue, in_person=True),
)
async def revoke_token(
    entry: CurrentEntry, principal: CurrentPrincipal, token_id: TokenId
) -> TokenView:
    token = await asyncio.to_thread(entry.accounts.revoke_token, principal.user, token_id)
    entry.watchman.wake()
    return TokenView.of(token)
