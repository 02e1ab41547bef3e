"""Doors: the one way from an id in a request to what it names.

Wherever an id stands in a request, it comes as `Named`, which nothing in the library takes. A door
makes it `Owned`: an id for the library of whoever shows the credentials, which knows what is theirs
and nothing else. So what is somebody else's and what is nowhere are the same. `make check` fails on
an id that comes another way.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any, NewType, final

from fastapi import Depends, Path, Request
from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema
from pydantic_core.core_schema import no_info_after_validator_function, str_schema

from palaver.accounts import Principal
from palaver.channels.external.externals import check_external_id
from palaver.conversation.streams import check_conversation_id
from palaver.errors import BadId, NotFound
from palaver.jobs.port import ID, check_job_id, missing, user_of
from palaver.ledger.lines import check_day_id, check_memory_id, check_message_id

_TOKEN = re.compile(r"tok-[0-9A-Z]{26}")
_DRAFT = re.compile(r"draft-[0-9A-Za-z]{1,64}")
Owned = NewType("Owned", str)
"""An id that has come through a door; only doors make it."""


@final
class Named:
    """An id as a request names it. It is no text: nothing takes it but a door."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return f"Named({self._text!r})"

    def opened(self, check: Callable[[str], str]) -> Owned:
        """For the doors alone: the id, if `check` lets it through. Raises BadId."""
        return Owned(check(self._text))

    @classmethod
    def __get_pydantic_core_schema__(cls, _: object, __: GetCoreSchemaHandler) -> CoreSchema:
        return no_info_after_validator_function(cls, str_schema(strict=True))


def access_conversation(principal: Principal, named: Named) -> Owned:
    """The id of a conversation, for the library of `principal`. Raises BadId."""
    return named.opened(check_conversation_id)


def access_message(principal: Principal, named: Named) -> Owned:
    """The id of a message, for the library of `principal`. Raises BadId."""
    return named.opened(check_message_id)


def access_day(principal: Principal, named: Named) -> Owned:
    """The id of a day of the continuous conversation, for the library of `principal`. Raises
    BadId."""
    return named.opened(check_day_id)


def access_memory(principal: Principal, named: Named) -> Owned:
    """The id of a memory, for the library of `principal`. Raises BadId."""
    return named.opened(check_memory_id)


def access_external(principal: Principal, named: Named) -> Owned:
    """The id of an exchange with somebody else, for the library of `principal`. Raises BadId."""
    return named.opened(check_external_id)


def access_searched(principal: Principal, named: Named, *, outside: bool) -> Owned:
    """The id of a conversation, or of an exchange if `outside` is searched, for the library of
    `principal`. Raises BadId, and NotFound where there can be none of that kind."""
    owned = named.opened(_check_searched_id)
    if owned.startswith("ext-") != outside:
        raise NotFound(f"Nothing of that kind is called {owned}.")
    return owned


def access_draft(principal: Principal, named: Named) -> Owned:
    """The id of a draft to somebody else, for the library of `principal`. Raises BadId."""
    return named.opened(_check_draft_id)


def access_token(principal: Principal, named: Named) -> Owned:
    """The id of a token, for the accounts of `principal`. Raises BadId."""
    return named.opened(_check_token_id)


def access_job(principal: Principal, named: Named) -> Owned:
    """The id of a job of `principal`. Raises BadId, and NotFound for a job of anybody else."""
    job_id = named.opened(check_job_id)
    if user_of(job_id) != principal.user:
        missing(job_id)
    return job_id


def _id(name: str, of: str, pattern: str) -> Any:
    """How an id in the path is described; the doors themselves say what is wrong with one."""
    return Path(
        alias=name,
        description=f"The {of}'s id.",
        json_schema_extra={"pattern": f"^{pattern}$"},
    )


def _check_token_id(text: str) -> str:
    if not _TOKEN.fullmatch(text):
        raise BadId(f"{text[:80]!r} is not the id of a token.")
    return text


def _check_searched_id(given: str) -> str:
    return check_external_id(given) if given.startswith("ext-") else check_conversation_id(given)


def _check_draft_id(text: str) -> str:
    if not _DRAFT.fullmatch(text):
        raise BadId(f"{text[:80]!r} is not the id of a draft.")
    return text


async def conversation_in_path(
    request: Request,
    conversation_id: Annotated[
        Named, _id("conversationId", "conversation", "conv-[0-9A-Za-z]{1,64}")
    ],
) -> Owned:
    return access_conversation(request.state.principal, conversation_id)


async def message_in_path(
    request: Request,
    message_id: Annotated[Named, _id("messageId", "message", "msg-[0-9A-Za-z]{1,64}")],
) -> Owned:
    return access_message(request.state.principal, message_id)


async def memory_in_path(
    request: Request,
    memory_id: Annotated[Named, _id("memoryId", "memory", "mem-[0-9A-Za-z]{1,64}")],
) -> Owned:
    return access_memory(request.state.principal, memory_id)


async def external_in_path(
    request: Request,
    external_id: Annotated[Named, _id("externalId", "exchange", "ext-[0-9A-Za-z]{1,64}")],
) -> Owned:
    return access_external(request.state.principal, external_id)


async def draft_in_path(
    request: Request, draft_id: Annotated[Named, _id("draftId", "draft", _DRAFT.pattern)]
) -> Owned:
    return access_draft(request.state.principal, draft_id)


async def token_in_path(
    request: Request, token_id: Annotated[Named, _id("tokenId", "token", _TOKEN.pattern)]
) -> Owned:
    return access_token(request.state.principal, token_id)


async def job_in_path(request: Request, job_id: Annotated[Named, _id("jobId", "job", ID)]) -> Owned:
    return access_job(request.state.principal, job_id)


ConversationId = Annotated[Owned, Depends(conversation_in_path)]
MessageId = Annotated[Owned, Depends(message_in_path)]
MemoryId = Annotated[Owned, Depends(memory_in_path)]
ExternalId = Annotated[Owned, Depends(external_in_path)]
DraftId = Annotated[Owned, Depends(draft_in_path)]
JobId = Annotated[Owned, Depends(job_in_path)]
TokenId = Annotated[Owned, Depends(token_in_path)]
