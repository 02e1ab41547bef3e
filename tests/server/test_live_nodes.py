"""The WebSocket of two servers on one database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from palaver.engines import open_accounts
from palaver.settings import Settings
from tests.events.worlds import cut
from tests.postgres.databases import Databases
from tests.server.process import Process
from tests.server.sockets import Client, listening

USERS = [f"usr-{number}" for number in range(20)]
EACH = 10


@pytest.fixture(scope="module")
def shared_url(postgres: Databases) -> Iterator[str]:
    url = postgres.create()
    yield url
    postgres.drop(url)


@pytest.fixture(scope="module")
def nodes(shared_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Process]]:
    with ExitStack() as stack:
        yield [
            stack.enter_context(Process(tmp_path_factory.mktemp(name), database_url=shared_url))
            for name in ("one", "other")
        ]


@pytest.fixture
def headers(shared_url: str, tmp_path: Path) -> Iterator[Callable[[str], dict[str, str]]]:
    settings = Settings.load(tmp_path, database__url=shared_url)
    with closing(open_accounts(settings)) as accounts:
        yield lambda user: {"Authorization": f"Bearer {accounts.create_token(user).secret}"}


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(timeout=60, limits=limits) as client:
        yield client


async def post(http: httpx.AsyncClient, url: str, headers: dict[str, str], body: Any) -> Any:
    answer = await http.post(url, json=body, headers=headers)
    assert answer.status_code == 201, answer.text
    return answer.json()


Headers = Callable[[str], dict[str, str]]


async def test_what_is_written_through_one_is_heard_through_the_other(
    nodes: list[Process], headers: Headers, http: httpx.AsyncClient
) -> None:
    shown = headers("usr-ann")
    async with listening(nodes[1].url, shown) as client, listening(nodes[0].url, shown) as own:
        made = await post(http, f"{nodes[0].url}/api/conversations", shown, {"title": "T"})
        for one in (client, own):
            assert await one.until("conversation_created", conversation=made, eventId=1)
        path = f"/api/conversations/{made['id']}/messages"
        for number in range(4):
            said = {"role": "user", "content": f"Hello {number}"}
            message = await post(http, nodes[number % 2].url + path, shown, said)
            for one in (client, own):
                assert (await one.next())["turn"] == message


async def _talk(
    http: httpx.AsyncClient, nodes: list[Process], headers: dict[str, str], user: str
) -> str:
    made = await post(http, f"{nodes[0].url}/api/conversations", headers, {"title": user})
    for number in range(EACH):
        path = f"/api/conversations/{made['id']}/messages"
        said = {"role": "user", "content": f"{user} says {number}"}
        await post(http, nodes[number % 2].url + path, headers, said)
    return made["id"]


async def _follow(client: Client, user: str, steps: int) -> None:
    """Hears every step once and in order, and of nobody else."""
    for pos in range(1, steps + 1):
        told = await client.next()
        assert told["eventId"] == pos
        if pos > 1:
            assert told["turn"]["content"] == f"{user} says {pos - 2}"


async def test_everybody_hears_all_of_their_own_without_gaps(
    nodes: list[Process], headers: Headers, http: httpx.AsyncClient
) -> None:
    async def live(user: str) -> None:
        shown = headers(user)
        async with listening(nodes[0].url, shown) as a, listening(nodes[1].url, shown) as b:
            talking = _talk(http, nodes, shown, user)
            followers = (_follow(one, user, EACH + 1) for one in (a, b))
            await asyncio.gather(talking, *followers)

    await asyncio.gather(*(live(user) for user in USERS))


async def test_nothing_is_missed_when_the_line_between_nodes_is_cut(
    nodes: list[Process], headers: Headers, http: httpx.AsyncClient, shared_url: str
) -> None:
    shown = headers("usr-cut")
    async with listening(nodes[1].url, shown) as client:
        following = asyncio.create_task(_follow(client, "usr-cut", EACH + 1))
        talking = asyncio.create_task(_talk(http, nodes[:1] * 2, shown, "usr-cut"))
        cuts = 0
        while not talking.done():
            cuts += await asyncio.to_thread(cut, shared_url)
        await following
        await talking
        assert cuts > 2


async def test_nobody_hears_of_others(
    nodes: list[Process], headers: Headers, http: httpx.AsyncClient
) -> None:
    ann, ben = headers("usr-one"), headers("usr-two")
    made = await post(http, f"{nodes[0].url}/api/conversations", ann, {"title": "Secret"})
    with pytest.raises(InvalidStatus) as refused:
        async with listening(nodes[0].url, ben, conversation=made["id"]):
            pass
    assert refused.value.response.status_code == 404
    async with listening(nodes[1].url, ben) as client:
        assert client.heard[-1]["conversations"] == []
        answer = await client.ask("load_messages", conversationId=made["id"])
        assert (answer["type"], answer["code"]) == ("error", "not_found")
        said = {"role": "user", "content": "Nobody's business"}
        path = f"/api/conversations/{made['id']}/messages"
        async with listening(nodes[1].url, ann) as own:
            for node in nodes:
                await post(http, node.url + path, ann, said)
            await own.until("conversation_updated", eventId=3)
        mine = await post(http, f"{nodes[0].url}/api/conversations", ben, {"title": "Ben"})
        assert (await client.next())["conversation"] == mine
