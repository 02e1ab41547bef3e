"""Running: how requests are taken, and how it ends: cleanly, and soon, whatever hangs.

Everybody who stays is told at once, and nobody is let in any more. Replies that are being made get
a few seconds, then what there is of them is kept. What has not ended by then is broken off.
"""

from __future__ import annotations

import asyncio
import logging
import resource
import signal
import socket
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import current_thread, main_thread

import uvicorn
from fastapi import FastAPI

from palaver.ending import end_at_once, end_within
from palaver.server.bodies import SMALL
from palaver.server.entry import Entry
from palaver.server.protocol import MAX_HEAD, Protocol
from palaver.server.socket_protocol import SocketProtocol

REPLY_SECONDS = 4.0
"""How long a reply that is being made may still take."""
_GRACE_SECONDS = 5
"""How long a request may."""
STOPPING = (signal.SIGINT, signal.SIGTERM)
_MANY_FILES = 65_536


def _is_trouble(record: logging.LogRecord) -> bool:
    """An answer that was broken off on purpose is none; if there was a reason, it is logged."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, ConnectionAbortedError)


def config(app: FastAPI) -> uvicorn.Config:
    """How uvicorn runs the application: quietly, and trusting nobody in front of it."""
    logging.getLogger("uvicorn.error").addFilter(_is_trouble)
    return uvicorn.Config(
        app,
        http=Protocol,
        h11_max_incomplete_event_size=MAX_HEAD,
        log_config=None,
        log_level="error",  # its warnings are about what strangers send
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws=SocketProtocol,
        ws_max_size=SMALL,
        ws_per_message_deflate=False,  # what is secret must not show in how well it compresses
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )


def make_room() -> None:
    """Lets this process have as many files, and so connections, as the system allows it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MANY_FILES if hard == resource.RLIM_INFINITY else min(_MANY_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class Server(uvicorn.Server):
    """uvicorn, which says when it is ready, ends as it is said above, and lets the ledger close."""

    def __init__(
        self,
        config: uvicorn.Config,
        entry: Entry,
        ready: Callable[[], None] = lambda: None,
        stopping: Callable[[], None] = lambda: None,
    ) -> None:
        """`ready` is called when it takes requests, `stopping` when it is told to end."""
        super().__init__(config)
        self._entry = entry
        self._ready = ready
        self._stopping = stopping

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    def stop(self) -> None:
        """Begins to end. Belongs to the event loop."""
        self.should_exit = True
        self._entry.guests.close()
        self._stopping()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._entry.guests.close()
        opened = self._entry.libraries.opened()
        replies = (palaver.finish_replies(within=REPLY_SECONDS) for palaver in opened)
        await asyncio.gather(super().shutdown(sockets), *replies)

    def handle_exit(self, sig: int, frame: object) -> None:
        """Begins to end; whoever says it twice does not want to wait."""
        if self.should_exit:
            end_at_once(sig)
        if sys.stderr.isatty():
            print("Stopping. Replies that are being made get a few seconds.", file=sys.stderr)  # noqa: T201
        end_within()
        self.stop()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Unlike uvicorn's own, never raises the signal again: that would end the process. From
        here on another one does."""
        if current_thread() is not main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        for number in STOPPING:
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in STOPPING:
                loop.remove_signal_handler(number)
                signal.signal(number, signal.SIG_DFL)
