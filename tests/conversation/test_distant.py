"""A reply that one node makes is followed on another node of the same database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

import psycopg
import pytest

from palaver.agent.answering import Delta, Frames, ReplyDraft, Task
from palaver.agent.language import Said, Thought
from palaver.app import Palaver
from palaver.conversation import distant
from palaver.conversation.distant import DistantReply
from palaver.conversation.steps import (
    ReplyDelta,
    ReplyFinished,
    ReplyStarted,
    ReplyThinking,
    ReplyTool,
    Step,
)
from palaver.errors import StorageFailed
from palaver.events import parts
from palaver.events.parts import Parts
from palaver.events.postgres import PostgresEvents
from palaver.events.postgres_relay import PostgresRelay
from palaver.events.relay import Making, Part, Question
from palaver.index.records import Source
from tests.conversation.nodes import SOON, Nodes, check_text, first_reply, nothing, steps_of
from tests.conversation.scripted import Scripted, answer_by
from tests.conversation.test_replies import LOOK, Halt, text_of
from tests.events.worlds import cut
from tests.postgres.databases import looking


async def test_a_reply_is_followed_on_another_node(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "PATIENCE", 3600)  # nothing is swept
    halt = Halt()
    script = [Thought("Hm."), LOOK, "It is ", halt, "blue, ", "and 🙂 green."]
    answer_by(nodes.here, Scripted(script))
    async with first_reply(nodes.there) as coming:
        conversation = await nodes.begin("What colour?")
        live = await coming
        assert live.conversation_id == conversation
        following = asyncio.create_task(steps_of(live))
        await nodes.until(lambda: "It is " in str(nodes.left()))
        halt.go_on.set()
        steps = await following
    started, thought, *_ = steps
    finished = steps[-1]
    assert isinstance(started, ReplyStarted)
    assert isinstance(finished, ReplyFinished)
    assert (started.turn_number, started.message_id) == (1, finished.turn.id)
    assert isinstance(thought, ReplyThinking)
    assert thought.text == "Hm."
    tools = [(one.tool_name, one.state) for one in steps if isinstance(one, ReplyTool)]
    assert tools == [("look", "started"), ("look", "finished")]
    stored = (await nodes.there.messages(conversation)).messages[-1]
    assert finished.turn == stored
    assert check_text(steps) == stored.content == "It is blue, and 🙂 green."
    await nodes.until_empty()


async def test_one_who_joins_late_gets_the_text_so_far(nodes: Nodes) -> None:
    halt = Halt()
    answer_by(nodes.here, Scripted(["One, ", "two, ", halt, "three."]))
    await nodes.begin()
    await halt.reached.wait()
    assert not nodes.left()  # nobody wanted it
    async with first_reply(nodes.there) as coming:
        live = await coming
        async with aclosing(live.follow()) as steps:
            assert isinstance(await anext(steps), ReplyStarted)
            first = await anext(steps)
            assert isinstance(first, ReplyDelta)
            assert (first.offset, first.text) == (0, "One, two, ")
        halt.go_on.set()
        assert check_text(await steps_of(live)) == "One, two, three."


async def test_all_replies_of_many_conversations_come_whole(nodes: Nodes) -> None:
    words = [f"word{number} " for number in range(40)]

    async def a_while() -> None:
        await asyncio.sleep(0.005)

    answer_by(nodes.here, Scripted([step for word in words for step in (word, a_while)]))
    async with aclosing(nodes.there.replies()) as lives, asyncio.timeout(SOON):
        coming = asyncio.ensure_future(anext(lives))
        await asyncio.sleep(0)
        asked = {await nodes.begin() for _ in range(5)}
        following = list[asyncio.Task[list[Step]]]()
        told = set[str]()
        while told != asked:
            live = await coming
            told.add(live.conversation_id)
            following.append(asyncio.create_task(steps_of(live)))
            coming = asyncio.ensure_future(anext(lives))
        texts = [check_text(await one) for one in following]
        coming.cancel()
        await asyncio.gather(coming, return_exceptions=True)
    assert texts == ["".join(words)] * 5
    await nodes.until_empty()


async def test_nothing_is_missed_when_the_line_between_nodes_is_cut(nodes: Nodes) -> None:
    halts = [Halt() for _ in range(4)]
    script = [step for number, halt in enumerate(halts) for step in (f"part {number} ", halt)]
    answer_by(nodes.here, Scripted(script))
    async with first_reply(nodes.there) as coming:
        await nodes.begin()
        live = await coming
        following = asyncio.create_task(steps_of(live))
        for halt in halts:
            await halt.reached.wait()
            await asyncio.to_thread(cut, nodes.url)
            halt.go_on.set()
        steps = await following
    assert check_text(steps) == "part 0 part 1 part 2 part 3 "


async def test_lost_hints_and_lost_parts_cost_time_and_nothing_else(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is told of what is written, and some of it is taken away before it is read."""
    halt = Halt()
    answer_by(nodes.here, Scripted(["One, ", halt, "two."]))
    async with first_reply(nodes.there) as coming:
        conversation = await nodes.begin()
        live = await coming
        following = asyncio.create_task(steps_of(live))
        tell = PostgresEvents.tell

        def losing(self: PostgresEvents, *told: tuple[str, ...]) -> None:
            tell(self, *(one for one in told if one[0] != "moved"))

        monkeypatch.setattr(PostgresEvents, "tell", losing)
        with psycopg.connect(looking(nodes.url), autocommit=True) as connection:
            connection.execute("DELETE FROM palaver.reply_parts")
        halt.go_on.set()
        steps = await following
    assert check_text(steps) == "One, two."
    finished = steps[-1]
    assert isinstance(finished, ReplyFinished)
    assert finished.turn.conversation_id == conversation


