"""The protocol: what cannot be read as a request is answered with a problem document, too."""

from __future__ import annotations

from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from palaver.errors import InputError
from palaver.server.problems import problem_response

MAX_HEAD = 2 << 20
"""How many bytes the address and the headers of a request may have: a query of 100,000 characters
needs a million when none of them is ASCII."""
SOCKET_PATH = "/ws"
_LINGER_SECONDS = 5


class BadRequest(InputError):
    """This cannot be read as a request of HTTP, or its address is too long."""

    code = "bad_request"
    status = 400
    remedy = f"Send an address and headers of less than {MAX_HEAD >> 20} MiB."


class Protocol(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it."""

    _refused = False

    def data_received(self, data: bytes) -> None:
        if not self._refused:
            super().data_received(data)

    def _should_upgrade_to_ws(self) -> bool:
        """Everywhere else a wish for a WebSocket is passed over, as HTTP allows."""
        return self.scope["path"] == SOCKET_PATH

    def send_400_response(self, msg: str) -> None:
        """Refuses what came in. Closing at once would take the answer away from somebody who is
        still sending: a little more is taken, and thrown away."""
        self._refused = True
        answer = problem_response(BadRequest())
        headers = [*answer.raw_headers, (b"connection", b"close")]
        for event in (
            h11.Response(status_code=answer.status_code, headers=headers, reason=b"Bad Request"),
            h11.Data(data=bytes(answer.body)),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.write_eof()
        self.loop.call_later(_LINGER_SECONDS, self.transport.close)


class SocketProtocol(WebSocketsSansIOProtocol):
    """WebSocket as uvicorn speaks it; it can also end when the other side reads nothing."""

    async def send(self, message: Any) -> None:
        """The code of a close goes behind what lies there unread, for a little while."""
        if message["type"] == "websocket.close" and not self.writable.is_set():
            self.writable.set()
            self.loop.call_later(_LINGER_SECONDS, self.transport.abort)
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # it was refused: nothing is missing
