"""Garbage on the WebSocket: each frame is answered, and the server goes on."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from tests.server.site import Site
from tests.server.sockets import SOON, listening

KINDS = [
    "new_conversation",
    "switch_conversation",
    "rename_conversation",
    "send_message",
    "stop_reply",
    "load_messages",
    "ping",
]
FIELDS = ["conversationId", "title", "text", "key", "before", "requestId", "more"]
FEW = settings(max_examples=60, deadline=None, derandomize=True)
END = "the-end"
scraps = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just("conv-1"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
requests = st.fixed_dictionaries(
    {"type": st.sampled_from(KINDS) | st.text()},
    optional=dict.fromkeys(FIELDS, scraps),
)
frames = st.one_of(
    requests.map(json.dumps),
    scraps.map(json.dumps),
    st.text(),
    st.binary(),
    st.integers(1, 5000).map(lambda depth: "[" * depth),
    st.integers(1, 5000).map(lambda depth: '{"type":' * depth),
)
Frame = str | bytes


def headers(site: Site) -> dict[str, str]:
    return {"Authorization": f"Bearer {site.accounts.create_token('local').secret}"}


async def heard(connection: ClientConnection, sent: list[Frame]) -> list[dict[str, Any]]:
    """Everything that comes for some frames, up to the answer to a ping behind them."""
    for frame in sent:
        await connection.send(frame)
    await connection.send(json.dumps({"type": "ping", "requestId": END}))
    found: list[dict[str, Any]] = []
    async with asyncio.timeout(SOON):
        while True:
            found.append(orjson.loads(await connection.recv()))
            if found[-1].get("requestId") == END:
                return found


def test_every_frame_is_answered_in_whatever_order(site: Site) -> None:
    async def send(sent: list[Frame]) -> None:
        async with listening(site.url, headers(site)) as client:
            found = await heard(client.connection, sent)
            assert found[-1]["type"] == "pong"
            for error in (one for one in found if one["type"] == "error"):
                assert error["code"] != "internal_error"
                assert error["message"]

    @FEW
    @given(st.lists(frames, max_size=6))
    def check(sent: list[Frame]) -> None:
        asyncio.run(send(sent))

    check()


def test_what_is_no_request_is_an_error(site: Site) -> None:
    async def send(sent: Frame) -> None:
        async with listening(site.url, headers(site)) as client:
            found = await heard(client.connection, [sent])
            assert [one["type"] for one in found].count("error") == 1

    @FEW
    @given(scraps.filter(lambda value: not isinstance(value, dict)).map(json.dumps) | st.binary())
    def check(sent: Frame) -> None:
        asyncio.run(send(sent))

    check()


@pytest.mark.parametrize(
    ("opcode", "payload", "code"),
    [
        pytest.param(1, b"\xff\xfe", CloseCode.INVALID_DATA, id="broken UTF-8"),
        pytest.param(1, b"x" * (32 << 20), CloseCode.MESSAGE_TOO_BIG, id="huge"),
        pytest.param(3, b"", CloseCode.PROTOCOL_ERROR, id="an opcode that is none"),
    ],
)
async def test_what_breaks_the_protocol_ends_with_its_code(
    site: Site, opcode: int, payload: bytes, code: CloseCode
) -> None:
    async with listening(site.url, headers(site)) as client:
        client.connection.transport.write(_frame(opcode, payload))
        assert await _ended(client.connection) == code
    async with listening(site.url, headers(site)) as other:
        assert (await other.ask("ping"))["type"] == "pong"


async def _ended(connection: ClientConnection) -> int | None:
    """The code with which the server closes."""
    with suppress(ConnectionClosed):
        async with asyncio.timeout(SOON):
            while True:
                await connection.recv()  # what there was to tell before
    return connection.close_code


def _frame(opcode: int, payload: bytes) -> bytes:
    """A frame as a client sends it, behind a mask that changes nothing."""
    size = len(payload).to_bytes(8, "big")
    return bytes([0x80 | opcode, 0x80 | 127]) + size + bytes(4) + payload


def test_garbage_in_the_address_of_a_socket_is_refused(site: Site) -> None:
    @FEW
    @given(st.text(), st.sampled_from(["after", "conversation", "more"]))
    def check(scrap: str, name: str) -> None:
        with site.client(**headers(site), **UPGRADE) as client:
            answer = client.get("/ws", params={name: scrap or "x"})
        assert answer.status_code in (101, 400, 404, 422), answer.text

    check()


UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}
