"""What the protocol of WebSockets does by itself."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.config import Config
from uvicorn.server import ServerState
from websockets.protocol import State

from palaver.server.socket_protocol import SocketProtocol


class Transport(asyncio.Transport):
    """Keeps what is written, and whether it was closed."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closed = False

    def write(self, data: Any) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True


async def test_a_stop_while_somebody_is_just_leaving_goes_on():
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise NotImplementedError

    protocol = SocketProtocol(config=Config(app), server_state=ServerState(), app_state={})
    transport = Transport()
    protocol.connection_made(transport)
    protocol.handshake_complete = True
    protocol.conn.state = State.CLOSING

    protocol.shutdown()

    assert transport.closed
    assert protocol.queue.get_nowait()["type"] == "websocket.disconnect"
