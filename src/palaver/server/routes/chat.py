"""Chat: a message in, its answer out; said otherwise, answered again, or stopped."""

from __future__ import annotations

from typing import Any

from palaver.conversation.records import Reply
from palaver.errors import (
    BadId,
    Conflict,
    Erased,
    KeyReused,
    ModelBusy,
    ModelDeclined,
    ModelError,
    ModelKeyRefused,
    ModelMalformed,
    ModelNotConnected,
    ModelOverfull,
    ModelTimeout,
    ModelUnknown,
    ModelUnreachable,
    NotFound,
    Outdated,
    ReadOnly,
)
from palaver.server.bodies import LIMIT
from palaver.server.doors import ConversationId, MessageId, access_conversation
from palaver.server.entry import CurrentPalaver, CurrentPrincipal
from palaver.server.keys import KeyHeader, one_key
from palaver.server.routes.answering import ANSWERED, SAYING, answer
from palaver.server.routing import BODY, INDEX, WRITE, api_router, needs
from palaver.server.shapes import ChatMessage, EditedMessage, Regeneration
from palaver.server.streams import EVENT_STREAM, CurrentListener
from palaver.server.tags import IfMatch, seen_version
from palaver.server.views import Stopped

router = api_router("chat")
_MESSAGE = "/api/conversations/{conversationId}/messages/{messageId}"
_MODEL = (
    ModelError,
    ModelNotConnected,
    ModelKeyRefused,
    ModelBusy,
    ModelTimeout,
    ModelUnreachable,
    ModelMalformed,
    ModelDeclined,
    ModelOverfull,
)
"""Why a good reply was not made again. A message that is new gets a notice instead."""


@router.post(
    "/api/chat",
    summary="Say something and get the answer",
    description="Without `conversationId` a new conversation begins. With a `key`, "
    "sending the same message again gives the first answer. A command gives `turnNumber: null`. "
    f"With `Accept: {EVENT_STREAM}` come the events `message_accepted`, `reply_started`, "
    "`reply_delta`, `reply_thinking`, `reply_tool`, `reply_finished`, `error`; the reply is made "
    "to its end even if nobody listens any more.",
    response_model=Reply,
    **ANSWERED,
)
async def chat(
    *,
    palaver: CurrentPalaver,
    principal: CurrentPrincipal,
    stay: CurrentListener,
    body: ChatMessage,
    header: KeyHeader = None,
) -> Any:
    named = body.conversation_id
    return await answer(
        palaver,
        body,
        stay,
        conversation_id=access_conversation(principal, named) if named else None,
        new=named is None,
        channel=body.channel,
        key=one_key(body.key, body.idempotency_key, header),
        scopes=principal.scopes,
    )


@router.put(
    _MESSAGE,
    summary="Say the last message otherwise",
    description="Only the last message of the user. It is answered again; the old message and its "
    "reply are kept, superseded.",
    **needs("chat", *SAYING, Conflict, Outdated, max_body=LIMIT, spends="messages"),
)
async def edit_message(
    *,
    palaver: CurrentPalaver,
    principal: CurrentPrincipal,
    conversation_id: ConversationId,
    message_id: MessageId,
    body: EditedMessage,
    seen: IfMatch,
    header: KeyHeader = None,
) -> Reply:
    version = await seen_version(palaver, conversation_id, seen)
    return await palaver.edit(
        conversation_id,
        message_id,
        body.content,
        key=one_key(body.key, header),
        scopes=principal.scopes,
        version=version,
    )


@router.post(
    f"{_MESSAGE}/regenerate",
    summary="Make a reply again",
    description="The old reply is kept, superseded. A message of the user that has no reply gets "
    "one. A good reply stays when nothing comes instead of it. With a `key`, asking again gives "
    "the first result.",
    **needs(
        "chat",
        BadId,
        NotFound,
        ModelUnknown,
        ReadOnly,
        Conflict,
        KeyReused,
        Erased,
        *_MODEL,
        *BODY,
        *INDEX,
        *WRITE,
        spends="messages",
    ),
)
async def regenerate(
    *,
    palaver: CurrentPalaver,
    principal: CurrentPrincipal,
    conversation_id: ConversationId,
    message_id: MessageId,
    body: Regeneration = Regeneration(),  # noqa: B008 - frozen
    header: KeyHeader = None,
) -> Reply:
    key = one_key(body.key, header)
    return await palaver.regenerate(conversation_id, message_id, key=key, scopes=principal.scopes)


@router.post(
    "/api/conversations/{conversationId}/stop",
    summary="Stop the reply that is being made",
    description="What there is of it is kept, with the status `interrupted`. It is stopped on "
    "whatever node it is made; the answer comes when it is stored.",
    **needs("chat", BadId, NotFound),
)
async def stop(palaver: CurrentPalaver, conversation_id: ConversationId) -> Stopped:
    return Stopped(stopped=await palaver.stop(conversation_id))
