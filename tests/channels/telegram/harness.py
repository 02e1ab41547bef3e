"""The channel of Telegram with a provider on this machine: as it is asked, and as it calls."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import count

from palaver.channels.port import Channel, Place, Take, Webhook
from palaver.channels.telegram import TelegramChannel
from palaver.channels.telegram.channel import HEADER
from tests.channels.contract import Fault
from tests.channels.local import Json
from tests.channels.telegram.provider import SECRET, TelegramProvider, payload, refusal
from tests.channels.waiting import at_once, hear

ADDRESS = "https://palaver.example.org/channels/telegram"


class TelegramHarness:
    """It asks for messages."""

    channel: Channel
    place = Place("contact", "501")
    people: Sequence[Sequence[str]] = (
        ("501", " 501 ", "00501", "tg://user?id=501", "telegram:501"),
        ("502",),
        ("-1001234567890",),
    )
    nobody: Sequence[str] = ("@adab", "Ada", "0", "-0", "٥٠١", "５０１", "5 01", "1" * 19, "501.0")

    def __init__(self, provider: TelegramProvider) -> None:
        self.provider = provider
        self.telegram = self.channel = TelegramChannel(
            provider.settings(), wait=at_once, seconds=20
        )
        self._numbers = count(1)

    def shown(self) -> list[str]:
        return [one["seen"] for one in self.provider.shown]

    def fail(self, fault: Fault | None) -> None:
        self.provider.cuts = fault == "silent"
        if fault == "down":
            self.provider.stop()
        elif fault == "refusing":
            blocked = "Forbidden: bot was blocked by the user"
            self.provider.lay_out(*refusal(403, blocked))
        elif fault is None:
            self.provider.stop()
            self.provider.start()

    def written(self, text: str) -> Json:
        number = next(self._numbers)
        told = payload("text")
        told["update_id"] += number
        told["message"].update(message_id=number, text=text)
        return told

    def write(self, text: str) -> None:
        self.provider.write(self.written(text))

    def again(self) -> None:
        self.provider.repeat()

    async def hear(self, take: Take) -> None:
        await hear(self.channel, take, len(self.provider.updates))


class CalledTelegramHarness(TelegramHarness):
    """It is called."""

    def __init__(self, provider: TelegramProvider) -> None:
        super().__init__(provider)
        provider.webhook["url"] = ADDRESS
        settings = provider.settings(mode="webhook", secretToken=SECRET)
        self.telegram = self.channel = TelegramChannel(settings, wait=at_once, seconds=20)

    async def hear(self, take: Take) -> None:
        """As the server does: a call that was not taken is made again."""
        while self.provider.updates:
            body = json.dumps(self.provider.updates[0]).encode()
            for update in self.telegram.read(body, self.claim(body)):
                await take(update)
            self.provider.updates.pop(0)

    def call(self) -> tuple[bytes, dict[str, str]]:
        body = json.dumps(payload("text")).encode()
        return body, self.claim(body)

    def claim(self, body: bytes) -> dict[str, str]:
        return {"content-type": "application/json", HEADER: SECRET}

    def without_secret(self) -> Webhook:
        return TelegramChannel(self.provider.settings(mode="webhook"))
