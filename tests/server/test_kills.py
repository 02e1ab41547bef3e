"""A server is killed in the middle of a reply: afterwards there is exactly one, and the tool that
was begun is not used again."""

from __future__ import annotations

import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest

from tests.server.world import SOON, World


@contextmanager
def sending(client: httpx.Client, text: str) -> Generator[None]:
    """Somebody waits for the answer, who may never get it."""

    def send() -> None:
        try:
            client.post("/api/chat", json={"message": text, "key": text})
        except httpx.HTTPError:
            return

    waiting = Thread(target=send)
    waiting.start()
    yield
    waiting.join()


def replies(client: httpx.Client) -> list[dict[str, Any]]:
    """The replies in the only conversation there is, once there is one."""
    deadline = time.monotonic() + SOON
    while time.monotonic() < deadline:
        (conversation,) = client.get("/api/conversations").json()["conversations"]
        page = client.get(f"/api/conversations/{conversation['id']}/messages").json()
        if found := [one for one in page["messages"] if one["role"] == "assistant"]:
            return found
        time.sleep(0.02)
    raise AssertionError("there is no reply")


@pytest.mark.parametrize("where", ["tool", "text"])
def test_a_killed_reply_is_made_once_after_the_restart(world: World, where: str):
    with (
        world.server(hang=where) as server,
        world.client(server) as client,
        sending(client, "Pay"),
    ):
        world.until("said" if where == "text" else "paid")
        server.kill()
    with world.server() as server, world.client(server) as client:
        (reply,) = replies(client)
        assert (reply["content"], reply["status"]) == ("One, two.", "complete")
        again = client.post("/api/chat", json={"message": "Pay", "key": "Pay"}).json()
        assert again["reply"] == reply
        assert len(replies(client)) == 1
    assert world.done("asked") == 2
    assert world.done("paid") == 1


def test_another_node_goes_on_when_one_is_killed(database_url: str, tmp_path: Path):
    world = World(tmp_path / "world", database_url)
    with (
        world.server(hang="text") as first,
        world.server() as second,
        world.client(first) as client,
        world.client(second) as other,
    ):
        other.get("/api/conversations")
        with sending(client, "Pay"):
            world.until("said")
            first.kill()
        (reply,) = replies(other)
    assert (reply["content"], world.done("paid")) == ("One, two.", 1)


def test_two_servers_answer_a_message_once(world: World):
    with (
        world.server() as first,
        world.server() as second,
        world.client(first) as one,
        world.client(second) as other,
    ):
        conversation = one.post("/api/conversations", json={}).json()["id"]
        body = {"message": "Pay", "key": "k", "conversationId": conversation}
        with ThreadPoolExecutor() as pool:
            asked = [pool.submit(at.post, "/api/chat", json=body) for at in (one, other)]
            answers = [each.result().json()["reply"] for each in asked]
        assert answers[0] == answers[1]
        assert len(replies(one)) == 1
    assert (world.done("asked"), world.done("paid")) == (1, 1)
