"""Messages: read them, keep one, erase one."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from palaver.conversation.records import Receipt
from palaver.errors import (
    BadId,
    BadValue,
    Conflict,
    EmptyMessage,
    Erased,
    KeyReused,
    NotFound,
    Outdated,
    ReadOnly,
)
from palaver.index.records import Message, MessagePage
from palaver.server.bodies import LIMIT
from palaver.server.doors import ConversationId, MessageId, access_message
from palaver.server.entry import CurrentPalaver, CurrentPrincipal
from palaver.server.keys import KeyHeader, one_key
from palaver.server.routes.parameters import Limit, Preview
from palaver.server.routing import BODY, INDEX, WRITE, api_router, needs
from palaver.server.shapes import NamedMessage, NewMessageBody
from palaver.server.tags import IfMatch, seen_version

router = api_router("messages")
_PATH = "/api/conversations/{conversationId}/messages"

Position = Annotated[NamedMessage | None, Query(description="A message's id.")]


@router.get(
    _PATH,
    summary="Messages of a conversation",
    description="Oldest first. Without a position, the last ones; at most one of "
    "`before`, `after` and `around`.",
    **needs("read", BadId, NotFound, BadValue, *INDEX),
)
async def list_messages(
    *,
    palaver: CurrentPalaver,
    principal: CurrentPrincipal,
    conversation_id: ConversationId,
    before: Position = None,
    after: Position = None,
    around: Position = None,
    limit: Limit = 50,
) -> MessagePage:
    given = {"before": before, "after": after, "around": around}
    positions = {name: access_message(principal, named) for name, named in given.items() if named}
    if len(positions) > 1:
        raise BadValue("Only one of before, after and around can be used.")
    return await palaver.messages(conversation_id, limit=limit, **positions)


@router.post(
    _PATH,
    status_code=201,
    summary="Keep a message",
    description="Appends it without asking an assistant, for those who run their own model.",
    **needs(
        "write",
        BadId,
        NotFound,
        EmptyMessage,
        Conflict,
        KeyReused,
        Erased,
        ReadOnly,
        *BODY,
        *INDEX,
        *WRITE,
        max_body=LIMIT,
        spends="messages",
    ),
)
async def keep_message(
    palaver: CurrentPalaver,
    conversation_id: ConversationId,
    body: NewMessageBody,
    header: KeyHeader = None,
) -> Message:
    message = body.model_copy(update={"key": one_key(body.key, header)})
    return (await palaver.append_many(conversation_id, [message]))[0]


@router.delete(
    f"{_PATH}/{{messageId}}",
    summary="Erase a message",
    description="Takes its words away for good. The receipt lists what went with it, and what a "
    "database keeps for a while.",
    **needs("write", BadId, NotFound, Erased, BadValue, Outdated, *INDEX, *WRITE),
)
async def erase_message(
    palaver: CurrentPalaver,
    conversation_id: ConversationId,
    message_id: MessageId,
    seen: IfMatch,
    preview: Preview = False,
) -> Receipt:
    version = await seen_version(palaver, conversation_id, seen)
    return await palaver.redact(conversation_id, message_id, preview=preview, version=version)
