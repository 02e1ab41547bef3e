"""IMAP as aioimaplib speaks it: what of it is used, and what it lacks.

It does not notice by itself that a connection is lost, reads its answers by recursion, and lets
pass what a server tells while a question is open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Protocol


class Response(Protocol):
    """What a server answers."""

    @property
    def result(self) -> str: ...
    @property
    def lines(self) -> Sequence[bytes | bytearray]: ...


class Client(Protocol):
    """What of aioimaplib is used."""

    protocol: Any
    tasks: set[asyncio.Future[Any]]

    async def wait_hello_from_server(self) -> None: ...
    async def login(self, user: str, password: str) -> Response: ...
    async def select(self, mailbox: str) -> Response: ...
    async def uid_search(self, *criteria: str, charset: str | None) -> Response: ...
    async def uid(self, command: str, *criteria: str) -> Response: ...
    async def noop(self) -> Response: ...
    async def idle_start(self, timeout: float) -> asyncio.Future[Any]: ...  # noqa: ASYNC109
    async def wait_server_push(self, timeout: float) -> Any: ...  # noqa: ASYNC109
    def idle_done(self) -> None: ...
    def has_capability(self, capability: str) -> bool: ...


class News:
    """Whether the server has told of new mail since it was last asked for it. While a question is
    open, aioimaplib lets that pass."""

    def __init__(self) -> None:
        self.seen = False
        self._tail = b""

    def watching(self, receive: Callable[[bytes], None]) -> Callable[[bytes], None]:
        def received(data: bytes) -> None:
            self.seen = self.seen or b" EXISTS\r\n" in self._tail + data
            self._tail = data[-len(b" EXISTS\r\n") :]
            receive(data)

        return received


def settling(lost: asyncio.Future[None]) -> Callable[[Exception | None], None]:
    def settle(_: Exception | None) -> None:
        if not lost.done():
            lost.set_result(None)

    return settle


def library() -> Any:
    """aioimaplib, which has no types of its own."""
    return import_module("aioimaplib")
