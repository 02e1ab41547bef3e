"""The channel of WhatsApp with a provider on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from palaver.channels.port import Channel, Place, Take, Webhook
from palaver.channels.whatsapp import WhatsAppChannel
from tests.channels.contract import Fault
from tests.channels.local import Json
from tests.channels.waiting import at_once
from tests.channels.whatsapp.provider import (
    WhatsAppProvider,
    calling,
    payload,
    refusal,
    signed,
)


class WhatsAppHarness:
    channel: Channel
    place = Place("contact", "4915112345678")
    people: Sequence[Sequence[str]] = (
        (
            *("4915112345678", "+49 151 12345678", "0049 151 1234-5678", "+49 (151) 1234.5678"),
            *("4915112345678@s.whatsapp.net", "4915112345678:12@s.whatsapp.net"),
            *(
                "4915112345678@c.us",
                "4915112345678.0:3@S.WhatsApp.net",
                "\u202a+49 15112345678\u202c",
            ),
        ),
        ("233201234567", "+233 20 123 4567"),
        ("US.13491208655302741918", " US.13491208655302741918 "),
    )
    nobody: Sequence[str] = (
        *(
            "0151 12345678",
            "ada",
            "120363404694233820@g.us",
            "1234",
            "+1" * 10,
            "4915112345678@x.org",
        ),
        *(
            "٤٩١٥١١٢٣٤٥٦٧٨",
            "４９１５１１２３４５６７８",
            "+49 151 12345678 9 0123",
            "49151123\x0045678",
        ),
    )

    def __init__(self, provider: WhatsAppProvider) -> None:
        self.provider = provider
        self._whatsapp = self.channel = WhatsAppChannel(
            provider.settings(), wait=at_once, seconds=20
        )
        self._coming: list[Json] = []
        self._told: list[Json] = []
        self._numbers = count(1)

    def shown(self) -> list[str]:
        return [one["text"]["body"] for one in self.provider.shown]

    def fail(self, fault: Fault | None) -> None:
        self.provider.cuts = fault == "silent"
        if fault == "down":
            self.provider.stop()
        elif fault == "refusing":
            self.provider.lay_out(*refusal(400, 131026, "Message undeliverable"))
        elif fault is None:
            self.provider.stop()
            self.provider.start()

    def write(self, text: str) -> None:
        told = payload("text")
        message = told["entry"][0]["changes"][0]["value"]["messages"][0]
        message["id"] = f"wamid.WRITTEN{next(self._numbers)}"
        message["text"]["body"] = text
        self._coming.append(told)
        self._told.append(told)

    def again(self) -> None:
        self._coming = list(self._told)

    async def hear(self, take: Take) -> None:
        """As the server does: a call that was not taken is made again."""
        while self._coming:
            for update in self._whatsapp.read(*calling(self._coming[0])):
                await take(update)
            self._coming.pop(0)

    def call(self) -> tuple[bytes, dict[str, str]]:
        return calling(payload("text"))

    def claim(self, body: bytes) -> dict[str, str]:
        return signed(body)

    def without_secret(self) -> Webhook:
        return WhatsAppChannel(self.provider.settings(appSecret=None, verifyToken=None))
