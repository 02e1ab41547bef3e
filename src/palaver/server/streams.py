"""Streams: answers that take their time, and end when whoever reads them has to leave."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Mapping
from typing import Annotated

from fastapi import Depends, Header, Request
from starlette.responses import StreamingResponse
from starlette.types import Send

from palaver.errors import PalaverError
from palaver.server.entry import Entry
from palaver.server.guests import Stay

EVENT_STREAM = "text/event-stream"
_FAREWELL_SECONDS = 0.5
"""How long somebody has to take the last words."""
Farewell = Callable[[PalaverError], bytes]
Accept = Annotated[str, Header(include_in_schema=False)]


class Stream(StreamingResponse):
    """What comes, until it ends or the stay of its reader does."""

    def __init__(
        self,
        content: AsyncIterable[bytes],
        stay: Stay,
        *,
        media_type: str,
        headers: Mapping[str, str] | None = None,
        farewell: Farewell | None = None,
    ) -> None:
        """`farewell` is how to say why it ends; without it, it is broken off, so that nobody takes
        it for whole."""
        super().__init__(content, media_type=media_type, headers=headers)
        self._stay = stay
        self._farewell = farewell

    async def stream_response(self, send: Send) -> None:
        try:
            await self._stay.during(super().stream_response(send))
        except PalaverError as reason:
            if self._farewell is None:
                raise ConnectionAbortedError from None
            last = {"type": "http.response.body", "body": self._farewell(reason)}
            try:
                async with asyncio.timeout(_FAREWELL_SECONDS):
                    await send(last)
            except TimeoutError:
                raise ConnectionAbortedError from None


async def stay_of(request: Request) -> AsyncGenerator[Stay]:
    """Whoever sent a request that has been admitted stays until it is answered."""
    entry: Entry = request.app.state.entry
    with entry.stay(request.state.principal) as stay:
        yield stay


async def listener_of(request: Request, accept: Accept = "") -> AsyncGenerator[Stay | None]:
    """The same for somebody who wants events; others only wait for their answer."""
    if EVENT_STREAM not in accept:
        yield None
        return
    entry: Entry = request.app.state.entry
    with entry.stay(request.state.principal) as stay:
        yield stay


CurrentStay = Annotated[Stay, Depends(stay_of)]
CurrentListener = Annotated[Stay | None, Depends(listener_of)]
