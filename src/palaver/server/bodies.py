"""Bodies: read strictly, and never further than their limit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from fastapi import Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from palaver.errors import BadJson, TooLarge
from palaver.ledger import strict
from palaver.ledger.lines import MAX_LINE

SMALL = 64 * 1024
"""Enough for everything that holds no message."""
LIMIT = MAX_LINE
"""A message of 1 MiB may need six times as much when its characters are escaped."""
_LARGE = 64 * 1024
_LINGER_SECONDS = 5


class Unread(TooLarge):
    """The message is larger than 1 MiB."""  # and the rest of it is still on its way


class LingeringResponse(JSONResponse):
    """An answer to somebody who is still sending: a little more is taken, so that they hear it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.headers["Connection"] = "close"
        start = {"status": self.status_code, "headers": self.raw_headers}
        await send({"type": "http.response.start", **start})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        with suppress(TimeoutError):
            async with asyncio.timeout(_LINGER_SECONDS):
                await _discard(receive)
        await send({"type": "http.response.body", "body": b""})


async def _discard(receive: Receive) -> None:
    taken = 0
    while taken < LIMIT:
        message = await receive()
        taken += len(message.get("body", b""))
        if not message.get("more_body", False):
            return


class StrictRequest(Request):
    """A request whose body has been read as strict JSON."""

    async def load(
        self, *, required: bool, limit: int, spend: Callable[[int], None]
    ) -> StrictRequest:
        """Raises TooLarge, BadJson, BadText or BadValue before anything else sees the body. `spend`
        is told how many bytes are about to be read, and raises LimitReached."""
        self._body = await read_body(self, limit, spend)
        if self._body or required:
            check_type(self.headers.get("content-type", ""))
            self._json = await _parse(self._body)
        return self


async def read_body(request: Request, limit: int, spend: Callable[[int], None]) -> bytes:
    """All of it. `spend` is told how many bytes are about to be read. Raises TooLarge."""
    if (spent := _stated_length(request)) > limit:
        raise _too_large(limit)
    spend(spent)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise _too_large(limit)
        if len(body) > spent:  # nobody said how much would come
            spend(len(body) - spent)
            spent = len(body)
    return bytes(body)


async def _parse(body: bytes) -> Any:
    if len(body) < _LARGE:
        return strict.loads(body)
    return await asyncio.to_thread(strict.loads, body)


def _stated_length(request: Request) -> int:
    stated = request.headers.get("content-length", "")
    return int(stated) if stated.isdecimal() else 0


def check_type(content_type: str) -> None:
    """Raises BadJson unless it is that of JSON."""
    name = content_type.partition(";")[0].strip().lower()
    if name != "application/json":
        raise BadJson(
            "The body is not said to be JSON.", remedy="Send `Content-Type: application/json`."
        )


def _too_large(limit: int) -> Unread:
    if limit < LIMIT:
        return Unread(f"The body is larger than {limit // 1024} KiB.", remedy="Send less.")
    return Unread(f"The body is larger than {limit // 1024**2} MiB.")
