"""One client that floods a server, in four ways at once, until its standard input ends.

Frames that are too long; pings without end; requests to show another conversation, as fast as they
can be sent; and sockets that are opened and never read.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import cast

from benchmarks.crowd import Http

HALF_OPEN = 100
_MASK = b"\0\0\0\0"
Work = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Flood:
    """All of it comes from one user."""

    def __init__(self, host: str, port: int, token: str) -> None:
        self._host, self._port, self._token = host, port, token
        self.done: dict[str, int] = {}

    async def run(self) -> None:
        http = Http(self._host, self._port)
        await http.open()
        place = (await http.post("/api/conversations", self._token, {"title": "Flood"}))["id"]
        for number in range(50):
            said = {"role": "user", "content": f"{number} " + "word " * 2000}
            await http.post(f"/api/conversations/{place}/messages", self._token, said)
        print(json.dumps("flooding"), flush=True)
        switch = json.dumps({"type": "switch_conversation", "conversationId": place}).encode()
        huge = b"\x81\xff" + (1 << 30).to_bytes(8, "big") + _MASK + b"x" * (1 << 20)
        frame = bytes([0x81, 0x80 | 126]) + len(switch).to_bytes(2, "big") + _MASK + switch
        await asyncio.gather(
            self._again("huge frames", _sending(huge)),
            self._again("pings", _sending(b"\x89\x80" + _MASK, 10_000)),
            self._again("switches", _sending(frame, 100)),
            *(self._again("half-open", _nothing) for _ in range(HALF_OPEN)),
        )

    async def _again(self, name: str, work: Work) -> None:
        while True:
            reader, writer = await asyncio.open_connection(self._host, self._port)
            with suppress(OSError, asyncio.IncompleteReadError):
                writer.write(self._request())
                await reader.readuntil(b"\r\n\r\n")
                self.done[name] = self.done.get(name, 0) + 1
                await work(reader, writer)
            writer.close()

    def _request(self) -> bytes:
        return (
            f"GET /ws HTTP/1.1\r\nHost: {self._host}:{self._port}\r\n"
            f"Authorization: Bearer {self._token}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ).encode()


def _sending(data: bytes, times: int = 1) -> Work:
    """Sends the same over and over, and reads what comes back as fast as it can."""

    async def work(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def drop() -> None:
            while await reader.read(1 << 16):
                pass
            raise ConnectionError

        dropping = asyncio.create_task(drop())
        try:
            while not dropping.done():
                writer.write(data * times)
                await writer.drain()
                await asyncio.sleep(0)
        finally:
            dropping.cancel()
            await asyncio.gather(dropping, return_exceptions=True)

    return work


async def _nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    cast("asyncio.Transport", writer.transport).pause_reading()
    while not writer.transport.is_closing():
        await asyncio.sleep(1)
        writer.write(b"\x89\x80" + _MASK)


async def main() -> None:
    host, port, token = json.loads(sys.stdin.readline())
    flood = Flood(host, port, token)
    flooding = asyncio.create_task(flood.run())
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    flooding.cancel()
    await asyncio.gather(flooding, return_exceptions=True)
    print(json.dumps(flood.done), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
