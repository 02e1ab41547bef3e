"""How much one may ask by `/mcp`, and until when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from palaver.accounts import Accounts
from palaver.app import Palaver
from palaver.errors import SignInRequired
from palaver.server import Address, create_app
from palaver.server.entry import Entry
from palaver.server.libraries import Libraries
from palaver.settings import LimitSettings

SOON = 20.0
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
SEARCH = {
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {"name": "search_conversations", "arguments": {"query": "figs"}},
}


@dataclass(frozen=True)
class Inside:
    """A server without a network, whose entry can be seen."""

    client: httpx.AsyncClient
    entry: Entry

    async def post(self, said: dict[str, Any], accept: str = "*/*") -> httpx.Response:
        async with asyncio.timeout(SOON):
            return await self.client.post("/mcp", json=said, headers={"accept": accept})


@asynccontextmanager
async def inside(palaver: Palaver, **limits: int) -> AsyncGenerator[Inside]:
    address = Address("127.0.0.1", 8420)
    accounts = Accounts.in_file(palaver.home.root / "accounts.db")
    libraries = Libraries(palaver, lambda user: Palaver.open(palaver.home.root, user=user))
    app = create_app(libraries, accounts, address, limits=LimitSettings.model_validate(limits))
    headers = {"authorization": f"Bearer {accounts.create_token('local').secret}"}
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url=address.url, headers=headers
    ) as client:
        yield Inside(client, app.state.entry)
    accounts.close()


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Searches that begin, which this tells, and never end."""
    event = asyncio.Event()

    async def search_page(*_: object, **__: object) -> None:
        event.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(Palaver, "search_page", search_page)
    return event


async def test_nothing_is_left_running_after_an_answer(palaver: Palaver) -> None:
    async with inside(palaver) as server:
        await server.post(PING)
        before = asyncio.all_tasks()
        for accept in ("application/json", "application/json, text/event-stream"):
            for said in (PING, SEARCH, {"jsonrpc": "2.0", "method": "notifications/initialized"}):
                assert (await server.post(said, accept)).is_success
        assert asyncio.all_tasks() == before
        assert list(server.entry.guests.present()) == []


async def test_metrics_tell_of_it(palaver: Palaver) -> None:
    async with inside(palaver) as server:
        await server.post(PING)
        shown = server.entry.metrics.shown({}).decode()
    assert 'palaver_http_request_seconds_count{route="/mcp"} 1.0' in shown


async def test_too_many_searches_are_an_error_that_a_model_can_read(palaver: Palaver) -> None:
    async with inside(palaver, searches=2) as server:
        for _ in range(2):
            assert (await server.post(SEARCH)).json()["result"]["isError"] is False
        refused = (await server.post(SEARCH)).json()["result"]
        assert refused["isError"] is True
        assert "limit_reached" in refused["content"][0]["text"]
        assert (await server.post(PING)).json()["result"] == {}


async def test_too_many_bytes_are_refused_with_when_to_come_back(palaver: Palaver) -> None:
    large = {**PING, "params": {"_meta": {"x": "y" * 1_000_000}}}
    async with inside(palaver, megabytes=1) as server:
        assert (await server.post(large)).status_code == 200
        refused = await server.post(large)
    assert (refused.status_code, refused.json()["code"]) == (429, "limit_reached")
    assert int(refused.headers["retry-after"]) >= 1


async def test_no_more_are_open_at_a_time_than_allowed(
    palaver: Palaver, begun: asyncio.Event
) -> None:
    async with inside(palaver, sockets=1) as server, asyncio.TaskGroup() as group:
        first = group.create_task(server.post(SEARCH))
        await begun.wait()
        assert (await server.post(PING)).status_code == 429
        first.cancel()


def signed_out(entry: Entry) -> None:
    for stay in entry.guests.present():
        stay.end(SignInRequired())


def stopped(entry: Entry) -> None:
    entry.guests.close()


@pytest.mark.parametrize(
    ("leave", "status", "code"),
    [(signed_out, 401, "sign_in_required"), (stopped, 503, "stopping")],
)
async def test_whoever_has_to_leave_is_told_why(
    palaver: Palaver,
    begun: asyncio.Event,
    leave: Callable[[Entry], None],
    status: int,
    code: str,
) -> None:
    async with inside(palaver) as server, asyncio.TaskGroup() as group:
        asked = group.create_task(server.post(SEARCH))
        await begun.wait()
        leave(server.entry)
        refused = await asked
        assert (refused.status_code, refused.json()["code"]) == (status, code)


@pytest.mark.parametrize("leave", [signed_out, stopped])
async def test_a_stream_ends_when_whoever_reads_it_has_to_leave(
    palaver: Palaver,
    begun: asyncio.Event,
    leave: Callable[[Entry], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with inside(palaver) as server, asyncio.TaskGroup() as group:
        asked = group.create_task(server.post(SEARCH, "text/event-stream"))
        await begun.wait()
        leave(server.entry)
        answer = await asked
        assert answer.status_code == 200
        assert "data: " not in answer.text
    assert "error" not in caplog.text.lower()


async def test_nobody_comes_in_when_it_stops(palaver: Palaver) -> None:
    async with inside(palaver) as server:
        server.entry.guests.close()
        assert (await server.post(PING)).status_code == 503
