"""Doors: the one way from an id in a request to what it names.

What a request reaches belongs to one user: a home to its owner, and in a database what is theirs to
whoever shows the credentials. So whoever is let in may touch every conversation there. Each route
that takes an id takes it through here, and a test holds every route to that.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import Depends, Path

from palaver.conversation.streams import check_conversation_id
from palaver.errors import BadId
from palaver.jobs.port import ID, check_job_id
from palaver.ledger.lines import check_message_id

_TOKEN = re.compile(r"tok-[0-9A-Z]{26}")


def _id(name: str, of: str, pattern: str) -> Any:
    """How an id in the path is described; the doors themselves say what is wrong with one."""
    return Path(
        alias=name,
        description=f"The {of}'s id.",
        json_schema_extra={"pattern": f"^{pattern}$"},
    )


async def access_conversation(
    conversation_id: Annotated[
        str, _id("conversationId", "conversation", "conv-[0-9A-Za-z]{1,64}")
    ],
) -> str:
    return check_conversation_id(conversation_id)


async def access_message(
    message_id: Annotated[str, _id("messageId", "message", "msg-[0-9A-Za-z]{1,64}")],
) -> str:
    return check_message_id(message_id)


async def access_token(
    token_id: Annotated[str, _id("tokenId", "token", _TOKEN.pattern)],
) -> str:
    if not _TOKEN.fullmatch(token_id):
        raise BadId(f"{token_id[:80]!r} is not the id of a token.")
    return token_id


async def access_job(job_id: Annotated[str, _id("jobId", "job", ID)]) -> str:
    return check_job_id(job_id)


ConversationId = Annotated[str, Depends(access_conversation)]
MessageId = Annotated[str, Depends(access_message)]
JobId = Annotated[str, Depends(access_job)]
TokenId = Annotated[str, Depends(access_token)]
