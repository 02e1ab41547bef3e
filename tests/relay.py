"""A relay between clients and a server, which cuts the line after so many bytes."""

from __future__ import annotations

import selectors
import socket
from contextlib import suppress
from threading import Lock, Thread
from types import TracebackType


class Relay:
    """Passes everything on. A cut happens once, to whoever would get the first byte too many."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._port = 0
        self._left: int | None = None
        self._counting = Lock()
        self.cuts = 0

    def lead_to(self, port: int) -> None:
        self._port = port

    def cut_after(self, size: int) -> None:
        """The server is cut off when it has said so much more."""
        with self._counting:
            self._left = size

    def __enter__(self) -> Relay:
        Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):  # it is closed
            while True:
                client, _ = self._listener.accept()
                Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        there = ("127.0.0.1", self._port)
        with (
            suppress(OSError),
            client,
            socket.create_connection(there) as server,
            selectors.DefaultSelector() as ready,
        ):
            ready.register(client, selectors.EVENT_READ, server)
            ready.register(server, selectors.EVENT_READ, client)
            while all(self._passed(key, client) for key, _ in ready.select()):
                pass

    def _passed(self, key: selectors.SelectorKey, client: socket.socket) -> bool:
        """Whether it goes on after what has come."""
        source, target = key.fileobj, key.data
        assert isinstance(source, socket.socket)
        data = source.recv(1 << 16)
        allowed = len(data) if source is client else self._allowed(len(data))
        target.sendall(data[:allowed])
        return 0 < len(data) == allowed

    def _allowed(self, size: int) -> int:
        """How much of that may still be said."""
        with self._counting:
            if self._left is None or size <= self._left:
                self._left = None if self._left is None else self._left - size
                return size
            allowed, self._left = self._left, None
            self.cuts += 1
            return allowed
