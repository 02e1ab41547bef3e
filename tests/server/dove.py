"""A channel whose provider is the test: it calls, or what it brings is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
import orjson

from palaver.channels.connection import Connection, connection_of
from palaver.channels.port import Person, Place, Received, Take, Tell, Tested
from palaver.errors import ChannelError, WebhookRefused
from palaver.ledger import strict
from palaver.settings import ChannelSettings
from tests.channels.world import OWNER, Pigeon

SECRET = "coo-coo-coo"
SIGNED = {"X-Dove-Secret": SECRET}


@dataclass
class Carrier(Pigeon):
    """A pigeon that runs."""

    trouble: list[ChannelError] = field(default_factory=list[ChannelError])
    """What each attempt to connect comes to, as long as there are any of these."""

    async def run(self, take: Take, tell: Tell) -> None:
        if self.trouble:
            raise self.trouble.pop(0)
        tell("connected", None)
        await asyncio.Event().wait()

    async def test(self) -> Tested:
        if self.trouble:
            raise self.trouble.pop(0)
        return await super().test()


@dataclass
class Dove(Carrier):
    """One whose provider calls."""

    name: str = "dove"

    def challenged(self, query: Mapping[str, str]) -> str:
        if query.get("secret") != SECRET:
            raise WebhookRefused
        return query["challenge"]

    def read(self, body: bytes, headers: Mapping[str, str]) -> Sequence[Received]:
        if headers.get("x-dove-secret") != SECRET:
            raise WebhookRefused
        said: list[dict[str, Any]] = strict.loads(body)["said"]
        return [
            Received(
                id=one["id"],
                place=Place("contact", one["from"]),
                sender=Person(one["from"], one["from"].title()),
                text=one["text"],
            )
            for one in said
        ]


def connected(channel: Pigeon, **given: Any) -> Connection:
    """A channel as it is set up; replies wait for nothing."""
    settings: dict[str, Any] = {"owner_identities": [OWNER.id], **given}
    return connection_of(channel, ChannelSettings(enabled=True, debounce="0s", **settings))


def bring(client: httpx.Client, *said: tuple[str, str, str], to: str = "dove") -> httpx.Response:
    """The provider calls: the id, who wrote, and what."""
    body = {"said": [dict(zip(("id", "from", "text"), one, strict=True)) for one in said]}
    return client.post(f"/channels/{to}", content=orjson.dumps(body), headers=SIGNED)
