"""The relay of a home: one process serves it, so nobody follows a reply from elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

from palaver.events.local import Hints
from palaver.events.relay import Making, Shown, Stop


class NobodyAsked:
    """There is nobody who could be asked."""

    def __init__(self) -> None:
        self.answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.answer.set_result(False)

    def again(self) -> None:
        """Nobody hears it."""


class AloneRelay:
    """A Relay without other nodes."""

    async def wanted(self) -> None:
        await asyncio.Event().wait()

    def publish(self, making: Making, part: str, *, anew: bool = False) -> None:
        raise AssertionError("nobody wants it")

    def end(self, making: Making) -> None:
        """There is nothing to take away."""

    @contextmanager
    def obey(self, stop: Stop) -> Generator[None]:
        yield

    @contextmanager
    def follow(self) -> Generator[Hints]:
        yield Hints("")

    async def look(self, seen: Mapping[str, int]) -> Sequence[Shown]:
        return ()

    @contextmanager
    def ask_to_stop(self, conversation_id: str) -> Generator[NobodyAsked]:
        yield NobodyAsked()
