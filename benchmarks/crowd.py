"""Many tabs in one process, as cheap as can be: whoever measures a server must not be in its way.

Reads what to do from standard input, in lines of JSON, and answers in lines of JSON: first whom to
connect, then how many messages to send. A message is timed until all tabs of its user have it.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Any

import orjson

AT_ONCE = 20
GREETED = 300.0
HEARD = 30.0
_MASK = b"\0\0\0\0"


@dataclass(slots=True)
class User:
    """Somebody with a token, tabs and perhaps something to say."""

    token: str
    tabs: int
    writes: bool
    path: str = ""
    marker: bytes = b"\0"
    missing: int = 0
    heard: asyncio.Event = field(default_factory=asyncio.Event)

    def hear(self) -> None:
        self.missing -= 1
        if not self.missing:
            self.heard.set()


class Tab(asyncio.Protocol):
    """One socket: answers pings, and looks for what is waited for."""

    def __init__(self, user: User, request: bytes, *, greeted: bool) -> None:
        self._user = user
        self._request = request
        self._data = bytearray()
        self._wants = b"conversation_list" if greeted else b""
        self._accepted = False
        self.ready = asyncio.get_running_loop().create_future()
        self.lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        if not self.ready.done():
            self.ready.set_exception(ConnectionError("The server let a tab go."))

    def data_received(self, data: bytes) -> None:
        self._data += data
        if not self._accepted:
            head, found, rest = bytes(self._data).partition(b"\r\n\r\n")
            if not found:
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self._accepted = True
            self._data = bytearray(rest)
            self._greet(b"")
        while (frame := _take(self._data)) is not None:
            self._hear(*frame)

    def _hear(self, opcode: int, payload: bytes) -> None:
        if opcode == 9:
            self._transport.write(bytes([0x8A, 0x80 | len(payload)]) + _MASK + payload)
        elif opcode < 3:
            if self._user.marker in payload:
                self._user.hear()
            elif not self.ready.done():
                self._greet(payload)

    def _greet(self, payload: bytes) -> None:
        if self._wants in payload:
            self.ready.set_result(None)


def _take(data: bytearray) -> tuple[int, bytes] | None:
    """The next frame, if all of it is there."""
    if len(data) < 2:
        return None
    size, start = data[1] & 0x7F, 2
    if size == 126:
        size, start = int.from_bytes(data[2:4], "big"), 4
    elif size == 127:
        size, start = int.from_bytes(data[2:10], "big"), 10
    if len(data) < start + size:
        return None
    payload = bytes(data[start : start + size])
    opcode = data[0] & 0x0F
    del data[: start + size]
    return opcode, payload


class Http:
    """Requests one after the other on one connection."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._lock = asyncio.Lock()

    async def open(self) -> None:
        self._reader, self._writer = await asyncio.open_connection(self._host, self._port)

    async def post(self, path: str, token: str, body: dict[str, Any]) -> dict[str, Any]:
        content = orjson.dumps(body)
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {self._host}:{self._port}\r\n"
            f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\n\r\n"
        )
        async with self._lock:
            self._writer.write(head.encode() + content)
            answer = (await self._reader.readuntil(b"\r\n\r\n")).lower()
            assert answer.startswith(b"http/1.1 20"), answer
            size = int(answer.partition(b"content-length:")[2].partition(b"\r\n")[0])
            return orjson.loads(await self._reader.readexactly(size))


class Crowd:
    """All of them."""

    def __init__(self, host: str, port: int, users: list[User], *, greeted: bool) -> None:
        self._host, self._port = host, port
        self._users = users
        self._greeted = greeted
        self._tabs: list[Tab] = []
        self._said = 0

    async def connect(self) -> None:
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(user: User) -> None:
            async with gate:
                await self._open(user)

        await asyncio.gather(*(one(user) for user in self._users for _ in range(user.tabs)))

    async def _open(self, user: User) -> None:
        request = (
            f"GET /ws HTTP/1.1\r\nHost: {self._host}:{self._port}\r\n"
            f"Authorization: Bearer {user.token}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        tab = Tab(user, request.encode(), greeted=self._greeted)
        self._tabs.append(tab)
        await asyncio.get_running_loop().create_connection(lambda: tab, self._host, self._port)
        async with asyncio.timeout(GREETED):
            await tab.ready

    async def talk(self, messages: int, pause: float) -> dict[str, Any]:
        """Each of those who write says something in turn, one message every `pause` seconds."""
        writers = [user for user in self._users if user.writes]
        http = Http(self._host, self._port)
        await http.open()
        for user in writers:
            if not user.path:
                made = await http.post("/api/conversations", user.token, {"title": "Named"})
                user.path = f"/api/conversations/{made['id']}/messages"
        spent: list[float | None] = []
        begun = time.perf_counter()
        for number, user in enumerate(islice(cycle(writers), messages)):
            await asyncio.sleep(max(0.0, begun + number * pause - time.perf_counter()))
            spent.append(await self._timed(http, user))
        lost = sum(tab.lost for tab in self._tabs)
        return {
            "spent": [one for one in spent if one is not None],
            "lost": lost + spent.count(None),
        }

    async def _timed(self, http: Http, user: User) -> float | None:
        self._said += 1
        text = f"message {self._said} of somebody who has something to say"
        user.marker, user.missing = text.encode(), user.tabs
        user.heard.clear()
        started = time.perf_counter()
        try:
            async with asyncio.timeout(HEARD):
                await http.post(user.path, user.token, {"role": "user", "content": text})
                await user.heard.wait()
        except TimeoutError:
            return None
        return time.perf_counter() - started


async def main() -> None:
    lines = iter(sys.stdin.readline, "")
    spec = json.loads(next(lines))
    users = [User(*one) for one in spec["users"]]
    crowd = Crowd(spec["host"], spec["port"], users, greeted=spec["greeted"])
    await crowd.connect()
    print(json.dumps("connected"), flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, next, lines, ""):
        print(json.dumps(await crowd.talk(*json.loads(line))), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
