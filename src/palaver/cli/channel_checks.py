"""What `palaver doctor` looks at of the channels. None of them is connected."""

from __future__ import annotations

from collections.abc import Iterator

from palaver.channels.directory import connected
from palaver.cli.checks import Check
from palaver.errors import BadSetting, ChannelError
from palaver.settings import ChannelSettings, ChannelsSettings, EmailSettings
from palaver.times import system_clock


def check_channels(settings: ChannelsSettings) -> Iterator[Check]:
    """Whether those that are enabled could be connected, and who would be known there."""
    for name, one in settings.enabled().items():
        yield _check_channel(name, one)


def _check_channel(name: str, settings: ChannelSettings) -> Check:
    about = f"channel {name}"
    try:
        by = connected(name, settings, system_clock)
    except (BadSetting, ChannelError) as error:
        return Check("fail", about, error.message, error.remedy)
    if not by.owners:
        return Check(
            "warn",
            about,
            "Nobody is the owner there: whoever writes is an outsider.",
            "Name yourself in its `ownerIdentities`.",
        )
    if isinstance(settings, EmailSettings) and not settings.trusted_authserv_ids:
        return Check(
            "warn",
            about,
            "No mail is taken for the owner's: no server is trusted to say whose it is.",
            "Name your mail server in `channels.email.trustedAuthservIds`.",
        )
    who = ", ".join(by.owners)
    return Check("ok", about, f"The settings are complete; the owner is {who}.")
