"""As little HTTP as a client needs: what is measured is the server."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson


class Connection:
    """One connection that is kept open, with one request at a time."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, headers: str
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._headers = headers

    @classmethod
    async def open(cls, host: str, port: int, token: str) -> Connection:
        reader, writer = await asyncio.open_connection(host, port)
        headers = f"Host: {host}:{port}\r\nAuthorization: Bearer {token}\r\n"
        return cls(reader, writer, headers)

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        data = orjson.dumps(body)
        kind = f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
        return await self._send(f"POST {path} HTTP/1.1\r\n{self._headers}{kind}\r\n", data)

    async def get(self, path: str) -> Any:
        return await self._send(f"GET {path} HTTP/1.1\r\n{self._headers}\r\n", b"")

    async def _send(self, head: str, body: bytes) -> Any:
        self._writer.write(head.encode() + body)
        status, *headers = (await self._reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        named = dict(line.lower().split(": ", 1) for line in headers if line)
        answer = await self._reader.readexactly(int(named["content-length"]))
        if not status.startswith("HTTP/1.1 2"):
            raise RuntimeError(f"{status}: {answer[:200]!r}")
        return orjson.loads(answer)

    def close(self) -> None:
        self._writer.close()
