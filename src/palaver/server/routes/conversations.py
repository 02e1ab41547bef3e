"""Conversations: list, start, look, change, erase."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query, Response

from palaver.conversation.records import ConversationPage, Receipt
from palaver.conversation.streams import WEB
from palaver.errors import (
    BadCursor,
    BadId,
    BadText,
    BadValue,
    Conflict,
    Erased,
    KeyReused,
    NotFound,
    Outdated,
)
from palaver.index.records import ConversationMeta
from palaver.server.doors import ConversationId
from palaver.server.entry import CurrentPalaver, CurrentPrincipal
from palaver.server.keys import KeyHeader, one_key
from palaver.server.routes.parameters import Cursor, Limit, OfChannel, Preview
from palaver.server.routing import BODY, INDEX, WRITE, api_router, needs
from palaver.server.shapes import ChangeBody, NewConversation, Text
from palaver.server.tags import (
    IfMatch,
    IfNoneMatch,
    is_known,
    seen_version,
    tag_of,
    tagged,
    unchanged,
)
from palaver.server.views import ConversationView

router = api_router("conversations")

Archived = Annotated[bool, Query(description="The archived ones instead of the others.")]


@router.get(
    "/api/conversations",
    summary="List conversations",
    description="Newest first. `archived=true` lists the archived ones instead.",
    **needs("read", BadCursor, BadValue, BadText, *INDEX),
)
async def list_conversations(
    *,
    palaver: CurrentPalaver,
    channel: OfChannel = None,
    archived: Archived = False,
    mode: Annotated[
        Literal["standard", "continuous"],
        Query(description="`continuous` ones go on from day to day."),
    ] = "standard",
    q: Annotated[Text | None, Query(description="Only those whose title holds this.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> ConversationPage:
    return await palaver.conversations(
        channel=channel, archived=archived, mode=mode, q=q, limit=limit, cursor=cursor
    )


@router.post(
    "/api/conversations",
    status_code=201,
    summary="Start a conversation",
    description="Writes its first line at once. A message to `/api/chat` starts one as well.",
    **needs("write", KeyReused, Erased, *BODY, *WRITE),
)
async def start_conversation(
    palaver: CurrentPalaver,
    body: NewConversation = NewConversation(),  # noqa: B008 - frozen
    header: KeyHeader = None,
) -> ConversationMeta:
    return await palaver.start(
        body.channel, title=body.title, metadata=body.metadata, key=one_key(body.key, header)
    )


@router.get(
    "/api/conversations/current",
    summary="The current conversation",
    description="The most recent conversation of the web; created if there is none, "
    "which needs the scope `write`.",
    **needs("read", *INDEX, *WRITE),
)
async def current_conversation(
    palaver: CurrentPalaver, principal: CurrentPrincipal
) -> ConversationMeta:
    latest = await palaver.conversations(channel=WEB, limit=1)
    if latest.conversations:
        return latest.conversations[0]
    principal.require("write")
    return await palaver.current()


@router.get(
    "/api/conversations/{conversationId}",
    summary="One conversation with its last messages",
    description="The `ETag` changes with the conversation and with its messages: send it as "
    "`If-None-Match` to be told only what is new, and as `If-Match` to change nothing that you "
    "have not seen.",
    response_model=ConversationView,
    **tagged(needs("read", BadId, NotFound, BadValue, *INDEX), may_be_known=True),
)
async def show_conversation(
    palaver: CurrentPalaver,
    conversation_id: ConversationId,
    known: IfNoneMatch,
    response: Response,
) -> ConversationView | Response:
    view = await palaver.view(conversation_id)
    if is_known(view.version, known):
        return unchanged(view.version)
    response.headers["ETag"] = tag_of(view.version)
    return ConversationView(
        conversation=view.conversation, messages=view.page.messages, has_more=view.page.has_more
    )


async def _change(
    palaver: CurrentPalaver,
    conversation_id: ConversationId,
    body: ChangeBody,
    seen: IfMatch,
    response: Response,
) -> ConversationMeta:
    version = await seen_version(palaver, conversation_id, seen)
    await palaver.update(conversation_id, body, version=version)
    view = await palaver.view(conversation_id, limit=1)
    response.headers["ETag"] = tag_of(view.version)
    return view.conversation


for method in ("PATCH", "PUT"):
    router.add_api_route(
        "/api/conversations/{conversationId}",
        _change,
        methods=[method],
        operation_id=f"{method.lower()}_conversation",
        summary="Change a conversation",
        description="Fields that are left out stay as they are.",
        **tagged(needs("write", BadId, NotFound, Conflict, Outdated, *BODY, *INDEX, *WRITE)),
    )


@router.delete(
    "/api/conversations/{conversationId}",
    summary="Erase a conversation",
    description="Takes the words away for good. The receipt lists what went, and what a database "
    "keeps for a while. One that is pinned has to be unpinned first.",
    **needs("write", BadId, NotFound, Conflict, BadValue, Outdated, *INDEX, *WRITE),
)
async def erase_conversation(
    palaver: CurrentPalaver,
    conversation_id: ConversationId,
    seen: IfMatch,
    preview: Preview = False,
) -> Receipt:
    version = await seen_version(palaver, conversation_id, seen)
    return await palaver.delete(conversation_id, preview=preview, version=version)
