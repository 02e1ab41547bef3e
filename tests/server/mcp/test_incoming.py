"""What a client writes: no more of it is held than one line may have."""

from __future__ import annotations

import os
import tracemalloc
from io import BufferedReader, BytesIO, RawIOBase
from typing import Any, BinaryIO

from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError

from palaver.server.mcp.incoming import MAX_LINE, Incoming, own_input

PING = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'


class Endless(RawIOBase):
    """So many bytes without an end of line, and then a message."""

    def __init__(self, size: int) -> None:
        self._left = size
        self._after = BytesIO(b"\n" + PING)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._left:
            return self._after.readinto(buffer)
        size = min(len(buffer), self._left)
        buffer[:size] = b"y" * size
        self._left -= size
        return size


async def read(source: BinaryIO) -> tuple[list[str], list[str]]:
    """The lines that come through, and what the errors say."""
    errors: list[str] = []

    async def answer(sent: SessionMessage) -> None:
        assert isinstance(sent.message, JSONRPCError)
        errors.append(sent.message.error.message)

    lines = Incoming(source)
    lines.answer = answer
    return [line async for line in lines], errors


async def test_a_line_without_end_takes_no_more_room_than_a_long_one() -> None:
    tracemalloc.start()
    try:
        passed, errors = await read(BufferedReader(Endless(8 * MAX_LINE)))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert passed == [PING.decode().strip()]
    assert errors == [f"The line is longer than {MAX_LINE} bytes."]
    assert most < 3 * MAX_LINE


async def test_a_line_may_be_as_long_as_that() -> None:
    at_most = b" " * (MAX_LINE - len(PING)) + PING
    assert await read(BytesIO(at_most + PING)) == ([PING.decode().strip()] * 2, [])
    assert len((await read(BytesIO(b" " + at_most)))[1]) == 1


async def test_the_last_line_needs_no_end() -> None:
    assert await read(BytesIO(PING.strip())) == ([PING.decode().strip()], [])
    assert len((await read(BytesIO(b"y" * MAX_LINE)))[1]) == 1


def test_standard_input_is_empty_for_everybody_else() -> None:
    before, (out, into) = os.dup(0), os.pipe()
    try:
        os.write(into, PING)
        os.dup2(out, 0)
        with own_input() as source:
            assert os.read(0, 1) == b""
            assert source.readline() == PING
        assert os.path.samestat(os.fstat(0), os.fstat(out))
    finally:
        os.dup2(before, 0)
        for one in (before, out, into):
            os.close(one)
