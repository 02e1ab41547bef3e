"""Me: who is signed in, and what they have chosen for themselves."""

from __future__ import annotations

import asyncio

from palaver.accounts import Principal
from palaver.app import Palaver
from palaver.conversation.records import Profile
from palaver.errors import ModelUnknown
from palaver.server.entry import CurrentEntry, CurrentPalaver, CurrentPrincipal, Entry
from palaver.server.routing import BODY, INDEX, SIGNED_IN, WRITE, api_router, needs
from palaver.server.shapes import ChoicesBody
from palaver.server.views import Me

router = api_router("me")


@router.get(
    "/api/me",
    summary="Who is signed in",
    description="`timezone` and `model` are what holds for this user; `chosen` names what of it "
    "they have chosen themselves. The settings decide the rest.",
    **needs(SIGNED_IN, *INDEX),
)
async def show_me(entry: CurrentEntry, palaver: CurrentPalaver, principal: CurrentPrincipal) -> Me:
    return await _shown(entry, palaver, principal, await palaver.me())


@router.patch(
    "/api/me",
    summary="Choose a time zone or a model",
    description="Fields that are left out stay as they are; `null` returns to the default. The "
    "zone is the one in which days begin and times are told from now on. The model answers where "
    "a conversation has none of its own.",
    **needs("write", ModelUnknown, *BODY, *INDEX, *WRITE),
)
async def change_me(
    entry: CurrentEntry, palaver: CurrentPalaver, principal: CurrentPrincipal, body: ChoicesBody
) -> Me:
    return await _shown(entry, palaver, principal, await palaver.set_me(body))


async def _shown(entry: Entry, palaver: Palaver, principal: Principal, profile: Profile) -> Me:
    return Me(
        **profile.model_dump(),
        name=await asyncio.to_thread(entry.accounts.name_of, principal.user),
        scopes=sorted(principal.scopes),
        assistant=palaver.settings.agent.name,
    )
