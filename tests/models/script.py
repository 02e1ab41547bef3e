"""What a scripted model does, step by step, whichever protocol it is asked in."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Text:
    """Says something, in these pieces."""

    pieces: tuple[str, ...]

    def __init__(self, *pieces: str) -> None:
        object.__setattr__(self, "pieces", pieces)


@dataclass(frozen=True, slots=True)
class Thinking:
    """Thinks something, and signs it as Anthropic does."""

    text: str
    signature: str = "signed"


@dataclass(frozen=True, slots=True)
class Call:
    """Calls a tool. The arguments are sent as they are, cut in pieces of a few characters."""

    name: str
    arguments: str = "{}"
    id: str = "call_1"
    cut: int = 5


@dataclass(frozen=True, slots=True)
class Used:
    """How many tokens it says that it used; `input` counts those from the cache too."""

    input: int = 12
    output: int = 3
    cache_read: int = 0
    cache_write: int = 0


@dataclass(frozen=True, slots=True)
class Stop:
    """Why it ends: `stop`, `length`, `refusal` or `tool`; None if the stream just ends."""

    reason: str | None = "stop"


@dataclass(frozen=True, slots=True)
class Status:
    """Instead of an answer: a status, with an error as the provider writes it."""

    code: int
    kind: str = "api_error"
    message: str = "It did not work"
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """An error inside the stream."""

    kind: str = "overloaded_error"
    message: str = "Overloaded"


@dataclass(frozen=True, slots=True)
class Raw:
    """Whatever bytes."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Disconnect:
    """The connection breaks."""


class Hold:
    """Says nothing until it is released; never released, it is silence."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self._released = threading.Event()
        self._wake: Callable[[], object] = lambda: None

    def release(self) -> None:
        self._released.set()
        self._wake()

    async def wait(self) -> None:
        waking, loop = asyncio.Event(), asyncio.get_running_loop()
        self._wake = lambda: loop.call_soon_threadsafe(waking.set)
        self.reached.set()
        if not self._released.is_set():
            await waking.wait()


Step = Text | Thinking | Call | Used | Stop | Status | Trouble | Raw | Disconnect | Hold
Body = dict[str, Any]
