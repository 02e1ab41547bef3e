"""The hub of one node, while another node of the database makes the replies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import orjson
import pytest

from palaver.app import Palaver
from palaver.conversation.steps import MessageAccepted
from palaver.server.live.hub import Hub
from palaver.server.live.seat import Seat
from palaver.server.wire import Wire
from tests.conversation.nodes import Nodes, opened
from tests.conversation.scripted import Scripted, answer_by
from tests.conversation.test_replies import Halt


class Tab:
    """Somebody who hears what a hub tells."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.seat = Seat(Wire(self._hear))

    def _hear(self, data: bytes) -> None:
        self.heard.append(orjson.loads(data[data.index(b"{") :]))

    def told(self, kind: str) -> list[dict[str, Any]]:
        return [one for one in self.heard if one["type"] == kind]


@pytest.fixture
async def nodes(tmp_path: Path, database_url: str) -> AsyncIterator[Nodes]:
    async with (
        opened(tmp_path / "here", database_url) as here,
        opened(tmp_path / "there", database_url) as there,
    ):
        yield Nodes(here, there, database_url)


async def sent(palaver: Palaver) -> MessageAccepted:
    """The same message, whichever node it is sent to."""
    async with aclosing(palaver.stream("Pay", new=True, key="k", detached=True)) as steps:
        accepted = await anext(steps)
    assert isinstance(accepted, MessageAccepted)
    return accepted


async def test_a_reply_that_two_nodes_were_asked_for_is_finished_once(nodes: Nodes) -> None:
    """Somebody was cut off, and sends it again to the other node with the same key."""
    halt = Halt()
    answer_by(nodes.here, Scripted(["One, ", halt, "two."]))
    hub, tab, late = Hub(nodes.there, asyncio.Semaphore(2)), Tab(), Tab()
    with hub.seated(tab.seat, 0):
        first = await sent(nodes.here)
        await nodes.until(lambda: tab.told("reply_delta"))
        assert (await sent(nodes.there)).message == first.message
        halt.go_on.set()
        await nodes.there.finish_replies()
        await nodes.until_empty()
        await nodes.until(lambda: not hub._retellings)  # pyright: ignore[reportPrivateUsage]
        with hub.seated(late.seat, hub.pos):
            assert not late.heard
        (finished,) = tab.told("reply_finished")
        assert finished["turn"]["content"] == "One, two."
        assert tab.heard[-1]["type"] != "reply_delta"
        await sent(nodes.there)  # whoever sends it once more is told once more
        await nodes.until(lambda: len(tab.told("reply_finished")) == 2)
    await hub.close()
