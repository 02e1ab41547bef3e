"""A server is told to stop: everybody hears it, nothing is lost, and nothing keeps it waiting."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import threading
import time
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from palaver.app import Palaver
from tests.server.process import Process
from tests.server.site import Site, running_site
from tests.server.sockets import listening
from tests.server.speaker import Model, events, stream
from tests.server.world import SOON, World

LARGE = "x" * 1_000_000
QUICK = {"conversations__idle_timeout": "1s"}


def reply_in(client: httpx.Client, conversation: str) -> dict[str, Any] | None:
    page = client.get(f"/api/conversations/{conversation}/messages").json()
    return next((one for one in page["messages"] if one["role"] == "assistant"), None)


def logged(server: Process) -> list[str]:
    """What it said beside its start line, that is more than a note."""
    lines = [json.loads(line) for line in server.stderr.splitlines()[1:]]
    return [line["event"] for line in lines if line["level"] != "info"]


@contextmanager
def by_hand(server: Process, text: str) -> Generator[socket.socket]:
    """Somebody who sends a request as it stands, and no more than that."""
    with socket.socket() as connection:
        connection.settimeout(SOON)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(text.replace("\n", "\r\n").encode())
        yield connection


def asking(world: World, server: Process, line: str, rest: str = "") -> str:
    host, bearer = f"Host: 127.0.0.1:{server.port}", f"Authorization: Bearer {world.token}"
    return f"{line} HTTP/1.1\n{host}\n{bearer}\n{rest}\n"


class Listener:
    """Somebody who listens by WebSocket in a thread, until the end."""

    def __init__(self, world: World, server: Process) -> None:
        self.there = threading.Event()
        self.pool = ThreadPoolExecutor(1)
        self.code: Future[int] = self.pool.submit(lambda: asyncio.run(self._run(world, server)))
        assert self.there.wait(SOON)

    async def _run(self, world: World, server: Process) -> int:
        headers = {"Authorization": f"Bearer {world.token}"}
        async with listening(server.url, headers) as client:
            self.there.set()
            try:
                while True:
                    await client.next()
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else 0


def test_whoever_waits_for_a_reply_that_hangs_is_told(world: World):
    """By a request, by a stream and by a socket; and what there is of the replies is kept."""
    with world.server("text") as server, ExitStack() as stack:
        listener = Listener(world, server)
        client, other = (stack.enter_context(world.client(server)) for _ in range(2))
        pool = stack.enter_context(ThreadPoolExecutor(1))
        waiting = pool.submit(client.post, "/api/chat", json={"message": "Pay"})
        told = events(stack.enter_context(stream(other, message="Pay again")))
        streamed = next(told)[1]["message"]["conversationId"]
        world.until("said", 2)
        stop(server)
        assert listener.code.result(SOON) == 1012
        assert list(told)[-1][1]["code"] == "stopping"
        answer = waiting.result(SOON)
        assert (answer.status_code, answer.json()["reply"]["status"]) == (200, "interrupted")
        is_clean(server)
    spoken = answer.json()["conversationId"]
    assert asyncio.run(kept(world, spoken, streamed)) == [("One, ", "interrupted")] * 2


async def kept(world: World, *conversations: str) -> list[tuple[str, str]]:
    """What there is of the replies, in conversations that were left in order."""
    found: list[tuple[str, str]] = []
    async with opened(world) as palaver:
        for conversation in conversations:
            page = await palaver.messages(conversation)
            reply = next(one for one in page.messages if one.role == "assistant")
            found.append((reply.content, reply.status))
            assert (await palaver.state(conversation)).status == "shutdown_clean"
    return found


def opened(world: World) -> Palaver:
    """By whoever comes next."""
    return Palaver.open(settings=world.settings(**QUICK), index_vectors=False)


def stop(server: Process) -> None:
    server.signal(signal.SIGTERM)


def is_clean(server: Process) -> None:
    """It ends, by itself and in time."""
    assert server.wait() == 0
    assert "stopped_late" not in server.stderr


def test_a_digest_that_hangs_is_made_by_whoever_comes_next(world: World):
    with world.server("digests", PALAVER_CONVERSATIONS__IDLE_TIMEOUT="1s") as server:
        with world.client(server) as client:
            conversation = client.post("/api/conversations", json={}).json()["id"]
            path, body = f"/api/conversations/{conversation}/messages", {"role": "user"}
            for _ in range(3):
                assert client.post(path, json={**body, "content": "Tea at nine"}).is_success
            world.until("digested")
        stop(server)
        is_clean(server)
    asyncio.run(until_digested(world, conversation))


async def until_digested(world: World, conversation: str) -> None:
    """Nobody waits until a lease is over."""
    async with opened(world) as palaver, asyncio.timeout(SOON):
        while not (await palaver.digest(conversation)).abbreviation:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.05)


def test_whoever_sends_or_takes_nothing_keeps_nobody_waiting(alone: World):
    """A body that never ends, and an answer that nobody reads."""
    with alone.server() as server, alone.client(server) as client, ExitStack() as stack:
        large = client.post("/api/conversations", json={}).json()["id"]
        for _ in range(6):
            body = {"role": "user", "content": LARGE}
            assert client.post(f"/api/conversations/{large}/messages", json=body).is_success
        head = "Content-Type: application/json\nContent-Length: 100\n"
        endless = stack.enter_context(
            by_hand(server, asking(alone, server, "POST /api/chat", head) + '{"message"')
        )
        export = asking(alone, server, f"GET /api/conversations/{large}/export")
        unread = stack.enter_context(by_hand(server, export))
        assert unread.recv(12) == b"HTTP/1.1 200"
        stop(server)
        assert endless.recv(12) == b"HTTP/1.1 503"
        is_clean(server)


def test_a_reply_that_is_nearly_made_is_finished(world: World):
    with world.server() as server, world.client(server) as client:
        answer = client.post("/api/chat", json={"message": "Pay"}).json()
        server.signal(signal.SIGINT)
        assert server.wait() == 0
        assert logged(server) == []
    assert answer["reply"]["status"] == "complete"


@pytest.fixture
def alone(tmp_path: Path) -> World:
    return World(tmp_path / "world", None)


@contextmanager
def hanging(world: World, where: str) -> Generator[Process]:
    """A server in the middle of a reply, for which somebody waits."""
    with (
        world.server(where) as server,
        world.client(server) as client,
        ThreadPoolExecutor() as pool,
    ):
        waiting = pool.submit(client.post, "/api/chat", json={"message": "Pay"})
        world.until("said")
        yield server
        waiting.exception(SOON)


@pytest.mark.parametrize("second", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_ends_it_at_once(alone: World, second: signal.Signals):
    with hanging(alone, "text") as server:
        stop(server)
        until_refused(server)
        server.signal(second)
        assert server.wait() == -second


def until_refused(server: Process) -> None:
    """Nobody is let in any more."""
    deadline = time.monotonic() + SOON
    while time.monotonic() < deadline:
        try:
            if httpx.get(f"{server.url}/readyz").json().get("code") == "stopping":
                return
        except httpx.TransportError:
            return
    raise AssertionError("somebody is still let in")


def test_what_will_not_end_is_broken_off(alone: World):
    with hanging(alone, "for good") as server:
        stop(server)
        assert server.wait() == 1
        assert "stopped_late" in logged(server)[-1]
    with alone.server() as server, alone.client(server) as client:
        (conversation,) = client.get("/api/conversations").json()["conversations"]
        deadline = time.monotonic() + SOON
        while (reply := reply_in(client, conversation["id"])) is None:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert reply["content"] == "One, two."


# -- in this process ---------------------------------------------------------------------------


@pytest.fixture
def site(tmp_path: Path, model: Model) -> Generator[Site]:
    with running_site(tmp_path / "home") as site:
        yield site


def test_a_reply_that_is_being_made_is_finished(site: Site, model: Model):
    model.words = ["It ", "…", "is blue."]
    with site.program() as client, ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(client.post, "/api/chat", json={"message": "What colour?"})
        assert model.reached.wait(SOON)
        site.stop()
        model.go_on.set()
        reply = waiting.result(SOON).json()["reply"]
    assert (reply["content"], reply["status"]) == ("It is blue.", "complete")


def test_while_it_stops_nobody_is_let_in(site: Site):
    _, server = site.running.result()
    server._entry.guests.close()  # pyright: ignore[reportPrivateUsage]
    with site.program() as client:
        for path in ("/readyz", "/api/me", "/", "/nowhere"):
            refused = client.get(path)
            assert (refused.status_code, "stopping" in refused.text) == (503, True), path
            assert refused.headers["retry-after"] == "1"
        assert client.post("/api/chat", json={"message": "Hello"}).json()["code"] == "stopping"
        assert client.get("/healthz").status_code == 200
