"""Stopping a reply that another node makes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from palaver.errors import StorageBusy
from palaver.events.relay import Asked, Relay

_AGAIN = 1.0
"""So many seconds one waits for an answer, then asks again."""
_PATIENCE = 10.0


async def stop_elsewhere(
    relay: Relay, conversation_id: str, is_made: Callable[[], Awaitable[bool]]
) -> bool:
    """Whether another node has stopped the reply that it was making; returns when what there is of
    it is stored. `is_made` says whether somebody makes one there now. Raises StorageBusy."""
    if not await is_made():
        return False
    with relay.ask_to_stop(conversation_id) as asked:
        try:
            async with asyncio.timeout(_PATIENCE):
                return await _answer(asked, is_made)
        except TimeoutError:
            raise StorageBusy(
                "Whoever makes the reply did not answer, so it may go on.", remedy="Try again."
            ) from None


async def _answer(asked: Asked, is_made: Callable[[], Awaitable[bool]]) -> bool:
    """When it is not made any more, the answer may still be on its way."""
    over = False
    while True:
        asked.again()
        done, _ = await asyncio.wait([asked.answer], timeout=_AGAIN)
        if done or over:
            return bool(done) and asked.answer.result()
        over = not await is_made()
