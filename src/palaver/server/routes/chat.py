"""Chat: a message in, its answer out; said otherwise, answered again, or stopped."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Header

from palaver.conversation.records import Reply
from palaver.errors import (
    BadId,
    Conflict,
    EmptyMessage,
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
    ReadOnly,
)
from palaver.server.bodies import LIMIT
from palaver.server.doors import ConversationId, MessageId, access_conversation
from palaver.server.entry import CurrentPalaver, CurrentPrincipal
from palaver.server.keys import KeyHeader, one_key
from palaver.server.routing import BODY, INDEX, WRITE, api_router, needs
from palaver.server.shapes import ChatMessage, EditedMessage, Stopped
from palaver.server.steps import EVENT_STREAM, event_stream

router = api_router("chat")
_MESSAGE = "/api/conversations/{conversationId}/messages/{messageId}"
_SAYING = (BadId, NotFound, EmptyMessage, KeyReused, Erased, ReadOnly, *BODY, *INDEX, *WRITE)
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
Accept = Annotated[str, Header(description=f"With `{EVENT_STREAM}`, the reply as it comes.")]


@router.post(
    "/api/chat",
    summary="Say something and get the answer",
    description="Without `conversationId` a new conversation begins. With a `key`, "
    "sending the same message again gives the first answer. A command gives `turnNumber: null`. "
    f"With `Accept: {EVENT_STREAM}` come the events `message_accepted`, `reply_started`, "
    "`reply_delta`, `reply_thinking`, `reply_tool`, `reply_finished`, `error`; the reply is made "
    "to its end even if nobody listens any more.",
    response_model=Reply,
    **needs("chat", *_SAYING, ModelUnknown, max_body=LIMIT),
)
async def chat(
    palaver: CurrentPalaver,
    principal: CurrentPrincipal,
    body: ChatMessage,
    header: KeyHeader = None,
    accept: Accept = "",
) -> Any:
    named = body.conversation_id
    given: dict[str, Any] = {
        "conversation_id": access_conversation(principal, named) if named else None,
        "new": named is None,
        "channel": body.channel,
        "key": one_key(body.key, body.idempotency_key, header),
        "model": body.model,
        "scopes": principal.scopes,
    }
    if EVENT_STREAM in accept:
        return await event_stream(palaver.stream(body.message, **given, detached=True))
    return await palaver.send(body.message, **given)


@router.put(
    _MESSAGE,
    summary="Say the last message otherwise",
    description="Only the last message of the user. It is answered again; the old message and its "
    "reply are kept, superseded.",
    **needs("chat", *_SAYING, Conflict, max_body=LIMIT),
)
async def edit_message(
    *,
    palaver: CurrentPalaver,
    principal: CurrentPrincipal,
    conversation_id: ConversationId,
    message_id: MessageId,
    body: EditedMessage,
    header: KeyHeader = None,
) -> Reply:
    return await palaver.edit(
        conversation_id,
        message_id,
        body.content,
        key=one_key(body.key, header),
        scopes=principal.scopes,
    )


@router.post(
    f"{_MESSAGE}/regenerate",
    summary="Make a reply again",
    description="The old reply is kept, superseded. A message of the user that has no reply gets "
    "one. A good reply stays when nothing comes instead of it.",
    **needs("chat", BadId, NotFound, ReadOnly, Conflict, *_MODEL, *INDEX, *WRITE),
)
async def regenerate(
    palaver: CurrentPalaver,
    principal: CurrentPrincipal,
    conversation_id: ConversationId,
    message_id: MessageId,
) -> Reply:
    return await palaver.regenerate(conversation_id, message_id, scopes=principal.scopes)


@router.post(
    "/api/conversations/{conversationId}/stop",
    summary="Stop the reply that is being made",
    description="What there is of it is kept, with the status `interrupted`. Only on the node that "
    "makes it.",
    **needs("chat", BadId, NotFound),
)
async def stop(palaver: CurrentPalaver, conversation_id: ConversationId) -> Stopped:
    return Stopped(stopped=await palaver.stop(conversation_id))
