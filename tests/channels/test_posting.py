"""What is to be sent is sent once, in order, and tried again while the provider is away."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from palaver.channels.port import Outgoing, Reported
from palaver.errors import (
    ChannelRefused,
    ChannelUncertain,
    ChannelUnreachable,
    Conflict,
    NotFound,
)
from palaver.index.records import DeliveryStatus
from palaver.ledger import lines
from tests.channels.world import Pigeon, World, world
from tests.conversation.scripted import Scripted, answer_by
from tests.library import Clock


class Killed(BaseException):
    """The process ends in the middle of it."""


async def delivery(here: World) -> DeliveryStatus:
    found = (await here.said())[-1].delivery
    assert found is not None
    return found


async def test_a_provider_that_is_away_for_an_hour_gets_it_once(
    tmp_path: Path, clock: Clock, database: str | None
) -> None:
    async with world(tmp_path, clock, database_url=database) as here:
        answer_by(here.palaver, Scripted(["Fine."]))
        here.pigeon.fails = [ChannelUnreachable()] * 10_000
        await here.write("Hello")
        told = await delivery(here)
        assert (told.state, told.code) == ("waiting", "channel_unreachable")
        back = clock.now.timestamp() + 3600
        tries = 0
        while clock.now.timestamp() < back:
            later = await here.palaver.correspondence.deliver()
            assert later is not None
            clock.now = max(clock.now, later)
            tries += 1
        assert 8 <= tries <= 20  # a second, two, four …
        here.pigeon.fails = []
        await here.palaver.correspondence.deliver()
        clock.advance(hours=2)
        assert await here.palaver.correspondence.deliver() is None
        assert here.told == ["Fine."]
        assert (await delivery(here)).state == "sent"


async def test_it_is_given_up_after_three_days(here: World, clock: Clock) -> None:
    here.pigeon.fails = [ChannelUnreachable()] * 10_000
    await here.write("Hello")
    for _ in range(200):
        clock.advance(hours=1)
        await here.palaver.correspondence.deliver()
    told = await delivery(here)
    assert (told.state, told.code) == ("failed", "channel_refused")
    assert "three days" in (told.message or "")


async def test_order_is_kept_while_the_first_waits(here: World, clock: Clock) -> None:
    here.pigeon.fails = [ChannelUnreachable()]
    answer_by(here.palaver, Scripted(["One."]))
    await here.write("Hello")
    answer_by(here.palaver, Scripted(["Two."]))
    await here.write("And?")
    clock.advance(minutes=1)
    await here.palaver.correspondence.deliver()
    assert here.told == ["One.", "Two."]


async def test_what_is_refused_is_told_and_can_be_sent_again(here: World) -> None:
    here.pigeon.fails = [ChannelRefused("The number is not on it.", remedy="Use another one.")]
    await here.write("Hello")
    told = await delivery(here)
    assert (told.state, told.message, told.remedy) == (
        "failed",
        "The number is not on it.",
        "Use another one.",
    )
    reply = (await here.said())[-1]
    await here.palaver.correspondence.send_again(reply.id)
    await here.settle()
    assert len(here.told) == 1
    with pytest.raises(Conflict):
        await here.palaver.correspondence.send_again(reply.id)
    with pytest.raises(NotFound):
        await here.palaver.correspondence.send_again("msg-00000000000000000000000000")


async def test_long_replies_go_in_parts_each_once(here: World, clock: Clock) -> None:
    here.pigeon.most = 4
    here.pigeon.fails = [None, ChannelUnreachable()]
    answer_by(here.palaver, Scripted(["onetwothree."]))
    await here.write("Hello")
    clock.advance(minutes=1)
    await here.palaver.correspondence.deliver()
    assert here.told == ["onet", "woth", "ree."]
    assert [one.first for one in here.pigeon.sent] == [True, False, False]
    assert [one.answers for one in here.pigeon.sent] == ["m1", None, None]
    assert (await delivery(here)).state == "sent"


@pytest.mark.parametrize("repeatable", [False, True])
async def test_what_was_begun_and_never_ended_is_sent_twice_only_where_it_shows_once(
    tmp_path: Path, clock: Clock, database: str | None, repeatable: bool
) -> None:
    pigeon = Pigeon(repeatable=repeatable, fails=[Killed()])
    async with world(tmp_path, clock, database_url=database, pigeon=pigeon) as here:
        with pytest.raises(Killed):
            await here.write("Hello")
    pigeon.fails = []
    async with world(tmp_path, clock, database_url=database, pigeon=pigeon) as again:
        await again.settle()
        told = await delivery(again)
        if repeatable:
            assert (told.state, len(pigeon.sent)) == ("sent", 1)
        else:
            assert (told.state, told.code) == ("failed", "channel_uncertain")
            assert pigeon.sent == []


@pytest.mark.parametrize("repeatable", [False, True])
async def test_nobody_knows(here: World, clock: Clock, repeatable: bool) -> None:
    here.pigeon.repeatable = repeatable
    here.pigeon.fails = [ChannelUncertain()]
    await here.write("Hello")
    clock.advance(minutes=1)
    await here.palaver.correspondence.deliver()
    assert len(here.told) == repeatable


async def test_two_processes_send_it_once(
    tmp_path: Path, clock: Clock, database: str | None
) -> None:
    async with (
        world(tmp_path, clock, database_url=database) as one,
        world(tmp_path, clock, database_url=database) as other,
    ):
        await one.take(one.message("Hello"))
        await one.palaver.correspondence.settle()
        await one.palaver.finish_replies()
        await asyncio.gather(
            *(w.palaver.correspondence.deliver() for w in (one, other, one, other))
        )
        assert len([*one.told, *other.told]) == 1


async def test_what_is_erased_is_not_sent(here: World, clock: Clock) -> None:
    here.pigeon.fails = [ChannelUnreachable()] * 20
    await here.write("Hello")
    reply = (await here.said())[-1]
    here.pigeon.fails = []
    await here.palaver.redact(reply.conversation_id, reply.id)
    clock.advance(hours=1)
    assert await here.palaver.correspondence.deliver() is None
    assert here.told == []


async def test_a_channel_that_is_gone_leaves_it_waiting(here: World) -> None:
    conversation = (await here.palaver.start(channel="raven")).id
    place = {"kind": "contact", "id": "x", "name": None}
    deliver = {"channel": "raven", "place": place}
    line = lines.turn(conversation, "assistant", "Hi", channel="raven", deliver=deliver)
    await here.palaver._ledger.append([line])  # pyright: ignore[reportPrivateUsage]
    assert await here.palaver.correspondence.deliver() is None
    (message,) = (await here.palaver.messages(conversation)).messages
    assert message.delivery is not None
    assert message.delivery.state == "waiting"


async def test_a_failure_that_is_told_later_is_sent_again_and_blocks_nothing(here: World) -> None:
    await here.write("Hello")
    (sent,) = here.pigeon.sent
    await here.take(Reported(f"sent-{sent.id}", "failed", "Not in the last 24 hours."))
    assert (await delivery(here)).state == "failed"
    await here.palaver.correspondence.send_again((await here.said())[-1].id)
    await here.settle()
    await here.write("And?")
    assert len(here.told) == 3
    assert (await delivery(here)).state == "sent"


async def test_many_places_that_wait_keep_nobody_else_waiting(here: World) -> None:
    conversation = (await here.palaver.start(channel="pigeon")).id

    def waiting(number: int) -> lines.Draft:
        place = {"kind": "contact", "id": f"p-{number}", "name": None}
        deliver = {"channel": "pigeon", "place": place}
        return lines.turn(conversation, "assistant", "Hi", channel="pigeon", deliver=deliver)

    drafts = [waiting(number) for number in range(150)]
    await here.palaver._ledger.append(drafts)  # pyright: ignore[reportPrivateUsage]
    here.pigeon.fails = [ChannelRefused(), *([ChannelUnreachable()] * 149)]
    later = await here.palaver.correspondence.deliver()
    here.pigeon.fails = []
    await here.write("Hello")
    assert here.pigeon.sent[-1].place.id == "ann"
    assert later is None or later.year == 2026


async def test_a_fault_of_a_channel_keeps_only_its_own_message_from_being_sent(here: World) -> None:
    here.pigeon.fails = [ValueError("a mistake")]
    await here.write("Hello")
    told = await delivery(here)
    assert (told.state, told.code) == ("failed", "channel_failed")
    await here.write("And?")
    assert len(here.told) == 1


async def test_what_is_made_again_in_the_page_stays_there(here: World) -> None:
    await here.write("Hello")
    reply = (await here.said())[-1]
    await here.write("/new")
    sent = len(here.told)
    await here.palaver.regenerate(reply.conversation_id, reply.id)
    await here.settle()
    assert len(here.told) == sent


@dataclass
class Slow(Pigeon):
    """A provider that takes its time."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, message: Outgoing) -> str:
        self.begun.set()
        await self.over.wait()
        return await super().send(message)


async def test_a_provider_that_takes_long_keeps_nobody_else_waiting(
    tmp_path: Path, clock: Clock, database: str | None
) -> None:
    slow = Slow(name="snail")
    async with world(tmp_path, clock, database_url=database, beside=[slow]) as here:
        conversation = (await here.palaver.start(channel="snail")).id
        drafts = [
            lines.turn(conversation, "assistant", "Hi", channel=name, deliver=to_contact(name))
            for name in ("snail", "pigeon")
        ]
        await here.palaver._ledger.append(drafts)  # pyright: ignore[reportPrivateUsage]
        delivering = asyncio.create_task(here.palaver.correspondence.deliver())
        await slow.begun.wait()
        await here.pigeon.went.wait()
        slow.over.set()
        await delivering
        assert (here.told, len(slow.sent)) == (["Hi"], 1)


def to_contact(channel: str) -> dict[str, object]:
    return {"channel": channel, "place": {"kind": "contact", "id": "x", "name": None}}
