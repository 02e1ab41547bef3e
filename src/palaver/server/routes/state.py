"""The state: where a conversation stands, what it is about, and all that is needed to go on."""

from __future__ import annotations

from palaver.digest.checkpoint import Checkpoint, ConversationState
from palaver.digest.reading import ConversationDigest
from palaver.errors import BadId, NotFound
from palaver.server.doors import ConversationId
from palaver.server.entry import CurrentPalaver
from palaver.server.routing import INDEX, api_router, needs

router = api_router("state")


@router.get(
    "/api/conversations/{conversationId}/state",
    summary="Where a conversation stands",
    description="Its topics, what is left open and what was asked back, with the message each "
    "comes from. `provisional` says that only the end of it has been read so far.",
    **needs("read", BadId, NotFound, *INDEX),
)
async def show_state(palaver: CurrentPalaver, conversation_id: ConversationId) -> ConversationState:
    return await palaver.state(conversation_id)


@router.get(
    "/api/conversations/{conversationId}/digest",
    summary="What a conversation is about",
    description="Its title, its topics, and what was said in fewer words, each with the messages "
    "it comes from. `abbreviation` is made when the conversation has been quiet for a while, "
    "`rollingSummary` at every tenth turn. `needsAbbreviation` says that something was said since.",
    **needs("read", BadId, NotFound, *INDEX),
)
async def show_digest(
    palaver: CurrentPalaver, conversation_id: ConversationId
) -> ConversationDigest:
    return await palaver.digest(conversation_id)


@router.get(
    "/api/conversations/{conversationId}/checkpoint",
    summary="All that is needed to go on",
    description="The state, the last turns, and a summary of what was said before them, if there "
    "is one.",
    **needs("read", BadId, NotFound, *INDEX),
)
async def show_checkpoint(palaver: CurrentPalaver, conversation_id: ConversationId) -> Checkpoint:
    return await palaver.checkpoint(conversation_id)
