"""A server that speaks as Anthropic and OpenAI do, and says what it is told to.

    with ModelServer() as server:
        server.script(Text("Hel", "lo."), Used(input=20, output=2))
        ...  # something asks a model at server.anthropic_url or server.openai_url
        (asked,) = server.asked
        assert asked.body["messages"][-1]["content"] == "Hello?"

Each script is the answer to one request, in the order in which they were given. Without one, it
says "Hello." to everything; `server.otherwise` may be a function from the request to a script.
It runs in a thread of its own, on a free port of this machine.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType

import h11

from tests.models import wires
from tests.models.script import Body, Disconnect, Hold, Status, Step, Text

_PROTOCOLS = {"/v1/messages": "anthropic", "/v1/chat/completions": "openai"}
_STREAM = [(b"content-type", b"text/event-stream"), (b"transfer-encoding", b"chunked")]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, as it came."""

    protocol: str
    path: str
    headers: dict[str, str]
    body: Body
    at: float
    """When all of it had come, by `time.perf_counter`."""


class ModelServer:
    """Answers as its scripts say, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.otherwise: Callable[[Asked], Sequence[Step]] = lambda asked: [Text("Hel", "lo.")]
        self.closed = threading.Event()
        """Set when somebody closes the connection in the middle of an answer."""
        self._scripts: deque[Sequence[Step]] = deque()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    def script(self, *steps: Step) -> None:
        """The answer to the next request that has none yet."""
        self._scripts.append(steps)

    @property
    def anthropic_url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def openai_url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    def __enter__(self) -> ModelServer:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    async def _run(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._talking: set[asyncio.Task[None]] = set()
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for task in self._talking:
            task.cancel()
        await asyncio.gather(*self._talking, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._talking.add(task)
        try:
            with suppress(ConnectionError, asyncio.CancelledError):
                await _Connection(self, reader, writer).serve()
        finally:
            self._talking.discard(task)
            writer.transport.abort()

    def take(self, asked: Asked) -> Sequence[Step]:
        self.asked.append(asked)
        return self._scripts.popleft() if self._scripts else self.otherwise(asked)


class _Connection:
    def __init__(
        self, server: ModelServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._server = server
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.SERVER)

    async def serve(self) -> None:
        while asked := await self._request():
            await self._answer(asked, self._server.take(asked))
            if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
                return
            self._http.start_next_cycle()

    async def _request(self) -> Asked | None:
        head: h11.Request | None = None
        body = b""
        while True:
            event = self._http.next_event()
            if event is h11.NEED_DATA:
                self._http.receive_data(await self._reader.read(1 << 16))
            elif isinstance(event, h11.Request):
                head = event
            elif isinstance(event, h11.Data):
                body += event.data
            elif isinstance(event, h11.EndOfMessage) and head is not None:
                return _asked(head, body)
            else:
                return None

    async def _answer(self, asked: Asked, steps: Sequence[Step]) -> None:
        if steps and isinstance(step := steps[0], Status):
            return await self._refuse(asked, step)
        await self._send(h11.Response(status_code=200, headers=_STREAM))
        render = wires.anthropic if asked.protocol == "anthropic" else wires.openai
        for sent in render(steps, asked.body):
            if isinstance(sent, Disconnect):
                return None
            if isinstance(sent, Hold):
                await self._hold(sent)
            else:
                await self._send(h11.Data(data=sent))
        await self._send(h11.EndOfMessage())
        return None

    async def _hold(self, hold: Hold) -> None:
        """Waits until it is released, or whoever asked has gone."""
        waiting = asyncio.ensure_future(hold.wait())
        gone = asyncio.ensure_future(self._reader.read(1))
        done, _ = await asyncio.wait((waiting, gone), return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        gone.cancel()
        await asyncio.wait((waiting, gone))  # two cannot read at once
        if gone in done:
            self._server.closed.set()
            raise ConnectionError

    async def _refuse(self, asked: Asked, step: Status) -> None:
        body = wires.problem(asked.protocol, step)
        headers = {"content-type": "application/json", "content-length": str(len(body))}
        listed = [
            (name.encode(), value.encode()) for name, value in (headers | step.headers).items()
        ]
        await self._send(h11.Response(status_code=step.code, headers=listed))
        await self._send(h11.Data(data=body))
        await self._send(h11.EndOfMessage())

    async def _send(self, event: h11.Response | h11.Data | h11.EndOfMessage) -> None:
        data = self._http.send(event)
        self._writer.write(data or b"")
        await self._writer.drain()


def _asked(head: h11.Request, body: bytes) -> Asked:
    path = head.target.decode().partition("?")[0]
    headers = {name.decode().lower(): value.decode() for name, value in head.headers}
    protocol = _PROTOCOLS.get(path, "openai")
    return Asked(protocol, path, headers, json.loads(body or b"{}"), time.perf_counter())
