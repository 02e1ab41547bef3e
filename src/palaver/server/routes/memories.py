"""Memories: what was learned, with what it stands on. Listed, added, changed."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response

from palaver.errors import BadCursor, BadId, BadText, BadValue, NotFound, SecretRefused
from palaver.index.port import MemoryFilter
from palaver.index.records import Memory, MemoryState, MemoryType
from palaver.memory.records import Extraction, MemoryHistory, MemoryPage, NewMemory
from palaver.server.doors import MemoryId, access_conversation, access_message
from palaver.server.entry import CurrentPalaver, CurrentPrincipal
from palaver.server.memory_shapes import ExtractionBody, MemoryChangeBody, NewMemoryBody
from palaver.server.problems import Responses
from palaver.server.routes.parameters import Cursor, Limit
from palaver.server.routing import BODY, INDEX, WRITE, api_router, needs
from palaver.server.shapes import Text

router = api_router("memories")
_PATH = "/api/memories/{memoryId}"
_KNOWN = 200
_ALREADY: Responses = {_KNOWN: {"model": Memory, "description": "What is known already."}}


@router.get(
    "/api/memories",
    summary="List memories",
    description="Newest first: those that are kept, without the archived ones and those whose "
    "place another has taken. With `q` one page, the most relevant first.",
    **needs("memory:read", BadCursor, BadValue, BadText, *INDEX, spends="searches"),
)
async def list_memories(
    *,
    palaver: CurrentPalaver,
    type: Annotated[MemoryType | None, Query(description="Only those of this type.")] = None,  # noqa: A002 - as it is called everywhere
    category: Annotated[Text | None, Query(description="Only those of this category.")] = None,
    pinned: Annotated[
        bool | None, Query(description="Only those that are pinned, or that are not.")
    ] = None,
    archived: Annotated[
        bool | None, Query(description="True for the archived ones, and no others.")
    ] = None,
    superseded: Annotated[
        bool | None,
        Query(description="True for those whose place another has taken, and no others."),
    ] = None,
    state: Annotated[
        MemoryState, Query(description="`waiting` for those that wait for approval.")
    ] = "kept",
    q: Annotated[Text | None, Query(description="What they have to do with.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> MemoryPage:
    waits = state == "waiting"
    wanted = MemoryFilter(
        state,
        type,
        category,
        pinned,
        archived=_chosen(archived, anyway=bool(superseded)),
        superseded=_chosen(superseded, anyway=bool(archived) or waits),
    )
    return await palaver.memories.page(wanted, q=q, limit=limit, cursor=cursor)


def _chosen(given: bool | None, *, anyway: bool) -> bool | None:
    """What a filter asks for: not such ones, unless it is said, or something else says which."""
    return given if given is not None or anyway else False


@router.post(
    "/api/memories",
    status_code=201,
    summary="Remember something",
    description="What is known already is given as it is, with 200: so a retry is harmless. What "
    "contradicts a memory takes its place. Passwords, keys and card numbers are refused.",
    **needs(
        "memory:write",
        BadId,
        NotFound,
        SecretRefused,
        *BODY,
        *INDEX,
        *WRITE,
        answers=_ALREADY,
        spends="messages",
    ),
)
async def add_memory(
    palaver: CurrentPalaver, principal: CurrentPrincipal, body: NewMemoryBody, response: Response
) -> Memory:
    given = dict(body)
    if body.source_conversation_id:
        named = access_conversation(principal, body.source_conversation_id)
        given["source_conversation_id"] = named
    if body.source_message_id:
        given["source_message_id"] = access_message(principal, body.source_message_id)
    memory, is_new = await palaver.memories.put(NewMemory(**given))
    if not is_new:
        response.status_code = _KNOWN
    return memory


@router.post(
    "/api/memories/extract",
    summary="Learn from a conversation",
    description="Reads what the owner wrote in it for what is worth remembering. With `dryRun` "
    "nothing is stored.",
    **needs("memory:write", BadId, NotFound, *BODY, *INDEX, *WRITE, spends="messages"),
)
async def extract_memories(
    palaver: CurrentPalaver, principal: CurrentPrincipal, body: ExtractionBody
) -> Extraction:
    conversation_id = access_conversation(principal, body.conversation_id)
    return await palaver.memories.extract(conversation_id, dry_run=body.dry_run)


@router.get(_PATH, summary="One memory", **needs("memory:read", BadId, NotFound, *INDEX))
async def show_memory(palaver: CurrentPalaver, memory_id: MemoryId) -> Memory:
    return await palaver.memories.get(memory_id)


async def _change(palaver: CurrentPalaver, memory_id: MemoryId, body: MemoryChangeBody) -> Memory:
    return await palaver.memories.change(memory_id, body)


for method in ("PATCH", "PUT"):
    router.add_api_route(
        _PATH,
        _change,
        methods=[method],
        operation_id=f"{method.lower()}_memory",
        summary="Change a memory",
        description="Fields that are left out stay as they are. What is worded by hand outlives "
        "its source.",
        **needs(
            "memory:write",
            BadId,
            NotFound,
            SecretRefused,
            *BODY,
            *INDEX,
            *WRITE,
            spends="messages",
        ),
    )


@router.post(
    f"{_PATH}/approve",
    summary="Keep what waits for approval",
    description="What is kept already stays as it is.",
    **needs("memory:write", BadId, NotFound, *INDEX, *WRITE, spends="messages"),
)
async def approve_memory(palaver: CurrentPalaver, memory_id: MemoryId) -> Memory:
    return await palaver.memories.approve(memory_id)


@router.post(
    f"{_PATH}/restore",
    summary="Let a memory hold again",
    description="Of a memory whose place another has taken: both hold from then on, and the other "
    "one does not take its place again. What holds already stays as it is.",
    **needs("memory:write", BadId, NotFound, *INDEX, *WRITE, spends="messages"),
)
async def restore_memory(palaver: CurrentPalaver, memory_id: MemoryId) -> Memory:
    return await palaver.memories.restore(memory_id)


@router.get(
    f"{_PATH}/history",
    summary="How a memory came to be what it is",
    description="What was done to it, whose place it has taken, and which have taken its place.",
    **needs("memory:read", BadId, NotFound, *INDEX),
)
async def show_memory_history(palaver: CurrentPalaver, memory_id: MemoryId) -> MemoryHistory:
    return await palaver.memories.history(memory_id)
