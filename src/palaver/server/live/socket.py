"""A socket: one message after the other, and no more than a reader takes."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, cast

import orjson
from starlette.websockets import WebSocket, WebSocketDisconnect

from palaver.errors import AccessError, BadJson, PalaverError
from palaver.ledger import strict

PATIENCE = 10.0
"""So many seconds a reader may leave everything lying that was sent."""
TRY_AGAIN, INTERNAL, SIGNED_OUT, TOO_SLOW = 1013, 1011, 4401, 4408


class Left(Exception):
    """Nobody is there any more."""


class Slow(Exception):
    """Nobody reads what is sent."""


class Socket:
    """JSON in, JSON out."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._turn = asyncio.Lock()

    async def say(self, kind: str, **fields: Any) -> None:
        """Waits until the reader has taken most of what was sent before. Raises Left, Slow."""
        text = orjson.dumps({"type": kind, **fields}).decode()
        try:
            async with asyncio.timeout(PATIENCE), self._turn:
                await self._websocket.send_text(text)
        except TimeoutError:
            raise Slow from None
        except WebSocketDisconnect:
            raise Left from None

    async def hear(self) -> dict[str, Any]:
        """The next message. Raises Left, BadJson, BadText, BadValue."""
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise Left
        said = strict.loads((message.get("text") or "").encode())
        if not isinstance(said, dict):
            raise BadJson("A message is a JSON object.")
        return cast("dict[str, Any]", said)

    async def close(self, reason: BaseException) -> None:
        """Says with a code why it ends, if somebody is there to hear it."""
        if type(reason) is not Left:
            with suppress(WebSocketDisconnect):
                await self._websocket.close(_code(reason), _sentence(reason))


def _code(reason: BaseException) -> int:
    match reason:
        case Slow():
            return TOO_SLOW
        case AccessError():
            return SIGNED_OUT
        case PalaverError() if reason.status != PalaverError.status:
            return TRY_AGAIN
        case _:
            return INTERNAL


def _sentence(reason: BaseException) -> str:
    """A frame has room for 123 bytes."""
    match reason:
        case Slow():
            return "Nobody took what was sent."
        case PalaverError():
            return reason.code
        case _:
            return PalaverError.code
