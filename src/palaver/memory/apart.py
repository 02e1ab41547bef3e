"""Apart: what needs no model takes the time of a processor, which is spent where nobody waits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from palaver.index.values import OFFLINE
from palaver.memory.offline.extractor import found
from palaver.memory.port import Candidate, Extracted, Saying

Finding = Callable[[Sequence[Saying]], Awaitable[list[Candidate]]]


async def in_a_thread(sayings: Sequence[Saying]) -> list[Candidate]:
    return await asyncio.to_thread(found, sayings)


class ApartExtractor:
    """The extractor without a model, in a thread, or wherever `finding` does it."""

    def __init__(self, finding: Finding = in_a_thread) -> None:
        self._finding = finding

    async def extract(self, sayings: Sequence[Saying]) -> Extracted:
        return Extracted(OFFLINE, await self._finding(list(sayings)))
