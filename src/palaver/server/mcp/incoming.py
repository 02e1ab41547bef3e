"""What a client writes, line by line: what cannot be read is answered here.

The SDK passes over such a line in silence, and whoever wrote it would wait for ever.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, BinaryIO, cast

from anyio import BrokenResourceError, to_thread
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from pydantic_core import from_json

from palaver.index.records import Json

MAX_LINE = 8 * 1024 * 1024
"""How long a line may be, in bytes, with its end: no more of it is ever held."""
_HEAD = 64 * 1024
"""Where the id of a line that is too long is looked for."""
_UNREADABLE = "This is not JSON, is nested too deeply or holds half a character."
_INVALID = "This is not a request of JSON-RPC 2.0: one object with a method and an id."
_LONG = f"The line is longer than {MAX_LINE} bytes."

Answer = Callable[[SessionMessage], Awaitable[None]]


class Incoming:
    """The lines that hold a message; every other line gets an error instead."""

    answer: Answer
    """What sends the errors: to be set before the first line is read."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source

    async def __aiter__(self) -> AsyncIterator[str]:
        while line := await self._read(MAX_LINE):
            if len(line) == MAX_LINE and not line.endswith(b"\n"):
                await self._rest()
                await self._refuse(_too_long(line))
            elif text := line.decode(errors="replace").strip():
                if error := refusal(text):
                    await self._refuse(error)
                else:
                    yield text

    async def _read(self, size: int) -> bytes:
        return await to_thread.run_sync(partial(self._source.readline, size))

    async def _rest(self) -> None:
        """Reads on to the end of the line."""
        while (part := await self._read(_HEAD)) and not part.endswith(b"\n"):
            pass

    async def _refuse(self, error: JSONRPCError) -> None:
        with suppress(BrokenResourceError):  # the client has gone, as whoever writes found out
            await self.answer(SessionMessage(error))


@contextmanager
def own_input() -> Generator[BinaryIO]:
    """Standard input for the caller alone: it is empty for whatever else reads it meanwhile."""
    private, nothing = os.dup(0), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    try:
        # It stays open: a thread may still be reading, and must not find another file there.
        yield os.fdopen(private, "rb", closefd=False)
    finally:
        os.dup2(private, 0)


def refusal(line: str) -> JSONRPCError | None:
    """Why the SDK would not answer this, or None when it would, or when nobody has to."""
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as error:
        read = _read_anyhow(line)
        if any(one["type"] == "json_invalid" for one in error.errors(include_input=False)):
            return _error(PARSE_ERROR, _UNREADABLE, read)
        return None if _is_answer(read) else _error(INVALID_REQUEST, _INVALID, read)
    if isinstance(message, JSONRPCNotification) and "id" in from_json(line):
        return _error(INVALID_REQUEST, _INVALID, None)  # a request, but for the kind of its id
    return None


def _too_long(head: bytes) -> JSONRPCError:
    """An error for a line that begins like this: its id is there if it came first."""
    try:
        read = from_json(head[:_HEAD], allow_partial=True)
    except ValueError:
        read = None
    return _error(INVALID_REQUEST, _LONG, read)


def _read_anyhow(line: str) -> Any:
    """What a line holds, even if that is no text: its id may still be told."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _is_answer(read: Any) -> bool:
    return isinstance(read, dict) and ("result" in read or "error" in read)


def _error(code: int, message: str, read: Any) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=_id_in(read), error=ErrorData(code=code, message=message))


def _id_in(read: Any) -> RequestId | None:
    """The id of a request, if it has one that can be written."""
    given = cast("Json", read).get("id") if isinstance(read, dict) else None
    if isinstance(given, str):
        return given if given.encode(errors="ignore").decode() == given else None
    return given if type(given) is int else None
