"""A reply is stopped on whatever node it is made."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest

from palaver.conversation import stopping
from palaver.errors import StorageBusy
from palaver.events.postgres import PostgresEvents
from tests.conversation.nodes import Nodes, first_reply, nothing
from tests.conversation.scripted import Scripted, answer_by
from tests.conversation.test_replies import Halt


@pytest.mark.parametrize("followed", [True, False])
async def test_a_reply_is_stopped_from_another_node(nodes: Nodes, followed: bool) -> None:
    halt = Halt()
    answer_by(nodes.here, Scripted(["One, ", halt, "two."]))
    async with AsyncExitStack() as stack:
        if followed:
            await stack.enter_async_context(first_reply(nodes.there))
        conversation = await nodes.begin()
        await halt.reached.wait()
        assert await nodes.there.stop(conversation)
        reply = (await nodes.there.messages(conversation)).messages[-1]
        assert (reply.content, reply.status) == ("One, ", "interrupted")
        assert not await nodes.there.stop(conversation)
        assert not await nodes.here.stop(conversation)
    await nodes.until_empty()


async def test_it_is_stopped_also_when_the_line_was_cut(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question that gets lost is asked again."""
    halt = Halt()
    answer_by(nodes.here, Scripted(["One, ", halt, "two."]))
    conversation = await nodes.begin()
    await halt.reached.wait()
    tell, lost = PostgresEvents.tell, list[str]()

    def losing(self: PostgresEvents, *told: tuple[str, ...]) -> None:
        if told[0][0] == "stop" and not lost:
            lost.append("stop")
        else:
            tell(self, *told)

    monkeypatch.setattr(PostgresEvents, "tell", losing)
    monkeypatch.setattr(stopping, "_AGAIN", 0.1)
    assert await nodes.there.stop(conversation)
    assert lost


async def test_a_reply_that_is_stored_anyway_was_not_stopped(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    halt = Halt()
    answer_by(nodes.here, Scripted(["One, ", halt, "two."]))
    conversation = await nodes.begin()
    await halt.reached.wait()

    def deaf(*_: object) -> None:
        halt.go_on.set()

    monkeypatch.setattr("palaver.events.stopping.Stops.hear", deaf)
    monkeypatch.setattr(stopping, "_AGAIN", 0.1)
    assert not await nodes.there.stop(conversation)
    reply = (await nodes.there.messages(conversation)).messages[-1]
    assert (reply.content, reply.status) == ("One, two.", "complete")


async def test_whoever_gets_no_answer_says_so(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    halt = Halt()
    answer_by(nodes.here, Scripted(["One, ", halt, "two."]))
    conversation = await nodes.begin()
    await halt.reached.wait()
    monkeypatch.setattr("palaver.events.stopping.Stops.hear", nothing)
    monkeypatch.setattr(stopping, "_PATIENCE", 0.2)
    with pytest.raises(StorageBusy):
        await nodes.there.stop(conversation)
    halt.go_on.set()
