"""Waiting for more messages, as long as a test likes."""

from __future__ import annotations

import asyncio

from palaver.app import Palaver


class Held:
    """Waits until the test says that the time is over."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.over = asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        self.waits.append(seconds)
        await self.over.wait()


def hold(palaver: Palaver) -> Held:
    held = Held()
    palaver.correspondence._debounce._wait = held  # pyright: ignore[reportPrivateUsage]
    return held
