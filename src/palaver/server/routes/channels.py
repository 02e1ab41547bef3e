"""Channels: how they fare, whether one works, and what could not be sent by them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path

from palaver.errors import BadId, Conflict, NotFound
from palaver.index.records import Delivery
from palaver.server.doors import MessageId
from palaver.server.entry import CurrentEntry, CurrentPalaver, CurrentPrincipal
from palaver.server.routing import INDEX, WRITE, api_router, needs
from palaver.server.shapes import ChannelQuery
from palaver.server.views import ChannelList, ChannelTest, ChannelView

router = api_router("channels")


@router.get(
    "/api/channels",
    summary="List channels",
    description="Those that you take part in, and how each fares. Nobody is asked anything. "
    "`webhook` is where its provider calls, below the address of this server.",
    **needs("read"),
)
async def list_channels(entry: CurrentEntry, principal: CurrentPrincipal) -> ChannelList:
    return ChannelList(
        channels=[
            ChannelView.of(one, entry.channels.connection(one.name), principal.user)
            for one in entry.channels.states(principal.user)
        ]
    )


@router.post(
    "/api/channels/{channelName}/test",
    summary="Try a channel out",
    description="Connects as for real, and sends nothing. `ok` says whether that worked, and "
    "`remedy` what to do if not.",
    **needs("admin", NotFound, spends="messages"),
)
async def test_channel(
    entry: CurrentEntry,
    principal: CurrentPrincipal,
    name: Annotated[ChannelQuery, Path(alias="channelName", description="The channel's name.")],
) -> ChannelTest:
    return ChannelTest.of(name, await entry.channels.test(principal.user, name))


@router.post(
    "/api/deliveries/{messageId}",
    summary="Send again what could not be delivered",
    description="A message of the agent whose `delivery.state` is `failed`. Parts that have "
    "arrived are not sent again. The answer says how far it is; an event tells the rest.",
    **needs("write", BadId, NotFound, Conflict, *INDEX, *WRITE, spends="messages"),
)
async def send_again(palaver: CurrentPalaver, message_id: MessageId) -> Delivery:
    return await palaver.correspondence.send_again(message_id)
