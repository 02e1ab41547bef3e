"""Doors: the one way from an id in a request to what it names.

A home belongs to one user, so whoever may enter it may touch every conversation in it. Each route
that takes an id takes it through here, and a test holds every route to that.
"""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Depends, Path

from palaver.accounts import Principal
from palaver.conversation.streams import check_conversation_id
from palaver.errors import BadId, Forbidden
from palaver.ledger.lines import check_message_id

_TOKEN = re.compile(r"tok-[0-9A-Z]{26}")


def enter(principal: Principal, owner: str) -> Principal:
    """Lets `principal` into the home of `owner`. Raises Forbidden."""
    if principal.user != owner:
        raise Forbidden(
            "These credentials belong to another user.",
            remedy=f"Create a token for {owner}: `palaver tokens create --user {owner}`.",
        )
    return principal


async def access_conversation(
    conversation_id: Annotated[
        str, Path(alias="conversationId", description="The conversation's id.")
    ],
) -> str:
    return check_conversation_id(conversation_id)


async def access_message(
    message_id: Annotated[str, Path(alias="messageId", description="The message's id.")],
) -> str:
    return check_message_id(message_id)


async def access_token(
    token_id: Annotated[str, Path(alias="tokenId", description="The token's id.")],
) -> str:
    if not _TOKEN.fullmatch(token_id):
        raise BadId(f"{token_id[:80]!r} is not the id of a token.")
    return token_id


ConversationId = Annotated[str, Depends(access_conversation)]
MessageId = Annotated[str, Depends(access_message)]
TokenId = Annotated[str, Depends(access_token)]