async def test_what_is_said_before_a_gap_is_all_that_is_read(nodes: Nodes) -> None:
    live = DistantReply(Making("r", Question("q", "c", 1)))
    live.read(Part(1, '[["started","msg-1",3],["text",0,"One, "]]'))
    live.read(Part(3, '[["text",10,"three."],["thinking",4,"?"],["new kind",1],["tool","t","?"]]'))
    assert (live.draft.content, live.draft.thinking, live.last) == ("One, ", "", 3)
    live.read(Part(4, '[["text",5,"two, three."]]'))
    assert live.draft.content == "One, two, three."


class Quoting:
    """Says something that is erased while it is said, and then something else."""

    def __init__(self, source: Source, halt: Halt) -> None:
        self.source = source
        self.halt = halt
        self.times = 0

    async def answer(self, task: Task, draft: ReplyDraft, frames: Frames) -> AsyncGenerator[Delta]:
        self.times += 1
        if self.times == 1:
            draft.sources.append(self.source)
            draft.content = "the canary"
            yield Said(draft.content)
            await self.halt()
            return
        draft.content = "Nothing."
        yield Said(draft.content)
        await self.halt()


async def test_a_reply_that_begins_anew_leaves_no_word_of_the_first_beginning(
    nodes: Nodes,
) -> None:
    held = await nodes.here.start()
    message = await nodes.here.append(held.id, role="user", content="the canary")
    halt = Halt()
    source = Source(message_id=message.id)
    answer_by(nodes.here, Quoting(source, halt))
    async with first_reply(nodes.there) as coming:
        await nodes.begin()
        live = await coming
        following = asyncio.create_task(steps_of(live))
        await nodes.until(lambda: "canary" in str(nodes.left()))
        await nodes.here.redact(held.id, message.id)
        halt.reached.clear()
        halt.go_on.set()
        halt.go_on = asyncio.Event()
        await asyncio.wait_for(halt.reached.wait(), SOON)
        await nodes.until(lambda: "Nothing." in str(nodes.left()))
        assert "canary" not in str(nodes.left())
        halt.go_on.set()
        steps = await following
    started = [step for step in steps if isinstance(step, ReplyStarted)]
    assert len(started) == 2
    assert started[0].message_id != started[1].message_id
    assert text_of(steps).endswith("Nothing.")


async def test_erasing_the_conversation_takes_the_words_of_a_reply_with_it(nodes: Nodes) -> None:
    halt = Halt()
    answer_by(nodes.here, Scripted(["the canary ", halt]))
    async with first_reply(nodes.there) as coming:
        conversation = await nodes.begin()
        live = await coming
        following = asyncio.create_task(steps_of(live))
        await nodes.until(lambda: "canary" in str(nodes.left()))
        await nodes.there.delete(conversation)
        assert "canary" not in str(nodes.left())
        halt.go_on.set()
        with pytest.raises(StorageFailed, match="broken off"):
            await following
    await nodes.until_empty()


# -- whoever makes it dies -----------------------------------------------------------------------


async def test_followers_end_when_the_maker_is_not_heard_of_any_more(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And its words are gone."""
    halt = Halt()
    answer_by(nodes.here, Scripted(["One, ", halt, "two."]))
    monkeypatch.setattr(distant, "LOOK_ANYWAY", 0.05)
    async with first_reply(nodes.there) as coming:
        await nodes.begin()
        live = await coming
        following = asyncio.create_task(steps_of(live))
        await nodes.until(lambda: "One, " in str(nodes.left()))
        monkeypatch.setattr(Parts, "_write", nothing)
        monkeypatch.setattr(parts, "PATIENCE", 0.2)
        with pytest.raises(StorageFailed, match="broken off"):
            await following
        await nodes.until_empty()
        monkeypatch.undo()
        halt.go_on.set()


async def test_nobody_who_follows_waits_for_ever_when_the_last_one_leaves(nodes: Nodes) -> None:
    halt = Halt()
    answer_by(nodes.here, Scripted(["One, ", halt]))
    async with first_reply(nodes.there) as coming:
        await nodes.begin()
        following = asyncio.create_task(steps_of(await coming))
        await asyncio.sleep(0)
    with pytest.raises(StorageFailed):
        await following
    halt.go_on.set()


# -- what it costs -------------------------------------------------------------------------------


def is_wanted(palaver: Palaver) -> bool:
    relay = cast("PostgresRelay", palaver._engine.relay)  # pyright: ignore[reportPrivateUsage]
    return relay._node._wants.is_wanted("local")  # pyright: ignore[reportPrivateUsage]


async def test_a_reply_that_nobody_follows_elsewhere_is_not_written(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = list[Making]()
    add = Parts.add

    def noting(
        self: Parts, owner: int, user: str, making: Making, text: str, *, anew: bool
    ) -> None:
        written.append(making)
        add(self, owner, user, making, text, anew=anew)

    monkeypatch.setattr(Parts, "add", noting)
    answer_by(nodes.here, Scripted(["One, ", "two."]))
    async with first_reply(nodes.here):  # somebody follows it here
        for _ in range(3):
            await nodes.here.send("Hello", new=True)
    assert not written
    async with first_reply(nodes.there) as coming:
        await nodes.until(lambda: is_wanted(nodes.here))
        await nodes.here.send("Hello", new=True)
        assert check_text(await steps_of(await coming)) == "One, two."
    assert len({making.id for making in written}) == 1
    await nodes.until(lambda: not is_wanted(nodes.here))
    await nodes.here.send("Hello", new=True)
    assert len({making.id for making in written}) == 1
