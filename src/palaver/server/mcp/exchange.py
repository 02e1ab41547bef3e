"""An exchange over streamable HTTP: one message is posted, and answered. No session is kept.

Each has a server of its own, with the tools and the conversations of whoever asks: nothing of it
can reach somebody else.
"""

from __future__ import annotations

from mcp.server.streamable_http import check_accept_headers
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import JSONRPCError
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from palaver.app import Palaver
from palaver.server.mcp.incoming import refusal
from palaver.server.mcp.protocol import create_server
from palaver.server.mcp.tools import Access

_BOTH = "application/json, text/event-stream"


async def exchange(
    palaver: Palaver, access: Access, request: Request, body: bytes, send: Send
) -> None:
    """Answers what was posted: with JSON, or as a stream to whoever takes nothing else."""
    scope, receive = request.scope, request.receive
    if error := refusal(body.decode(errors="replace")):
        await _refused(error)(scope, receive, send)
        return
    takes_json, takes_stream = check_accept_headers(request)
    is_stream = takes_stream and not takes_json
    manager = StreamableHTTPSessionManager(
        create_server(palaver, access),
        stateless=True,
        json_response=not is_stream,
        max_request_body_size=len(body) + 1,  # it has been read, and was not too long
    )
    async with manager.run():
        inside = _taking_both(scope) if is_stream else scope
        await manager.handle_request(inside, _again(body, receive), send)


def _refused(error: JSONRPCError) -> Response:
    document = error.model_dump_json(by_alias=True, exclude_unset=True)
    return Response(document, status_code=400, media_type="application/json")


def _taking_both(scope: Scope) -> Scope:
    """The SDK gives a stream only to those who take JSON as well."""
    inside = {**scope, "headers": list(scope["headers"])}
    MutableHeaders(scope=inside)["accept"] = _BOTH
    return inside


def _again(body: bytes, receive: Receive) -> Receive:
    """What is received, with the body that has been read."""
    read: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return read.pop() if read else await receive()

    return received
