"""A provider on this machine: a small HTTP server that remembers what it was asked.

It can be down (nobody listens), cut every line before it answers, be silent until it is told to go
on, and give answers that were laid out for it.
"""

from __future__ import annotations

import json
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from types import TracebackType
from typing import Any
from urllib.parse import parse_qsl, urlsplit

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A request, as it came."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Json:
        return json.loads(self.body)

    @property
    def form(self) -> dict[str, str]:
        return dict(parse_qsl(self.body.decode(), keep_blank_values=True))


Answer = tuple[int, Json | str]


class LocalProvider:
    """Subclasses say what is answered. Each call has a thread of its own."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.cuts = False
        """Whether it hangs up on whoever asks, after it has done what was asked."""
        self.silent: Event | None = None
        """Nothing is answered until it is set."""
        self._laid_out: deque[Answer] = deque()
        self._port = 0
        self._server: ThreadingHTTPServer | None = None
        self.stopping = Event()

    def answer(self, call: Call) -> Answer:
        raise NotImplementedError

    def lay_out(self, status: int, body: Json | str) -> None:
        """The answer to the next call that has none yet: nothing is done then. A text is what
        somebody on the way says, who does not speak the protocol."""
        self._laid_out.append((status, body))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """It listens, at the same address as before if there was one."""
        self.stopping.clear()
        server = ThreadingHTTPServer(("127.0.0.1", self._port), _handler(self))
        server.daemon_threads = True
        self._port, self._server = server.server_address[1], server
        Thread(target=lambda: server.serve_forever(0.01), daemon=True).start()

    def stop(self) -> None:
        """Nobody listens any more."""
        self.stopping.set()
        if self._server:
            self._server.shutdown()
            self._server.server_close()
        self._server = None

    def take(self, call: Call) -> Answer | None:
        self.calls.append(call)
        if self._laid_out:
            return self._laid_out.popleft()
        done = self.answer(call)
        if self.silent:
            self.silent.wait(20)
        return None if self.cuts or self.silent else done

    def __enter__(self) -> Any:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.silent:
            self.silent.set()
        self.stop()


def _handler(provider: LocalProvider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._serve()

        def do_POST(self) -> None:
            self._serve()

        def _serve(self) -> None:
            address = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            query = dict(parse_qsl(address.query))
            found = provider.take(Call(self.command, address.path, query, headers, body))
            self.close_connection = True
            if found is None:
                return
            status, told = found
            said = told.encode() if isinstance(told, str) else json.dumps(told).encode()
            with suppress(ConnectionError):  # whoever asked may have gone
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(said)))
                self.end_headers()
                self.wfile.write(said)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (it is called so)
            """Nobody reads it."""

    return Handler
