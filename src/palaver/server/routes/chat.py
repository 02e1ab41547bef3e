"""Chat: a message in, its answer out."""

from __future__ import annotations

from palaver.conversation.records import Reply
from palaver.conversation.streams import check_conversation_id
from palaver.errors import BadId, EmptyMessage, Erased, KeyReused, NotFound, ReadOnly
from palaver.server.bodies import LIMIT
from palaver.server.entry import CurrentPalaver
from palaver.server.keys import KeyHeader, one_key
from palaver.server.routing import BODY, INDEX, WRITE, api_router, needs
from palaver.server.shapes import ChatMessage

router = api_router("chat")


@router.post(
    "/api/chat",
    summary="Say something and get the answer",
    description="Without `conversationId` a new conversation begins. With a `key`, "
    "sending the same message again gives the first answer.",
    **needs(
        "chat",
        BadId,
        NotFound,
        EmptyMessage,
        KeyReused,
        Erased,
        ReadOnly,
        *BODY,
        *INDEX,
        *WRITE,
        max_body=LIMIT,
    ),
)
async def chat(palaver: CurrentPalaver, body: ChatMessage, header: KeyHeader = None) -> Reply:
    if body.conversation_id is not None:
        check_conversation_id(body.conversation_id)
    return await palaver.send(
        body.message,
        conversation_id=body.conversation_id,
        new=body.conversation_id is None,
        channel=body.channel,
        key=one_key(body.key, body.idempotency_key, header),
        model=body.model,
    )
