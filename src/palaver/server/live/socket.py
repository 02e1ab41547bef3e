"""A socket: one message after the other, and no more than a reader takes."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, cast

from starlette.websockets import WebSocket, WebSocketDisconnect

from palaver.errors import AccessError, BadJson, PalaverError, Stopping
from palaver.index.records import Record
from palaver.ledger import strict
from palaver.server.live.messages import encode
from palaver.server.socket_protocol import WIRE
from palaver.server.wire import Left, Slow, Wire

STOPPING, TRY_AGAIN, INTERNAL, SIGNED_OUT, TOO_SLOW = 1012, 1013, 1011, 4401, 4408


class Socket:
    """JSON in, JSON out."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self.wire: Wire = websocket.scope["extensions"][WIRE]["wire"]

    async def say(self, message: Record, **beside: Any) -> None:
        """Waits until the reader has taken most of what was sent. Raises Left, Slow."""
        await self.wire.say(encode(message, **beside))

    async def hear(self) -> bytes:
        """The next message. Raises Left."""
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise Left
        text = message.get("text")
        return message["bytes"] if text is None else text.encode()

    async def close(self, reason: BaseException) -> None:
        """Says with a code why it ends, if somebody is there to hear it."""
        if type(reason) is not Left:
            with suppress(WebSocketDisconnect):
                await self._websocket.close(_code(reason), _sentence(reason))


def understood(said: bytes) -> dict[str, Any]:
    """Raises BadJson, BadText, BadValue."""
    found = strict.loads(said)
    if not isinstance(found, dict):
        raise BadJson("A message is a JSON object.")
    return cast("dict[str, Any]", found)


def _code(reason: BaseException) -> int:
    match reason:
        case Slow():
            return TOO_SLOW
        case AccessError():
            return SIGNED_OUT
        case Stopping():
            return STOPPING
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
