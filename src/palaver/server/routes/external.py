"""External communications: what people who are not the owner write, and what is decided of it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from palaver.channels.external.records import Decided, External, ExternalPage, ExternalView
from palaver.conversation.records import Receipt
from palaver.errors import (
    BadCursor,
    BadId,
    BadText,
    BadValue,
    Conflict,
    EmptyMessage,
    Erased,
    KeyReused,
    NotFound,
)
from palaver.index.records import Message
from palaver.server.bodies import LIMIT
from palaver.server.doors import DraftId, ExternalId, access_message
from palaver.server.entry import CurrentPalaver, CurrentPrincipal
from palaver.server.external_shapes import AnswerBody, DecisionBody, ExternalChangeBody
from palaver.server.keys import KeyHeader, one_key
from palaver.server.routes.messages import Position
from palaver.server.routes.parameters import Cursor, Limit, OfChannel, Preview
from palaver.server.routing import BODY, INDEX, WRITE, api_router, needs
from palaver.server.shapes import Text
from palaver.settings import Tier

router = api_router("external")
_PATH = "/api/external/{externalId}"


@router.get(
    "/api/external",
    summary="List external communications",
    description="One exchange for each channel and person who is not the owner, the latest first. "
    "Nothing of them is remembered or told to a model elsewhere, and a search finds it with "
    "`kind=external` only.",
    **needs("read", BadCursor, BadValue, BadText, *INDEX),
)
async def list_external(
    *,
    palaver: CurrentPalaver,
    channel: OfChannel = None,
    trust: Annotated[
        Tier | None, Query(description="Only those of whom this was decided here.")
    ] = None,
    q: Annotated[Text | None, Query(description="Only those whose name holds this.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> ExternalPage:
    return await palaver.external.page(
        channel=channel, trust=trust, q=q, limit=limit, cursor=cursor
    )


@router.get(
    _PATH,
    summary="One exchange with its last messages",
    description="Or with those before a message; oldest first. What somebody else wrote has "
    "`author.kind` `participant`: show it as theirs. `drafts` wait for the owner's word, and "
    "`withheld` names what was not told to whoever wrote a reply.",
    **needs("read", BadId, NotFound, BadValue, *INDEX),
)
async def show_external(
    palaver: CurrentPalaver,
    principal: CurrentPrincipal,
    external_id: ExternalId,
    before: Position = None,
    limit: Limit = 50,
) -> ExternalView:
    named = access_message(principal, before) if before else None
    return await palaver.external.view(external_id, before=named, limit=limit)


@router.patch(
    _PATH,
    summary="Decide how somebody is treated",
    description="Fields that are left out stay as they are; null returns to what the settings "
    "say. `policy` `answer` needs `trust` `known`. `seen` says that the owner has looked.",
    **needs("write", BadId, NotFound, *BODY, *INDEX, *WRITE, spends="messages"),
)
async def change_external(
    palaver: CurrentPalaver, external_id: ExternalId, body: ExternalChangeBody
) -> External:
    return await palaver.external.change(external_id, body)


@router.delete(
    _PATH,
    summary="Erase an exchange",
    description="It goes for good, with its drafts. Nothing that was sent is taken back.",
    **needs("write", BadId, NotFound, *INDEX, *WRITE),
)
async def delete_external(
    palaver: CurrentPalaver, external_id: ExternalId, preview: Preview = False
) -> Receipt:
    return await palaver.external.delete(external_id, preview=preview)


@router.post(
    f"{_PATH}/messages",
    status_code=201,
    summary="Answer somebody in your own words",
    description="It is sent in answer to the last message that is proven to be theirs, and the "
    "exchange is seen. `delivery` of the message tells how far it has come. 409 `conflict` when "
    "the channel is off, or when nothing here is proven to be theirs.",
    **needs(
        "write",
        BadId,
        NotFound,
        Conflict,
        KeyReused,
        Erased,
        EmptyMessage,
        *BODY,
        *INDEX,
        *WRITE,
        max_body=LIMIT,
        spends="messages",
    ),
)
async def answer_external(
    palaver: CurrentPalaver, external_id: ExternalId, body: AnswerBody, header: KeyHeader = None
) -> Message:
    return await palaver.external.reply(external_id, body.text, one_key(body.key, header))


@router.post(
    f"{_PATH}/drafts/{{draftId}}",
    summary="Decide what becomes of a draft",
    description="`approve` sends it, `edit` sends `text` instead, `reject` sends nothing. It is "
    "decided once: afterwards it is 409 `conflict`, wherever it was decided.",
    **needs(
        "write",
        BadId,
        NotFound,
        Conflict,
        EmptyMessage,
        *BODY,
        *INDEX,
        *WRITE,
        max_body=LIMIT,
        spends="messages",
    ),
)
async def decide_draft(
    palaver: CurrentPalaver, external_id: ExternalId, draft_id: DraftId, body: DecisionBody
) -> Decided:
    return await palaver.external.decide(external_id, draft_id, body.decision, body.text)
