"""Guard: what every request passes before anything else, and every response on its way out.

Pure ASGI, so that bodies and responses stream through it untouched.
"""

from __future__ import annotations

import asyncio
import logging
import time
import traceback
from collections.abc import Callable, Container
from urllib.parse import unquote

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected

from palaver.errors import BadHost, PalaverError, Stopping
from palaver.server.headers import protect
from palaver.server.problems import problem_response
from palaver.server.protocol import BadRequest
from palaver.telemetry import traced
from palaver.telemetry.metrics import Metrics

log = logging.getLogger(__name__)

ALIVE = "/healthz"
"""Answered to the last."""


class Guard:
    """Refuses foreign hosts, adds the security headers, and lets no error out unshaped."""

    def __init__(
        self,
        app: ASGIApp,
        hosts: Container[str],
        metrics: Metrics,
        stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        """`stopping` tells whether nobody is let in any more."""
        self._app = app
        self._stopping = stopping
        self._hosts = hosts
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope, send)
        if scope["type"] != "http":  # each message of a socket has a trace of its own
            await self._exchange(exchange, scope, receive)
            return
        begun, inside = time.perf_counter(), _inside(scope)
        with traced():
            await self._exchange(exchange, inside, receive)
        if exchange.status is not None:
            taken = time.perf_counter() - begun
            self._metrics.request(scope["method"], _route(inside), exchange.status, taken)

    async def _exchange(self, exchange: _Exchange, inside: Scope, receive: Receive) -> None:
        try:
            self._check_host(Headers(scope=inside))
            _check_framing(inside)
            if self._stopping() and inside["path"] != ALIVE:
                raise Stopping
            await self._app(inside, receive, exchange.send)
        except (ClientDisconnect, ClientDisconnected):  # nobody is left to answer
            return
        except ConnectionAbortedError:  # an answer that is to be seen not to be whole
            raise
        except PalaverError as error:
            await exchange.refuse(error, receive)
        except asyncio.CancelledError:
            if not self._stopping():
                raise
            await exchange.refuse(Stopping(), receive)  # it took too long
        except Exception as error:  # noqa: BLE001 - the one handler at the top
            _report(inside, error)
            await exchange.refuse(PalaverError(), receive)

    def _check_host(self, headers: Headers) -> None:
        """A page elsewhere can point its own name at this machine (DNS rebinding)."""
        match headers.getlist("host"):
            case [host] if host.lower() in self._hosts:
                return
            case _:
                raise BadHost


class _Exchange:
    """One response on its way out."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._started = False
        self.status: int | None = None
        """What it was answered with."""

    async def send(self, message: Message) -> None:
        if message["type"] == "websocket.accept":
            self._started = True
        elif message["type"] in ("http.response.start", "websocket.http.response.start"):
            self._started = True
            self.status = message["status"]
            protect(MutableHeaders(scope=message))
        await self._send(message)

    async def refuse(self, error: PalaverError, receive: Receive) -> None:
        """Answers with a problem; a response that has begun can only be broken off, and a socket
        that was opened has been closed with a code."""
        if self._started:
            if self._scope["type"] == "websocket":
                return
            raise ConnectionAbortedError from None
        answer = problem_response(error)
        if isinstance(error, BadRequest):  # where the next one would begin is not clear
            answer.headers["Connection"] = "close"
        await answer(self._scope, receive, self.send)


def _check_framing(scope: Scope) -> None:
    """Whoever stands in front may read it otherwise where two headers say how long a body is, or
    one that was not known then: so a second request could be hidden in it."""
    headers = Headers(scope=scope)
    old = scope.get("http_version") == "1.0"
    if "transfer-encoding" in headers and (old or "content-length" in headers):
        raise BadRequest


def _inside(scope: Scope) -> Scope:
    """`scope` as the application sees it; the server itself leaves the body of a HEAD away."""
    method = "GET" if scope["method"] == "HEAD" else scope["method"]
    return {**scope, "method": method, "path": _whole_segments(scope)}


def _whole_segments(scope: Scope) -> str:
    """The path, in which an escaped slash does not begin a new segment."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    segments = (unquote(segment) for segment in raw.decode("latin-1").split("/"))
    return "/".join(segment.replace("/", "%2F") for segment in segments)


def _report(scope: Scope, error: Exception) -> None:
    """Where it happened, without what it happened to: an error's text may quote a message."""
    places = "".join(traceback.format_tb(error.__traceback__))
    method = scope.get("method", "WebSocket")
    log.error("internal_error %s %s %s\n%s", method, _route(scope), type(error).__name__, places)


def _route(scope: Scope) -> str:
    """The pattern of the path, if it has one."""
    return getattr(scope.get("route"), "path", "-")
