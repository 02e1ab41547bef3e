"""The protocol of WebSockets, which one client cannot flood.

A socket is read no faster than its messages are answered, and one who floods it is let go before
anybody else has to wait.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from palaver.server.wire import Wire

WIRE = "palaver.wire"
"""The extension of ASGI by which an application finds the wire of its WebSocket."""
MOST_SMALL = 200
"""So many pings, pongs and parts of messages a client may send between two of our pings."""
FLOODED = 1008
_SLICE = 4 << 10
_LINGER_SECONDS = 5


class SocketProtocol(WebSocketsSansIOProtocol):
    """WebSocket as uvicorn speaks it, for clients of any kind."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._wire = Wire(self._write)
        self._unread = bytearray()
        self._small = 0

    # -- what goes out -----------------------------------------------------------------------

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.close_sent:
            self.scope["extensions"] = {
                **self.scope.get("extensions", {}),
                WIRE: {"wire": self._wire},
            }

    def _write(self, data: bytes) -> None:
        if not self.close_sent and not self.transport.is_closing():
            self.transport.write(data)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wire.pause()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._wire.resume()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._wire.close()

    def shutdown(self) -> None:
        self._wire.close()
        if self.handshake_complete and not self.close_sent and self.conn.state is not State.OPEN:
            # The client is just leaving: there is nobody left to tell, and telling would raise.
            self.stop_keepalive()
            self.queue.put_nowait({"type": "websocket.disconnect", "code": 1012})
            self.transport.close()
            return
        super().shutdown()

    async def send(self, message: Any) -> None:
        """The code of a close goes behind what lies there unread, for a little while."""
        if message["type"] == "websocket.close":
            self._wire.close()
            self._leave_in(_LINGER_SECONDS + (self.close_timeout if self.writable.is_set() else 0))
            self.writable.set()
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # it was refused: nothing is missing

    def _leave_in(self, seconds: float) -> None:
        """Whoever reads nothing would keep the connection for many minutes."""
        self.loop.call_later(seconds, self.transport.abort)

    # -- what comes in -----------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """A little at a time, and no more while there is something to answer."""
        self._unread += data
        self._read_on()

    def _read_on(self) -> None:
        while self._unread and not self.read_paused and not self.transport.is_closing():
            some = bytes(self._unread[:_SLICE])
            del self._unread[:_SLICE]
            super().data_received(some)

    async def receive(self) -> Any:
        message = await super().receive()
        self._read_on()
        return message

    def handle_ping(self) -> None:
        """Whoever reads nothing gets no pongs: they would pile up."""
        answer = b"".join(self.conn.data_to_send())
        if self.writable.is_set():
            self._write(answer)
        self._count_small()

    def handle_pong(self, event: Frame) -> None:
        super().handle_pong(event)
        self._count_small()

    def handle_cont(self, event: Frame) -> None:
        super().handle_cont(event)
        self._count_small()

    def _count_small(self) -> None:
        """Frames that cost work and hold next to nothing, so that no limit of bytes stops them."""
        self._small += 1
        if self._small > MOST_SMALL and not self.close_sent:
            self.conn.fail(FLOODED, "Too many frames.")
            self.handle_parser_exception()
            self._leave_in(_LINGER_SECONDS)

    def send_keepalive_ping(self) -> None:
        self._small = 0
        super().send_keepalive_ping()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._leave_in(_LINGER_SECONDS)
