"""The protocol: what cannot be read as a request is answered with a problem document, too."""

from __future__ import annotations

import asyncio
import resource
from contextlib import suppress

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from palaver.errors import InputError, PalaverError, Stopping
from palaver.server.headers import protect
from palaver.server.problems import problem_response

MAX_HEAD = 2 << 20
"""How many bytes the address and the headers of a request may have: a query of 100,000 characters
needs a million when none of them is ASCII."""
SOCKET_PATH = "/ws"
MAX_FIELDS = 200
"""How many lines they may have: each costs time that everybody waits."""
PATIENCE = 30.0
"""So many seconds a request may take to arrive, and its answer may lie unread."""
SLOWEST = 10_000.0
"""A large one may take longer, if it brings so many bytes a second."""
MOST = 10_000
"""How many connections there may be at a time, if the system lets a process have as many."""
_SPARE_FILES = 200
_TOLD = 100
"""So many beyond that are told so at a time; more would take the files of everything else."""
_SLICE = 16 * 1024
_MAX_AHEAD = 64 * 1024
_LINGER_SECONDS = 5
_STOP_SECONDS = 2


def room() -> int:
    """How many connections may be open; the rest of the files is for everything else."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return min(MOST, files - _SPARE_FILES) if files > 0 else MOST


class BadRequest(InputError):
    """This cannot be read as a request of HTTP, or its address is too long."""

    code = "bad_request"
    status = 400
    remedy = f"Send an address and at most {MAX_FIELDS} headers, in less than {MAX_HEAD >> 20} MiB."


class TooSlow(InputError):
    """The request took too long to arrive."""

    code = "too_slow"
    status = 408
    remedy = "Send it again, at once."


class Full(PalaverError):
    """There are as many connections as Palaver can take."""

    code = "too_many_connections"
    status = 503
    retriable = True
    remedy = "Try again in a moment, and use one connection for several requests."


class Protocol(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, which waits for nobody without end and reads no more than it
    can use."""

    _refused = _handed_over = False
    _lines = 0
    """How many there are so far of the head that is coming in."""
    _begun, _received = 0.0, 0
    """Since when a request is waited for, and how many bytes of it have come."""
    _waiting: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        too_many = len(self.connections) - room()
        if too_many > _TOLD:
            transport.abort()
        elif too_many > 0:
            self._refuse(Full())
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A little at a time: what is read at once holds up everybody else."""
        for start in range(0, len(data), _SLICE):
            if self._refused:
                return
            self._take(data[start : start + _SLICE])

    def _take(self, data: bytes) -> None:
        self._received += len(data)
        if self.conn.their_state is h11.IDLE:
            self._lines += data.partition(b"\r\n\r\n")[0].count(b"\n")
        if self._lines > MAX_FIELDS:
            self._refuse(BadRequest())
            return
        super().data_received(data)
        if not self._handed_over and self._is_too_much():
            self._refuse(BadRequest())
        self._expect()

    def _is_too_much(self) -> bool:
        """Whether more lies there unread than an honest client sends: behind a body in pieces, or
        ahead of the answer."""
        if self.conn.their_state not in (h11.SEND_BODY, h11.DONE):
            return False
        return len(self.conn.trailing_data[0]) > _MAX_AHEAD

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY:  # it was answered without it
            self._forget()
            self._waiting = self.loop.call_later(_LINGER_SECONDS, self.transport.close)
        self._expect()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._handed_over = True
        self._forget()
        super().handle_websocket_upgrade(event)

    def shutdown(self) -> None:
        """Whoever is still sending is not waited for as long as usual."""
        super().shutdown()
        if self.conn.their_state is h11.SEND_BODY:
            self._forget()
            self._waiting = self.loop.call_later(_STOP_SECONDS, self._give_up, Stopping())

    def pause_writing(self) -> None:
        """Whoever takes nothing of an answer is not waited for without end either."""
        super().pause_writing()
        self._unread = self.loop.call_later(PATIENCE, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    # -- waiting for a request ---------------------------------------------------------------

    def _expect(self) -> None:
        """The client has so much time to send all of a request, and a little more for each byte."""
        if self._handed_over or self._refused or not self._is_sending():
            self._forget()
        elif self._waiting is None:
            self._begun, self._received = self.loop.time(), 0
            self._waiting = self.loop.call_later(PATIENCE, self._look)

    def _is_sending(self) -> bool:
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def _forget(self) -> None:
        self._lines = 0
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _look(self) -> None:
        left = self._begun + PATIENCE + self._received / SLOWEST - self.loop.time()
        if left > 0:
            self._waiting = self.loop.call_later(left, self._look)
        else:
            self._give_up(TooSlow())

    def _give_up(self, reason: PalaverError) -> None:
        """Whoever has heard something of an answer, or has asked for none, hears no more."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE) or not self._received:
            self.transport.abort()
        else:
            self._refuse(reason)

    # -- refusing ----------------------------------------------------------------------------

    def _should_upgrade_to_ws(self) -> bool:
        """Everywhere else a wish for a WebSocket is passed over, as HTTP allows."""
        return self.scope["path"] == SOCKET_PATH

    def send_400_response(self, msg: str) -> None:
        self._refuse(BadRequest())

    def _refuse(self, error: PalaverError) -> None:
        """Refuses what comes in. Closing at once would take the answer away from somebody who is
        still sending: a little more is taken, and thrown away."""
        self._refused = True
        self._forget()
        if self.cycle:  # whoever waits for the rest of the request waits for nothing
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        answer = problem_response(error)
        protect(answer.headers)
        headers = [*answer.raw_headers, (b"connection", b"close")]
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            for event in (
                h11.Response(status_code=answer.status_code, headers=headers),
                h11.Data(data=bytes(answer.body)),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
            with suppress(OSError):  # somebody may have left meanwhile
                self.transport.write_eof()
        self.loop.call_later(_LINGER_SECONDS, self.transport.close)
