"""The least a server can do: uvicorn, which passes on what somebody posts to their own sockets."""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict

import uvicorn
from starlette.types import Receive, Scope, Send

_sockets: defaultdict[bytes, list[Send]] = defaultdict(list)


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        return
    token = dict(scope["headers"])[b"authorization"]
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        _sockets[token].append(send)
        while (await receive())["type"] != "websocket.disconnect":
            pass
        return
    body = (await receive())["body"]
    text = body.decode()
    for tell in _sockets[token]:
        await tell({"type": "websocket.send", "text": text})
    answer = b'{"id":"one"}'
    headers = [(b"content-length", str(len(answer)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer})


class _Server(uvicorn.Server):
    async def startup(self, sockets: object = None) -> None:
        await super().startup()
        port = self.servers[0].sockets[0].getsockname()[1]
        print(f"http://127.0.0.1:{port}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    config = uvicorn.Config(
        app,
        port=0,
        http="h11",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        lifespan="off",
        log_level="error",
        access_log=False,
    )
    asyncio.run(_Server(config).serve())
