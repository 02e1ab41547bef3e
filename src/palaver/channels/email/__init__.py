"""E-mail: IMAP in, SMTP out. `docs/explanation/mail.md` tells what is decided here, and why."""

from __future__ import annotations

from palaver.channels.port import Channel
from palaver.settings.channels import EmailSettings
from palaver.times import Clock


def make(settings: EmailSettings, clock: Clock) -> Channel:
    """The channel, as it is set up. Raises ChannelRefused if it is not."""
    from palaver.channels.email.channel import EmailChannel

    return EmailChannel(settings, clock)
