"""Waiting, which nobody does in a test."""

from __future__ import annotations

import asyncio

from palaver.channels.port import Channel, Take, Update
from tests.channels.contract import Told


async def at_once(_seconds: float) -> None:
    """Others have their turn."""
    await asyncio.sleep(0)


async def hear(channel: Channel, take: Take, wanted: int) -> None:
    """Runs a channel until so many updates were taken."""
    done = asyncio.Event()
    left = wanted

    async def counting(update: Update) -> None:
        nonlocal left
        await take(update)
        left -= 1
        if left <= 0:
            done.set()

    running = asyncio.create_task(channel.run(counting, Told()))
    ended = asyncio.create_task(done.wait())
    await asyncio.wait((running, ended), return_when=asyncio.FIRST_COMPLETED, timeout=30)
    assert done.is_set()
    running.cancel()
    await asyncio.wait([running])
