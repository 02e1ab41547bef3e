"""E-mail keeps the promises of every channel."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from email import message_from_bytes
from itertools import count

import pytest

from palaver.channels.email.channel import EmailChannel
from palaver.channels.port import Channel, Place, State, Take, Update
from tests.channels.contract import CODE, LONG, ChannelContract, Fault, Harness, message
from tests.channels.email.mails import NOW, OWNER, clock, mail, settings
from tests.channels.email.servers import PASSWORD, ImapServer, SmtpServer, imap, smtp
from tests.channels.email.test_receiving import QUICK


class MailHarness:
    """The channel with both servers."""

    place = Place("contact", OWNER, "Lunch")
    people: Sequence[Sequence[str]] = (
        ("owner@example.com", "Owner@EXAMPLE.com", ' "owner"@example.com'),
        ("j@j\u00e4ne.example", "J@xn--jne-qla.example"),
        ("owner+tag@example.com",),
    )
    nobody: Sequence[str] = ("owner", "a b@example.com", "owner@", "a@b, c@d")

    def __init__(self, box: ImapServer, post: SmtpServer) -> None:
        self._box = box
        self._post = post
        self._unsent: list[bytes] = []
        self._numbers = count(1)
        given = {"imapHost": "127.0.0.1", "smtpHost": "127.0.0.1", "password": PASSWORD}
        ports = {"imapPort": box.port, "smtpPort": post.port, "tls": False}
        self.channel: Channel = EmailChannel(settings(**given, **ports), clock, rhythm=QUICK)

    def shown(self) -> list[str]:
        """As mail programs do, each `Message-ID` once."""
        found: dict[str, str] = {}
        for envelope in self._post.got:
            assert isinstance(envelope.content, bytes)
            got = message_from_bytes(envelope.content)
            text = got.get_payload(decode=True)
            assert isinstance(text, bytes)
            found.setdefault(str(got["Message-ID"]), text.decode().strip())
        return list(found.values())

    def fail(self, fault: Fault | None) -> None:
        self._box.away = self._post.away = fault == "down"
        self._post.answers.clear()
        if fault == "down":
            self._box.cut()
        elif fault == "refusing":
            self._post.answers["RCPT"] = "550 nobody here"
        elif fault == "silent":
            self._post.answers["DATA"] = "silent"

    def write(self, text: str) -> None:
        self._unsent.append(mail(text, message_id=f"<{next(self._numbers)}@x>"))

    def again(self) -> None:
        """Whoever starts anew reads the last days again."""

    async def hear(self, take: Take) -> None:
        while self._unsent:
            await self._box.put(self._unsent.pop(0), when=NOW)
        left = (await (await self._box.mailbox()).snapshot()).exists
        done = asyncio.Event()

        async def taken(update: Update) -> None:
            nonlocal left
            await take(update)
            left -= 1
            if left == 0:
                done.set()

        def told(state: State, why: str | None) -> None:
            """Nobody asks here."""

        running = asyncio.ensure_future(self.channel.run(taken, told))
        async with asyncio.timeout(30):
            await done.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


class TestEmail(ChannelContract):
    @pytest.fixture
    async def harness(self) -> AsyncIterator[Harness]:
        async with imap() as box, smtp() as post:
            yield MailHarness(box, post)

    @pytest.mark.parametrize("text", LONG.values(), ids=LONG.keys())
    async def test_each_part_of_a_long_reply_is_taken(self, harness: Harness, text: str) -> None:
        """A mail may be as long as it wants."""
        assert harness.channel.split(text) == [text.strip()]
        await harness.channel.send(message(harness.place, text))
        assert len(harness.shown()) == 1

    def test_code_is_closed_and_opened_again(self, harness: Harness) -> None:
        (whole,) = harness.channel.split(LONG["code"])
        assert CODE in whole

    def test_no_part_begins_inside_a_character(self, harness: Harness) -> None:
        assert harness.channel.split(LONG["faces"]) == [LONG["faces"]]
