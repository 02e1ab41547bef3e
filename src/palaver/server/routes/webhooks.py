"""Webhooks: providers of channels call, and are answered when what they bring is safe."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Request
from fastapi.routing import APIRoute
from starlette.responses import PlainTextResponse, Response

from palaver.errors import BadJson, CopyUnfinished, NotFound, TooLarge, WebhookRefused
from palaver.server.bodies import read_body
from palaver.server.entry import CurrentEntry
from palaver.server.routing import INDEX, OPEN, STORAGE, WRITE, api_router, needs
from palaver.server.shapes import ChannelQuery

router = api_router("channels", APIRoute)
"""Whoever calls proves by the call itself who they are: the channel looks at all of it, as it
came."""
MAX_CALL = 4 * 1024 * 1024
"""No provider sends more in one call."""
_PATH = "/channels/{name}"
Called = Annotated[
    ChannelQuery, Path(description="The channel's name, such as `whatsapp`.", examples=["whatsapp"])
]


@router.get(
    _PATH,
    summary="Whether the address is ours",
    description="What a provider asks before it calls. Which parameters there are is for the "
    "provider to say.",
    response_class=PlainTextResponse,
    response_description="What the provider wants to hear.",
    **needs(OPEN, NotFound, WebhookRefused),
)
async def answer_challenge(entry: CurrentEntry, request: Request, name: Called) -> Response:
    _, hook = entry.channels.webhook(name)
    return PlainTextResponse(hook.challenged(dict(request.query_params)))


@router.post(
    _PATH,
    summary="Bring messages",
    description="What a provider calls. It is signed, or carries a secret. It is answered when "
    "all that it brings is stored; otherwise it is to be sent again, which is harmless.",
    response_class=Response,
    response_description="All of it is safe.",
    **needs(
        OPEN,
        NotFound,
        WebhookRefused,
        BadJson,
        TooLarge,
        CopyUnfinished,
        *INDEX,
        *STORAGE,
        *WRITE,
        max_body=MAX_CALL,
    ),
)
async def take_call(entry: CurrentEntry, request: Request, name: Called) -> Response:
    by, hook = entry.channels.webhook(name)
    body = await read_body(request, MAX_CALL, lambda size: None)
    for update in hook.read(body, _headers(request)):
        await entry.channels.take(by, update)
    return Response()


def _headers(request: Request) -> dict[str, str]:
    """By their names in small letters; one that comes twice proves nothing, and is left out."""
    names = [name for name, _ in request.headers.items()]
    return {name: value for name, value in request.headers.items() if names.count(name) == 1}
