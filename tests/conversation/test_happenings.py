"""What becomes of conversations can be followed, wherever they are kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest

from palaver.app import Palaver
from palaver.conversation import happenings
from palaver.conversation.happenings import Happening, Happenings
from palaver.conversation.records import Change
from palaver.errors import BadValue, TooFarBehind
from palaver.events import Events, Hint, HomeEvents
from palaver.events.postgres import PostgresEvents
from palaver.ledger.lines import event, meta, new_id, turn
from palaver.ledger.port import Erasure
from palaver.server.live.pushes import pushes
from tests.library import Clock, library

SOON = 20.0


class World:
    """One place that two programs use."""

    def __init__(self, here: Palaver, there: Palaver) -> None:
        self.here = here
        self.there = there


@pytest.fixture(params=["home", "database"])
async def world(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[World]:
    url = request.getfixturevalue("database_url") if request.param == "database" else None
    # Two clocks are two nodes: they share nothing but the database.
    async with (
        library(tmp_path, Clock(), database_url=url) as here,
        library(tmp_path, Clock(), database_url=url) as there,
    ):
        yield World(here, there)


async def steps(found: AsyncGenerator[Happenings], number: int) -> list[Happening]:
    """The next steps."""
    taken: list[Happening] = []
    async with asyncio.timeout(SOON):
        while len(taken) < number:
            taken += (await anext(found)).happenings
    return taken


@asynccontextmanager
async def following(palaver: Palaver) -> AsyncGenerator[AsyncGenerator[Happenings]]:
    async with aclosing(palaver.listen(await palaver.position())) as found:
        yield found


async def test_every_step_is_told_to_both(world: World) -> None:
    async with following(world.here) as own, following(world.there) as other:

        async def hear(*kinds: str) -> None:
            for found in (own, other):
                assert [one.kind for one in await steps(found, len(kinds))] == list(kinds)

        conversation = await world.here.start(title="Plans")
        await hear("created")
        await world.there.append(conversation.id, "user", "Hello")
        await hear("message")
        await world.here.update(conversation.id, Change(title="Better plans"))
        await hear("renamed")
        await world.there.update(conversation.id, Change(archived=True))
        await hear("changed")
        await world.here.delete(conversation.id)
        await hear("removed")


async def test_what_is_sent_is_told_with_how_far_it_has_come(world: World) -> None:
    ledger = world.here._ledger  # pyright: ignore[reportPrivateUsage]
    conversation = await world.here.start(channel="whatsapp")
    place = {"kind": "contact", "id": "4911", "name": None}
    deliver = {"channel": "whatsapp", "place": place}
    reply = turn(conversation.id, "assistant", "Yes.", channel="whatsapp", deliver=deliver)
    await ledger.append([turn(conversation.id, "user", "Tea?", channel="whatsapp"), reply])
    page = await world.there.messages(conversation.id)
    told = [one.delivery.state if one.delivery else None for one in page.messages]
    assert told == [None, "waiting"]
    message = page.messages[1]
    assert await world.there.message(conversation.id, message.id) == message
    assert (await world.there.view(conversation.id)).page == page
    async with following(world.here) as own:
        for name, state in (
            ("delivery_started", "sending"),
            ("delivery_failed", "failed"),
            ("delivery_retried", "waiting"),
            ("delivered", "sent"),
            ("delivery_reported", "read"),
        ):
            fields = {"messageId": message.id, "part": 0, "parts": 1, "reach": "read"}
            await ledger.append([event(conversation.id, name, code="x", **fields)])
            (heard,) = await steps(own, 1)
            (found,) = heard.messages
            assert (heard.kind, found.id) == ("message", message.id)
            assert found.delivery is not None
            assert found.delivery.state == state


async def test_an_exchange_with_an_outsider_is_told_by_its_id_alone(world: World) -> None:
    ledger = world.here._ledger  # pyright: ignore[reportPrivateUsage]
    external = new_id("ext")
    party = {"id": "sarah@example.org", "name": "Sarah"}
    begun = meta(external, user=world.here.user, channel="email", party=party)
    async with following(world.there) as other:

        async def hear() -> None:
            (heard,) = await steps(other, 1)
            told = heard.model_dump(exclude_defaults=True, exclude={"pos"})
            assert told == {"kind": "external", "conversation_id": None, "external_id": external}
            (pushed,) = pushes(heard)
            assert b'"external_updated"' in b"".join(pushed)

        for draft in (begun, turn(external, "user", "Hello."), event(external, "escalated")):
            await ledger.append([draft])
            await hear()
        await ledger.erase(Erasure(lines={external: [1]}))
        await hear()
        await ledger.erase(Erasure(streams=[external]))
        await hear()
    assert (await world.here.conversations()).conversations == []


async def test_changes_tell_the_same_as_listening(world: World) -> None:
    conversation = await world.here.start(title="Plans")
    message = await world.here.append(conversation.id, "user", "Hello")
    renamed = await world.here.update(conversation.id, Change(title="Better plans"))
    expected = [
        Happening(pos=1, kind="created", conversation_id=conversation.id, conversation=renamed),
        Happening(pos=2, kind="message", conversation_id=conversation.id, messages=[message]),
        Happening(pos=3, kind="renamed", conversation_id=conversation.id, conversation=renamed),
    ]
    for after in range(4):
        found = await world.there.changes(after)
        assert found == Happenings(happenings=expected[after:], pos=3, more=False)
    first = await world.there.changes(0, limit=2)
    assert first == Happenings(happenings=expected[:2], pos=2, more=True)
    async with aclosing(world.there.listen(after=0)) as live:
        assert await steps(live, 3) == expected


async def test_an_erased_message_is_told_as_what_is_left_of_it(world: World) -> None:
    conversation = await world.here.start()
    message = await world.here.append(conversation.id, "user", "a secret")
    before = await world.here.position()
    await world.here.redact(conversation.id, message.id)
    (told,) = (await world.there.changes(before)).happenings
    assert told.kind == "changed"
    assert [(one.id, one.status, one.content) for one in told.messages] == [
        (message.id, "redacted", "")
    ]
    (created, *_) = (await world.there.changes(0)).happenings
    assert created.kind == "created"
    assert "a secret" not in str(await world.there.changes(0))


async def test_what_both_write_is_heard_once_and_in_order(world: World) -> None:
    conversation = await world.here.start()
    async with following(world.here) as own, following(world.there) as other:
        sides = (world.here, world.there)
        writing = (sides[n % 2].append(conversation.id, "user", str(n)) for n in range(40))
        _, first, second = await asyncio.gather(
            asyncio.gather(*writing), steps(own, 40), steps(other, 40)
        )
    assert [one.pos for one in first] == list(range(2, 42))
    assert first == second


async def test_a_lost_hint_is_not_a_lost_message(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(happenings, "LOOK_ANYWAY", 0.05)

    def lose(events: Events, hint: Hint) -> None:
        pass

    for kind in (HomeEvents, PostgresEvents):
        monkeypatch.setattr(kind, "publish", lose)
    async with following(world.there) as found:
        await world.here.start()
        assert [one.kind for one in await steps(found, 1)] == ["created"]


@pytest.mark.parametrize("after", [-1, 7])
async def test_nobody_can_follow_from_where_nothing_is(world: World, after: int) -> None:
    with pytest.raises(TooFarBehind):
        await world.here.changes(after)
    async with aclosing(world.here.listen(after)) as found:
        with pytest.raises(TooFarBehind):
            await anext(found)


@pytest.mark.parametrize("limit", [0, 201])
async def test_a_limit_is_a_limit(world: World, limit: int) -> None:
    with pytest.raises(BadValue):
        await world.here.changes(0, limit=limit)
