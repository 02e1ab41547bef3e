"""One client that floods the server, and others who notice nothing of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from palaver.server import socket_protocol, wire
from palaver.server.socket_protocol import MOST_SMALL, SocketProtocol
from tests.events.worlds import until
from tests.server.person import Person
from tests.server.site import Site, running_site
from tests.server.sockets import SOON

PING = b"\x89\x80\0\0\0\0"
PONG = b"\x8a\x80\0\0\0\0"
BEGIN, PART = b"\x01\x80\0\0\0\0", b"\x00\x80\0\0\0\0"
HUGE = b"\x81\xff" + (1 << 40).to_bytes(8, "big") + b"\0\0\0\0" + b"x" * 100_000
NOT_JSON = b"\x81\x81\0\0\0\0x"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with running_site(tmp_path / "home") as site:
        yield site


class Raw:
    """A connection on which anything can be sent."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def close_code(self) -> int:
        """The code with which the server ends it, after whatever else it says."""
        async with asyncio.timeout(SOON):
            while True:
                first, size = await self.reader.readexactly(2)
                if size > 125:
                    size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8))
                payload = await self.reader.readexactly(size)
                if first & 0x0F == 8:
                    return int.from_bytes(payload[:2])

    async def send(self, data: bytes) -> None:
        """Until the server takes no more."""
        self.writer.write(data)
        async with asyncio.timeout(SOON):
            await self.writer.drain()


@asynccontextmanager
async def opened(ann: Person) -> AsyncGenerator[Raw]:
    host, port = ann.site.address.host, ann.site.address.port
    reader, writer = await asyncio.open_connection(host, port)
    head = {
        "Host": f"{host}:{port}",
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        **ann.headers,
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    writer.write(f"GET /ws HTTP/1.1\r\n{lines}\r\n".encode())
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
    yield Raw(reader, writer)
    writer.transport.abort()
    with suppress(OSError):
        await writer.wait_closed()


@pytest.mark.parametrize(
    ("flood", "code"),
    [
        (PING * 100_000, 1008),
        (PONG * 100_000, 1008),
        (BEGIN + PART * 100_000, 1008),
        (HUGE, 1009),
    ],
    ids=["pings", "pongs", "parts", "huge"],
)
async def test_whoever_floods_is_let_go_and_others_hear_everything(
    ann: Person, flood: bytes, code: int
) -> None:
    place = ann.start("Named")
    async with ann.listen() as client, opened(ann) as raw:
        raw.writer.write(flood)
        assert await raw.close_code() == code
        message = ann.tell(place, "Hello")
        assert (await client.next())["turn"] == message


@pytest.mark.parametrize(
    ("data", "times"), [(PING, MOST_SMALL), (PONG, MOST_SMALL), (BEGIN + PART * 100, 1)]
)
async def test_whoever_sends_a_few_is_not(ann: Person, data: bytes, times: int) -> None:
    async with opened(ann) as raw:
        raw.writer.write(data * times + HUGE)
        assert await raw.close_code() == 1009


async def test_what_comes_without_end_is_read_no_faster_than_it_is_answered(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nobody else has to wait until all of it is answered."""
    waiting: list[int] = []
    receive = SocketProtocol.receive

    async def watched(one: SocketProtocol) -> Any:
        waiting.append(one.queue.qsize())
        return await receive(one)

    monkeypatch.setattr(SocketProtocol, "receive", watched)
    place = ann.start("Named")
    async with ann.listen() as client, opened(ann) as raw:
        raw.writer.write(NOT_JSON * 200_000)
        for number in range(5):
            message = ann.tell(place, f"Hello {number}")
            assert (await client.next())["turn"] == message
        assert len(waiting) < 200_000
        assert max(waiting) < 1000


async def test_pongs_do_not_pile_up_for_somebody_who_reads_nothing(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket_protocol, "MOST_SMALL", 10**9)
    seen: list[SocketProtocol] = []
    most = 0
    answer = SocketProtocol.handle_ping

    def watched(one: SocketProtocol) -> None:
        nonlocal most
        seen.append(one)
        answer(one)
        most = max(most, one.transport.get_write_buffer_size())

    monkeypatch.setattr(SocketProtocol, "handle_ping", watched)
    ping = b"\x89\xfd\0\0\0\0" + b"x" * 125
    async with opened(ann) as raw:
        raw.reader._transport.pause_reading()  # type: ignore[attr-defined]
        sent = 0
        while sent < 80_000:  # 10 MB, more than lies anywhere on the way
            await raw.send(ping * 1000)
            sent += 1000
        await until(lambda: len(seen) == sent)
        assert most < 1 << 20


async def test_whoever_answers_no_ping_and_reads_nothing_does_not_stay(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when something lies there that they never take."""
    stuck: list[SocketProtocol] = []
    pause = SocketProtocol.pause_writing

    def noted(one: SocketProtocol) -> None:
        pause(one)
        stuck.append(one)

    monkeypatch.setattr(socket_protocol, "_LINGER_SECONDS", 0.05)
    monkeypatch.setattr(wire, "PATIENCE", 3600.0)
    monkeypatch.setattr(SocketProtocol, "pause_writing", noted)
    place = ann.start("Named")
    for number in range(20):
        ann.tell(place, f"{number} " + "x" * 1_000_000)
    async with opened(ann) as raw:
        raw.reader._transport.pause_reading()  # type: ignore[attr-defined]
        await until(lambda: bool(stuck))
        stuck[0].loop.call_soon_threadsafe(stuck[0].keepalive_timeout)
        await until(lambda: stuck[0].disconnected)


async def test_whoever_asks_without_end_leaves_time_to_others(ann: Person) -> None:
    place = ann.start("Named")
    for number in range(50):
        ann.tell(place, f"{number} " + "word " * 1000)
    async with ann.listen() as client, ann.listen() as flooding:
        for _ in range(300):
            await flooding.say("switch_conversation", conversationId=place)
        message = ann.tell(place, "Hello")
        assert (await client.next())["turn"] == message
        for _ in range(300):
            await flooding.until("conversation_loaded")
