"""What `palaver doctor` looks at of the channels: it connects to each, and sends nothing."""

from __future__ import annotations

import asyncio

from palaver.channels.connection import Connection
from palaver.channels.directory import connected
from palaver.channels.port import Tested
from palaver.channels.trying import tried
from palaver.cli.checks import Check
from palaver.errors import BadSetting, ChannelError
from palaver.settings import ChannelSettings, ChannelsSettings
from palaver.times import system_clock


def check_channels(settings: ChannelsSettings) -> list[Check]:
    """Whether those that are enabled can be connected, and who is known there."""
    return asyncio.run(_check_all(settings))


async def _check_all(settings: ChannelsSettings) -> list[Check]:
    found = settings.enabled().items()
    return await asyncio.gather(*(_check_safely(name, one) for name, one in found))


async def _check_safely(name: str, settings: ChannelSettings) -> Check:
    """Whatever a channel does: the other checks go on."""
    about = f"channel {name}"
    try:
        return await _check_channel(about, name, settings)
    except Exception as error:  # noqa: BLE001 - channels may be anybody's
        return Check(
            "fail",
            about,
            f"The channel broke down: {type(error).__name__}.",
            "That is a mistake in the channel. Tell it to whoever makes it.",
        )


async def _check_channel(about: str, name: str, settings: ChannelSettings) -> Check:
    try:
        by = connected(name, settings, system_clock)
    except (BadSetting, ChannelError) as error:
        return Check("fail", about, error.message, error.remedy)
    try:
        return _found(about, by, await tried(by.channel))
    finally:
        await by.channel.close()


def _found(about: str, by: Connection, tested: Tested) -> Check:
    if not tested.ok:
        return Check("fail", about, tested.message, tested.remedy)
    if not by.owners:
        return Check(
            "warn",
            about,
            f"{tested.message} Nobody is the owner there: whoever writes is an outsider.",
            "Name yourself in its `ownerIdentities`.",
        )
    who = ", ".join(by.owners)
    status = "warn" if tested.remedy else "ok"
    return Check(status, about, f"{tested.message} The owner is {who}.", tested.remedy)
