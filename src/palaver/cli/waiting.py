"""Waiting for long work, with a progress bar on standard error when a person is looking."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from palaver.app import Palaver
    from palaver.cli.common import Opened

_GLANCE = 0.1

Advance = Callable[[int, int], None]
"""Told how much is done, and of how much."""


@contextmanager
def progress(what: str) -> Generator[Advance]:
    """A bar named `what`; nothing when standard error is not a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task(what, total=None)
        yield lambda done, total: bars.update(bar, completed=done, total=total or None)


def wait_for_index(home: Opened) -> None:
    """Waits while the index is being built, so that nothing is missing from what it answers."""
    if home.palaver.health().status == "rebuilding":
        home.run(_settled(home.palaver))


async def _settled(palaver: Palaver) -> None:
    import asyncio

    settled = asyncio.ensure_future(palaver.catch_up())
    with progress("Building the index") as advance:
        while not settled.done():
            health = palaver.health()
            advance(health.done, health.total)
            await asyncio.wait([settled], timeout=_GLANCE)
    await settled
