"""Forgetting: memories go for good, and are not learned again."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from palaver.errors import BadId, BadText, BadValue, Conflict, NotFound
from palaver.memory.records import ForgetReceipt
from palaver.server.doors import MemoryId, access_conversation
from palaver.server.entry import CurrentPalaver, CurrentPrincipal
from palaver.server.routes.conversations import Preview
from palaver.server.routing import INDEX, WRITE, api_router, needs
from palaver.server.shapes import NamedConversation, Text

router = api_router("memories")

Everywhere = Annotated[
    bool,
    Query(
        description="The messages they came from are erased, too, with what quotes them; that "
        "needs the scope `write` as well."
    ),
]


@router.delete(
    "/api/memories/{memoryId}",
    summary="Forget a memory",
    description="It goes for good with everything written about it, and is not learned again from "
    "what was said before. The receipt lists what went, and what stays.",
    **needs("memory:write", BadId, NotFound, BadValue, *INDEX, *WRITE),
)
async def forget_memory(
    palaver: CurrentPalaver,
    principal: CurrentPrincipal,
    memory_id: MemoryId,
    everywhere: Everywhere = False,
    preview: Preview = False,
) -> ForgetReceipt:
    if everywhere:
        principal.require("write")
    return await palaver.memories.forget(memory_id, everywhere=everywhere, preview=preview)


@router.delete(
    "/api/memories",
    summary="Forget what came from a conversation, or all about a word",
    description="One of `conversationId` and `about`. Whatever else is said about the word is not "
    "learned either, unless the owner asks to have it remembered.",
    **needs("memory:write", BadId, NotFound, BadValue, BadText, *INDEX, *WRITE, spends="searches"),
)
async def forget_memories(
    *,
    palaver: CurrentPalaver,
    principal: CurrentPrincipal,
    conversation_id: Annotated[
        NamedConversation | None,
        Query(alias="conversationId", description="All that came from this conversation."),
    ] = None,
    about: Annotated[
        Text | None, Query(description="All that speaks of these words.", examples=["dentist"])
    ] = None,
    everywhere: Everywhere = False,
    preview: Preview = False,
) -> ForgetReceipt:
    if (conversation_id is None) == (about is None):
        raise BadValue(
            "Say what is to be forgotten: a conversation, or a word.",
            remedy="Give one of `conversationId` and `about`.",
        )
    if everywhere:
        principal.require("write")
    named = access_conversation(principal, conversation_id) if conversation_id else None
    return await palaver.memories.forget(
        conversation_id=named, about=about, everywhere=everywhere, preview=preview
    )


@router.post(
    "/api/memories/{memoryId}/reject",
    summary="Do not keep what waits for approval",
    description="It is not learned again.",
    **needs("memory:write", BadId, NotFound, Conflict, *INDEX, *WRITE, spends="messages"),
)
async def reject_memory(palaver: CurrentPalaver, memory_id: MemoryId) -> ForgetReceipt:
    return await palaver.memories.reject(memory_id)
