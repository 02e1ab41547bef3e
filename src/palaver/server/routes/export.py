"""Taking away: one conversation, or all of them, as a file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Query
from starlette.responses import StreamingResponse

from palaver.errors import BadId, BadValue, LimitReached, NotFound, Stopping
from palaver.portability import (
    MEDIA_TYPES,
    SUFFIXES,
    Format,
    export_conversations,
    export_everything,
)
from palaver.server.doors import ConversationId
from palaver.server.entry import CurrentPalaver
from palaver.server.problems import Responses
from palaver.server.routing import INDEX, api_router, needs
from palaver.server.streams import CurrentStay, Stream

router = api_router("conversations")

AsFormat = Annotated[Format, Query(description="What to write.")]
_FILES: Responses = {
    200: {
        "content": {kind: {"schema": {"type": "string"}} for kind in MEDIA_TYPES.values()},
        "headers": {
            "Content-Disposition": {
                "description": "The name of the file.",
                "required": True,
                "schema": {"type": "string"},
            }
        },
    }
}


@router.get(
    "/api/conversations/{conversationId}/export",
    summary="Take a conversation away",
    description="`jsonl` is the stored lines, byte for byte; the others are for reading.",
    response_class=StreamingResponse,
    response_description="The conversation as a file.",
    **needs("read", BadId, NotFound, BadValue, LimitReached, Stopping, *INDEX, answers=_FILES),
)
async def export_conversation(
    palaver: CurrentPalaver,
    stay: CurrentStay,
    conversation_id: ConversationId,
    format: AsFormat = "jsonl",  # noqa: A002 - promised
) -> Stream:
    await palaver.me()
    zone = palaver.zone()
    if format != "jsonl":
        await palaver.conversation(conversation_id)
    pieces = export_conversations(palaver, [conversation_id], format, zone)
    return await _file(pieces, stay, conversation_id, format)


@router.get(
    "/api/export",
    summary="Take everything away",
    description="Every conversation of yours, the archived ones too, in the order in which they "
    "began: what `palaver export` writes to one file. `jsonl` is the stored lines, byte for byte; "
    "the others are for reading. One that is erased meanwhile is left out.",
    response_class=StreamingResponse,
    response_description="All conversations as a file.",
    **needs("read", BadValue, LimitReached, Stopping, *INDEX, answers=_FILES),
)
async def export_all(
    palaver: CurrentPalaver,
    stay: CurrentStay,
    format: AsFormat = "jsonl",  # noqa: A002 - as above
) -> Stream:
    await palaver.me()
    pieces = export_everything(palaver, format, palaver.zone())
    return await _file(pieces, stay, "palaver", format)


async def _file(pieces: AsyncIterator[bytes], stay: CurrentStay, name: str, form: Format) -> Stream:
    first = await anext(pieces, b"")  # what is not there is a problem, not the end of a file
    return Stream(
        _again(first, pieces),
        stay,
        media_type=MEDIA_TYPES[form],
        headers={"Content-Disposition": f'attachment; filename="{name}{SUFFIXES[form]}"'},
    )


async def _again(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for piece in rest:
        yield piece
