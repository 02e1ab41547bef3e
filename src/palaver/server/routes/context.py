"""The context: what a model would see of a conversation, or has seen."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import Field

from palaver.context.memories import MAY_READ
from palaver.context.packet import ContextPacket
from palaver.errors import BadId, BadText, BadValue, EmptyMessage, NotFound
from palaver.server.doors import ConversationId
from palaver.server.entry import CurrentPalaver, CurrentPrincipal
from palaver.server.routing import INDEX, api_router, needs
from palaver.server.shapes import Text

router = api_router("context")
Asked = Annotated[Text, Field(json_schema_extra={"minLength": 1})]


@router.get(
    "/api/conversations/{conversationId}/context",
    summary="What a model sees",
    description="The packet that the next message would get: `messages` is ready for a model, "
    "`sections` says what each part costs and stands on, `leftOut` what is missing and why. "
    "Nothing is stored. With `turn`, the packet as it was sent for the reply in that turn, without "
    "what was erased since. Memories are in it for whoever may read them (`memory:read`).",
    **needs("read", BadId, NotFound, EmptyMessage, BadValue, BadText, *INDEX),
)
async def show_context(
    palaver: CurrentPalaver,
    principal: CurrentPrincipal,
    conversation_id: ConversationId,
    message: Annotated[
        Asked | None,
        Query(description="A message that somebody might send; without it, the last one counts."),
    ] = None,
    turn: Annotated[int | None, Query(ge=0, lt=2**31, description="A turn's number.")] = None,
) -> ContextPacket:
    may = MAY_READ in principal.scopes
    return await palaver.context(conversation_id, message, turn=turn, memories=may)
