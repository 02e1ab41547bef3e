"""Digests all the way: whatever a model does, every conversation is named and told."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from palaver.app import Palaver
from palaver.engines import open_accounts
from palaver.settings import Settings
from tests.digest.providers import (
    AT_ONCE,
    ATTEMPTS,
    HOURS,
    PROBES,
    REQUESTS,
    Mood,
    World,
    conversations,
    moody,
    nonsense,
    silent,
    told_by,
    untold,
    wait_for_time,
    well,
)
from tests.models.script import Hold
from tests.models.server import ModelServer
from tests.server.process import Process
from tests.server.sockets import Client, listening

DAY = timedelta(days=1)
LONG = 20.0


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture(params=["files", "database"])
def world(request: pytest.FixtureRequest, tmp_path: Path, server: ModelServer) -> World:
    in_database = request.param == "database"
    return World(tmp_path, request.getfixturevalue("database_url") if in_database else None, server)


# -- a model that fails --------------------------------------------------------------------------


@pytest.mark.parametrize(("mood", "requests"), [(silent, 1), (nonsense, REQUESTS)])
async def test_a_model_that_only_fails_is_asked_rarely_and_replaced(
    world: World, mood: Mood, requests: int
) -> None:
    """However many conversations wait for it, it is asked three times, and then once after each
    rest; those that were begun at the same time may come on top."""
    world.patience, world.server.otherwise = 0.1 if mood is silent else LONG, mood
    async with world.open() as palaver:
        names = await conversations(palaver, world.many)
        world.clock.advance(minutes=10)
        await palaver.settle()
        assert await untold(palaver, names) == []
        assert palaver.health().status == "ok"
        await wait_for_time(palaver, world.clock, world.clock.now + DAY)
        assert len(world.server.asked) <= requests * (AT_ONCE + PROBES)
        for name in names:
            assert await told_by(palaver, name) == ["offline"]
            assert await told_by(palaver, name, "title_assigned") == ["offline"]


@pytest.mark.parametrize("wire", ["anthropic", "openai"])
async def test_a_model_that_often_fails_tells_all_in_the_end(world: World, wire: str) -> None:
    """Each conversation is tried again after pauses that grow: within a day ten times at most."""
    world.wire, world.server.otherwise = wire, moody(0.3, seed=7)
    async with world.open() as palaver:
        names = await conversations(palaver, world.many)
        world.clock.advance(minutes=10)
        await palaver.settle()
        assert await untold(palaver, names) == []
        await wait_for_time(palaver, world.clock, world.clock.now + DAY)
        assert palaver.health().status == "ok"
        assert len(world.server.asked) <= len(names) * ATTEMPTS * REQUESTS
        world.server.otherwise = well
        # A busy machine may be slower than the patience: that is one more failure.
        await wait_for_time(palaver, world.clock, world.clock.now + 2 * HOURS)
        assert await palaver.jobs() == []
        for name in names:
            assert await told_by(palaver, name) in (["offline", world.model], [world.model])


async def test_when_it_is_well_again_all_are_told_within_a_pause(world: World) -> None:
    world.patience, world.server.otherwise = LONG, nonsense
    async with world.open() as palaver:
        names = await conversations(palaver, world.many)
        world.clock.advance(minutes=10)
        await wait_for_time(palaver, world.clock, world.clock.now + DAY)
        world.server.otherwise = well
        hold, tried = Hold(), len(world.server.asked)
        world.server.script(hold)  # the first that is tried takes its time
        world.clock.now += HOURS
        settling = asyncio.create_task(palaver.settle())
        await asyncio.to_thread(hold.reached.wait, LONG)
        assert len(world.server.asked) == tried + 1
        hold.release()
        await settling
        assert await palaver.jobs() == []
        assert not any([(await palaver.conversation(name)).needs_abbreviation for name in names])
        for name in names:
            assert await told_by(palaver, name) == ["offline", world.model]
            assert await told_by(palaver, name, "title_assigned") == ["offline", world.model]


async def test_what_a_model_told_is_not_replaced_without_it(world: World) -> None:
    world.patience, world.server.otherwise = LONG, well
    async with world.open() as palaver:
        names = await conversations(palaver, 3)
        world.clock.advance(minutes=10)
        await palaver.settle()
        world.server.otherwise = nonsense
        before = [(await palaver.conversation(name)).abbreviation for name in names]
        for name in names:
            await palaver.append(name, "user", "Pump 9 leaks, too.")
        world.clock.advance(minutes=10)
        await wait_for_time(palaver, world.clock, world.clock.now + DAY)
        assert before == [(await palaver.conversation(name)).abbreviation for name in names]
        assert [await told_by(palaver, name) for name in names] == [[world.model]] * len(names)
        world.server.otherwise = well
        await wait_for_time(palaver, world.clock, world.clock.now + HOURS)
        for name in names:
            assert await told_by(palaver, name) == [world.model] * 2
            assert "Pump 9" in ((await palaver.conversation(name)).abbreviation or "")


async def test_nobody_who_talks_waits_for_a_model_that_digests(world: World) -> None:
    hold = Hold()
    world.patience, world.server.otherwise = LONG, lambda asked: [hold]
    async with world.open() as palaver:
        names = await conversations(palaver, 3)
        world.clock.advance(minutes=10)
        settling = asyncio.create_task(palaver.settle())
        await asyncio.to_thread(hold.reached.wait, LONG)
        for name in names:
            reply = await palaver.send("Does the pump run again?", conversation_id=name)
            assert reply.reply.content
        assert await untold(palaver, names) == names, "the model is still at it"
        world.server.otherwise = nonsense
        hold.release()
        await settling


# -- `palaver serve` -----------------------------------------------------------------------------


def token(home: Path) -> str:
    accounts = open_accounts(Settings.load(home))
    secret = accounts.create_token("local").secret
    accounts.close()
    return secret


async def say(client: Client, text: str, conversation_id: str | None) -> str:
    """Says something, and hears the reply; gives where."""
    place = {"conversationId": conversation_id} if conversation_id else {}
    accepted = await client.ask("send_message", text=text, **place)
    await client.until("reply_finished")
    return accepted["message"]["conversationId"]


async def told(client: Client, through: str) -> dict[str, Any]:
    """The conversation, once its abbreviation has these words."""
    while True:
        found = (await client.until("conversation_changed"))["conversation"]
        if through in (found.get("abbreviation") or ""):
            return found


async def test_a_conversation_is_named_and_told_by_a_server(tmp_path: Path) -> None:
    headers = {"Authorization": f"Bearer {token(tmp_path)}"}
    with Process(tmp_path) as server:
        async with listening(server.url, headers) as client:
            place = None
            for number in range(1, 6):
                place = await say(client, f"Pump {number} leaks at valve K-{number}.", place)
            renamed = await client.until("conversation_renamed", conversationId=place)
            assert renamed["title"]
            server.kill()
    idle = {"PALAVER_CONVERSATIONS__IDLE_TIMEOUT": "2s"}
    with Process(tmp_path, variables=idle) as server:
        async with listening(server.url, headers) as client:
            await say(client, "We decided to order the seal S-4711 from Weber.", place)
            found = await told(client, "S-4711")
        assert found["title"] == renamed["title"]
        assert not found["needsAbbreviation"]
        async with httpx.AsyncClient(base_url=server.url, headers=headers) as http:
            digest = (await http.get(f"/api/conversations/{place}/digest")).json()
            assert (digest["titledBy"], digest["abbreviation"]["through"]) == ("offline", 6)
            jobs = (await http.get("/api/jobs")).json()["jobs"]
            assert [job for job in jobs if job["kind"] == "digest"] == []
        server.kill()
    async with Palaver.open(tmp_path, index_vectors=False) as palaver:
        kept = await palaver.conversation(found["id"])
        assert (kept.title, kept.abbreviation) == (found["title"], found["abbreviation"])
        assert len(await told_by(palaver, kept.id, "title_assigned")) == 1
