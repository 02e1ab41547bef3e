"""The audit of memories: how far they can be trusted, and what mends them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from palaver.errors import BadId, NotFound
from palaver.index.records import Memory
from palaver.memory.records import AuditReport
from palaver.server.doors import access_memory
from palaver.server.entry import CurrentPalaver, CurrentPrincipal
from palaver.server.memory_shapes import AuditFixBody
from palaver.server.routing import BODY, INDEX, WRITE, api_router, needs
from palaver.server.views import Mended

router = api_router("memories")


@router.get(
    "/api/memories/audit",
    summary="Examine the memories",
    description="Junk, duplicates, what stands on words that are gone, contradictions, and what "
    "nobody uses: the share of each, and every case with what would mend it.",
    **needs("memory:read", *INDEX, spends="searches"),
)
async def audit_memories(palaver: CurrentPalaver) -> AuditReport:
    return await palaver.memories.audit()


@router.post(
    "/api/memories/audit",
    summary="Mend what an audit found",
    description="Does to these memories what the audit proposes, as far as the findings still "
    "hold. What does not hold any more is left alone.",
    **needs("memory:write", BadId, NotFound, *BODY, *INDEX, *WRITE, spends="messages"),
)
async def mend_memories(
    palaver: CurrentPalaver, principal: CurrentPrincipal, body: AuditFixBody
) -> Mended:
    named = [access_memory(principal, one) for one in body.memory_ids]
    if not await _there(palaver, named):
        raise NotFound(f"There is no memory {named[0]}.")
    done = await palaver.memories.fix(body.kind, named)
    about = [memory_id for one in done.fixed for memory_id in one.memory_ids]
    return Mended(changed=await _there(palaver, about), fixed=done.fixed)


async def _there(palaver: CurrentPalaver, memory_ids: Iterable[str]) -> list[Memory]:
    """Those that are not forgotten, and have not gone into others."""
    found: list[Memory] = []
    for memory_id in dict.fromkeys(memory_ids):
        with suppress(NotFound):
            found.append(await palaver.memories.get(memory_id))
    return found
