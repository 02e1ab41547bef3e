"""Whoever tries a channel out is told what is wrong, and soon."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from palaver.channels import port
from palaver.channels.email.channel import EmailChannel
from palaver.channels.port import Channel
from palaver.channels.telegram import TelegramChannel
from palaver.channels.trying import tried
from palaver.channels.whatsapp import WhatsAppChannel
from tests.channels.email.mails import clock, settings
from tests.channels.email.servers import PASSWORD, certified, imap, smtp
from tests.channels.local import LocalProvider
from tests.channels.telegram.provider import TelegramProvider
from tests.channels.whatsapp.provider import WhatsAppProvider
from tests.channels.world import Pigeon


def is_of_tls(tested: port.Tested, reason: str) -> bool:
    told = tested.message
    return not tested.ok and "encrypted connection to it fails" in told and reason in told


def whatsapp(provider: WhatsAppProvider, **given: Any) -> Channel:
    return WhatsAppChannel(provider.settings(**given))


def telegram(provider: TelegramProvider, **given: Any) -> Channel:
    return TelegramChannel(provider.settings(**given))


@pytest.mark.parametrize(
    ("provider", "make"), [(WhatsAppProvider(), whatsapp), (TelegramProvider(), telegram)]
)
async def test_a_failing_handshake_is_told_as_that(
    provider: LocalProvider, make: Callable[..., Channel]
) -> None:
    """The provider speaks plain HTTP where it is to be encrypted."""
    with provider:
        channel = make(provider, apiBase=f"https{provider.url.removeprefix('http')}")
        tested = await tried(channel)
        await channel.close()
        assert is_of_tls(tested, "wrong version number"), tested
        assert "port" in (tested.remedy or "")
        assert provider.calls == []
    channel = make(provider)
    assert "cannot be reached" in (await tried(channel)).message
    await channel.close()


async def test_a_mail_server_whose_handshake_fails(tmp_path: Path) -> None:
    ours, theirs = certified(tmp_path)
    async with imap(tls=ours) as box, smtp() as post, smtp(tls=ours) as good:
        at = {"imapHost": "127.0.0.1", "smtpHost": "127.0.0.1", "password": PASSWORD}
        ports = {"imapPort": box.port, "smtpPort": good.port}
        assert is_of_tls(
            await tried(EmailChannel(settings(**at, **ports), clock)), "certificate is not trusted"
        )
        trusted = EmailChannel(settings(**at, **ports), clock, tls=theirs)
        assert (await tried(trusted)).ok
        plain = EmailChannel(settings(**at, **ports | {"imapPort": post.port}), clock, tls=theirs)
        assert is_of_tls(await tried(plain), "")
        gone = EmailChannel(settings(**at, **ports | {"imapPort": 9}), clock, tls=theirs)
        assert "cannot be reached" in (await tried(gone)).message


async def test_whoever_is_silent_is_not_waited_for() -> None:
    class Silent(Pigeon):
        async def test(self) -> port.Tested:
            await asyncio.Event().wait()
            raise AssertionError

    tested = await tried(Silent(), patience=0)
    assert (tested.ok, tested.message) == (False, "Nobody answered within 0 seconds.")
