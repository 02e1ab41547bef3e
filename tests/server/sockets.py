"""A real client of the WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlencode

import orjson
from websockets.asyncio.client import ClientConnection, connect

Json = dict[str, Any]
SOON = 20.0


class Client:
    """Somebody who listens."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.heard: list[Json] = []

    async def next(self) -> Json:
        async with asyncio.timeout(SOON):
            message: Json = orjson.loads(await self.connection.recv())
        self.heard.append(message)
        return message

    async def until(self, kind: str, **fields: Any) -> Json:
        """The next message of a kind with these fields; others before it are passed over."""
        while True:
            message = await self.next()
            if message["type"] == kind and fields.items() <= message.items():
                return message

    async def say(self, kind: str, **fields: Any) -> None:
        await self.connection.send(orjson.dumps({"type": kind, **fields}).decode())

    async def ask(self, kind: str, **fields: Any) -> Json:
        """The answer to a request."""
        await self.say(kind, requestId="r1", **fields)
        while (answer := await self.next()).get("requestId") != "r1":
            pass
        return answer


@asynccontextmanager
async def listening(
    url: str, headers: Mapping[str, str], *, greeted: bool = True, **query: Any
) -> AsyncGenerator[Client]:
    """A client of the server at `url`; when it is `greeted`, it knows what there is."""
    address = f"{url.replace('http', 'ws', 1)}/ws?{urlencode(query)}"
    async with connect(address, additional_headers=headers, max_size=None) as connection:
        client = Client(connection)
        if greeted:
            await client.until("conversation_list")
        yield client


async def reply(client: Client) -> tuple[str, Json]:
    """What a reply says, from its start on, and how it ends."""
    await client.until("reply_started")
    said = ""
    while (message := await client.next())["type"] != "reply_finished":
        if message["type"] == "reply_delta":
            assert message["offset"] == len(said)
            said += message["text"]
    return said, message["turn"]
