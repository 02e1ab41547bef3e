"""`/mcp`: who may come in, and for how long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from palaver.accounts import Principal
from palaver.app import Palaver
from palaver.errors import AccessError, BadMethod, Stopping
from palaver.server.bodies import check_type, read_body
from palaver.server.entry import Entry
from palaver.server.mcp.tools import Access
from palaver.server.problems import problem_response
from palaver.server.queries import check_query

PATH = "/mcp"
MAX_BODY = 2 << 20
"""How many bytes of a body are read: a query of 100,000 characters needs a million when none of
them is ASCII."""
_METHOD = "POST"
_REMEDY = "Use a token that carries it: `palaver tokens create --scope {scope}`."

Exchange = Callable[[Palaver, Access, Request, bytes, Send], Coroutine[Any, Any, None]]


def mcp_route() -> Route:
    return _NamedRoute(PATH, _Endpoint())


class _NamedRoute(Route):
    """Metrics and logs tell it by its path, as the routes of the API."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = self
        await super().handle(scope, receive, send)


class _Endpoint:
    """Takes every method: a page of another site is refused first, whatever it sends."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        entry: Entry = request.app.state.entry
        entry.check_origin(request)
        if request.method != _METHOD:
            await _bad_method()(scope, receive, send)
            return
        check_query(request, [])
        principal = await entry.admit(request)
        check_type(request.headers.get("content-type", ""))
        spend = partial(entry.limits.spend, principal.user, "bytes")
        body = await read_body(request, MAX_BODY, spend)
        await _serve(entry, principal, request, body, _Answer(send))


class _Answer:
    """An answer on its way out, which may be a stream."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = self._whole = False

    async def send(self, message: Message) -> None:
        self.begun = True
        is_body = message["type"] == "http.response.body"
        self._whole = is_body and not message.get("more_body", False)
        await self._send(message)

    async def end(self) -> None:
        if not self._whole:
            await self._send({"type": "http.response.body", "body": b""})


async def _serve(
    entry: Entry, principal: Principal, request: Request, body: bytes, answer: _Answer
) -> None:
    """Raises PalaverError before anything is answered; later, a stream simply ends."""
    exchange = await asyncio.to_thread(_loaded)
    search = partial(entry.limits.spend, principal.user, "searches")
    access = Access(principal.scopes, _REMEDY, search)
    with entry.stay(principal) as stay:
        async with entry.libraries.of(principal.user) as palaver:
            try:
                await stay.during(exchange(palaver, access, request, body, answer.send))
            except (AccessError, Stopping):
                if not answer.begun:
                    raise
                await answer.end()


def _loaded() -> Exchange:
    """The SDK takes long to load: it is needed only when somebody uses it."""
    from palaver.server.mcp.exchange import exchange

    return exchange


def _bad_method() -> Response:
    """No stream is offered, and there is no session that could be ended."""
    response = problem_response(BadMethod())
    response.headers["Allow"] = _METHOD
    return response
