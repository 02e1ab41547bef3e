"""Both connections are encrypted, and whom they lead to is checked."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from palaver.channels.email.channel import EmailChannel
from palaver.errors import ChannelRefused, ChannelUnreachable
from tests.channels.email.mails import NOW, clock, mail, settings
from tests.channels.email.servers import PASSWORD, certified, imap, smtp
from tests.channels.email.test_receiving import QUICK, Desk
from tests.channels.email.test_sending import outgoing


async def test_mail_comes_and_goes_encrypted(tmp_path: Path) -> None:
    ours, theirs = certified(tmp_path)
    async with imap(tls=ours) as box, smtp(tls=ours) as post:
        hosts = {"imapHost": "127.0.0.1", "smtpHost": "127.0.0.1"}
        ports = {"imapPort": box.port, "smtpPort": post.port, "password": PASSWORD}
        channel = EmailChannel(settings(**hosts, **ports), clock, rhythm=QUICK, tls=theirs)
        assert (await channel.test()).ok
        await channel.send(outgoing())
        assert len(post.got) == 1
        desk = Desk()
        running = asyncio.ensure_future(channel.run(desk.take, desk.tell))
        await desk.until("connected")
        await box.put(mail("x" * 300_000), when=NOW)
        assert len((await desk.next()).text) == 200_000 + len(CUT)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

        stranger = EmailChannel(settings(**hosts, **ports), clock)
        assert "certificate" in (await stranger.test()).message
        with pytest.raises(ChannelUnreachable):
            await stranger.send(outgoing())
        assert len(post.got) == 1


CUT = "\n\n[The rest of this mail was too long to be kept.]"


async def test_a_password_is_not_sent_unless_it_is_encrypted() -> None:
    async with imap() as box, smtp() as post:
        given = {"imapHost": "127.0.0.1", "smtpHost": "127.0.0.1", "password": PASSWORD}
        ports = {"imapPort": box.port, "smtpPort": post.port}
        channel = EmailChannel(settings(**given, **ports), clock)
        assert not (await channel.test()).ok
        with pytest.raises((ChannelUnreachable, ChannelRefused)):
            await channel.send(outgoing())
        assert post.got == []
