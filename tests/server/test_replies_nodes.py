"""A reply that one server makes shows at the sockets of the other, and is stopped from there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from palaver.engines import open_accounts
from palaver.settings import Settings
from tests.postgres.databases import looking
from tests.server.process import Process
from tests.server.sockets import SOON, Client, listening
from tests.server.world import SLOWLY

HELLO = {"message": "Pay", "key": "k"}


class World:
    """Two servers on one database; the first stays in the middle of its replies."""

    def __init__(self, home: Path, url: str) -> None:
        self.url = url
        self.home = home
        settings = Settings.load(home, database__url=url)
        with closing(open_accounts(settings)) as accounts:
            secret = accounts.create_token("local").secret
        self.headers = {"Authorization": f"Bearer {secret}"}

    @contextmanager
    def server(self, name: str, hang: str = "") -> Generator[Process]:
        notes = self.home / name
        notes.mkdir()
        given = {"SLOWLY_NOTES": str(notes), "SLOWLY_HANG": hang}
        with Process(notes, database_url=self.url, program=SLOWLY, variables=given) as process:
            yield process

    @asynccontextmanager
    async def asking(self, server: Process) -> AsyncGenerator[httpx.AsyncClient]:
        async with httpx.AsyncClient(
            base_url=server.url, headers=self.headers, timeout=SOON
        ) as http:
            yield http

    def words(self) -> list[tuple[Any, ...]]:
        with psycopg.connect(looking(self.url)) as connection:
            return connection.execute(
                "SELECT part FROM palaver.reply_parts UNION ALL SELECT id FROM palaver.replies"
            ).fetchall()

    async def until_empty(self) -> None:
        async with asyncio.timeout(3 * SOON):
            while await asyncio.to_thread(self.words):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.05)


@pytest.fixture
def world(database_url: str, tmp_path: Path) -> World:
    return World(tmp_path, database_url)


async def test_all_tabs_on_both_servers_see_a_reply_that_is_stopped_from_the_other(
    world: World,
) -> None:
    with world.server("one", hang="text") as one, world.server("other") as other:
        async with (
            world.asking(one) as http,
            world.asking(other) as elsewhere,
            listening(one.url, world.headers) as near,
            listening(other.url, world.headers) as far,
        ):
            sending = asyncio.create_task(http.post("/api/chat", json=HELLO))
            started = await far.until("reply_started")
            conversation = started["conversationId"]
            first = await far.until("reply_delta")
            assert (first["messageId"], first["text"]) == (started["messageId"], "One, ")
            shown = {"greeted": False, "conversation": conversation}
            async with listening(other.url, world.headers, **shown) as late:
                assert (await late.until("reply_delta"))["text"] == "One, "
                answer = await elsewhere.post(f"/api/conversations/{conversation}/stop")
                assert answer.json() == {"stopped": True}
                stored = (await sending).json()["reply"]
                assert (stored["status"], stored["content"]) == ("interrupted", "One, ")
                for client in (near, far, late):
                    finished = await client.until("reply_finished")
                    assert finished["turn"] == stored
            await world.until_empty()
            again = await elsewhere.post(f"/api/conversations/{conversation}/stop")
            assert again.json() == {"stopped": False}


async def test_a_socket_of_the_other_server_stops_it(world: World) -> None:
    with world.server("one", hang="text") as one, world.server("other") as other:
        async with world.asking(one) as http, listening(other.url, world.headers) as far:
            sending = asyncio.create_task(http.post("/api/chat", json=HELLO))
            started = await far.until("reply_delta")
            await far.say("stop_reply", conversationId=started["conversationId"])
            finished = await far.until("reply_finished")
            assert finished["turn"] == (await sending).json()["reply"]
            assert finished["turn"]["status"] == "interrupted"


async def test_a_killed_server_leaves_no_word_and_nobody_waiting(world: World) -> None:
    """The other server makes the reply then; whoever followed the first one ends with that."""
    with world.server("one", hang="text") as one, world.server("other") as other:
        async with world.asking(one) as http, listening(other.url, world.headers) as far:
            sending = asyncio.create_task(http.post("/api/chat", json=HELLO))
            first = await far.until("reply_delta")
            assert "One, " in str(world.words())
            one.kill()
            with pytest.raises(httpx.HTTPError):
                await sending
            started = await far.until("reply_started")
            assert started["messageId"] != first["messageId"]
            made = await far.until("reply_finished")
            assert (made["turn"]["id"], made["turn"]["content"]) == (
                started["messageId"],
                "One, two.",
            )
            await world.until_empty()
            async with world.asking(other) as elsewhere:
                assert await finished_replies(far, elsewhere) == [made["turn"]["id"]]


async def finished_replies(client: Client, http: httpx.AsyncClient) -> list[str]:
    """Those of which the client has heard by now."""
    made = await http.post("/api/conversations", json={"title": "Mark"})
    await client.until("conversation_created", conversation=made.json())
    return [told["turn"]["id"] for told in client.heard if told["type"] == "reply_finished"]
