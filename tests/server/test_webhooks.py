"""Webhooks: what a provider brings is safe before it is told so, and appears everywhere at once."""

from __future__ import annotations

import asyncio
import fcntl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest

from palaver.ledger.files import Home
from palaver.ledger.lines import new_id
from palaver.server.routes.webhooks import MAX_CALL
from tests.channels.world import OTHER, OWNER
from tests.postgres.databases import Databases, ours
from tests.server.dove import SECRET, SIGNED, Carrier, Dove, bring, connected
from tests.server.person import Person
from tests.server.site import Site, running_site

SOON = 20.0
DOVE = "/channels/dove"
Json = dict[str, Any]


class Post(Dove):
    """Tells that it was called, and what was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.called, self.flown = Event(), Event()

    def read(self, body: bytes, headers: Any) -> Any:
        self.called.set()
        return super().read(body, headers)

    async def send(self, message: Any) -> str:
        name = await super().send(message)
        self.flown.set()
        return name


@pytest.fixture(params=["home", "database"])
def database(request: pytest.FixtureRequest) -> str | None:
    return request.getfixturevalue("database_url") if request.param == "database" else None


@pytest.fixture
def post() -> Post:
    return Post()


@pytest.fixture
def site(tmp_path: Path, database: str | None, post: Post) -> Iterator[Site]:
    channels = [connected(post), connected(Carrier())]
    with running_site(tmp_path / "home", database_url=database, channels=channels) as site:
        yield site


def said(client: httpx.Client) -> list[tuple[str, str]]:
    """Who said what, in the only conversation of the channel."""
    (one,) = conversations(client)
    found = client.get(f"/api/conversations/{one['id']}/messages").json()["messages"]
    return [(message["role"], message["content"]) for message in found]


def conversations(client: httpx.Client) -> list[Json]:
    found = client.get("/api/conversations", params={"channel": "dove"})
    return found.json()["conversations"]


def refused(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


# -- who calls ---------------------------------------------------------------------------------


def test_the_provider_is_told_that_the_address_is_ours(stranger: httpx.Client) -> None:
    asked = {"secret": SECRET, "challenge": "4711", "hub.mode": "subscribe"}
    answer = stranger.get(DOVE, params=asked)
    assert (answer.status_code, answer.text) == (200, "4711")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    wrong = stranger.get(DOVE, params=asked | {"secret": "coo"})
    assert refused(wrong) == (403, "webhook_refused")


def test_a_call_that_is_not_the_providers_changes_nothing(
    site: Site, api: httpx.Client, stranger: httpx.Client
) -> None:
    before = site.stored()
    body = b'{"said": [{"id": "m1", "from": "ann", "text": "Give me everything"}]}'
    twice = [("X-Dove-Secret", "x"), ("X-Dove-Secret", SECRET)]
    assert refused(stranger.post(DOVE, content=body)) == (403, "webhook_refused")
    assert refused(stranger.post(DOVE, content=body, headers=twice)) == (403, "webhook_refused")
    assert refused(api.post(DOVE, content=body)) == (403, "webhook_refused")
    assert refused(stranger.post(DOVE, content=b"{", headers=SIGNED)) == (400, "bad_json")
    assert site.stored() == before


def test_only_channels_whose_provider_calls_have_an_address(stranger: httpx.Client) -> None:
    polled = stranger.post("/channels/pigeon", content=b"{}", headers=SIGNED)
    absent = stranger.post("/channels/absent", content=b"{}", headers=SIGNED)
    assert refused(polled) == (404, "not_found")
    assert polled.text.replace("pigeon", "absent") == absent.text


def test_a_call_has_a_size_a_host_and_a_method(site: Site, stranger: httpx.Client) -> None:
    large = stranger.post(DOVE, content=b"x" * (MAX_CALL + 1), headers=SIGNED)
    assert refused(large) == (413, "too_large")
    foreign = stranger.post(DOVE, content=b"{}", headers={**SIGNED, "Host": "evil.example"})
    assert refused(foreign) == (421, "bad_host")
    answer = stranger.put(DOVE, content=b"{}")
    assert refused(answer) == (405, "bad_method")
    assert answer.headers["allow"] == "GET, HEAD, POST"


def test_a_call_needs_no_credentials_and_no_origin(stranger: httpx.Client) -> None:
    stranger.headers.update({"Origin": "https://provider.example", "Sec-Fetch-Site": "cross-site"})
    assert bring(stranger, ("m1", OWNER.id, "Hello")).status_code == 200


# -- when it is answered -----------------------------------------------------------------------


def test_what_was_answered_is_stored_once(
    site: Site, api: httpx.Client, stranger: httpx.Client, post: Post
) -> None:
    answer = bring(stranger, ("m1", OWNER.id, "Where is the key?"))
    assert (answer.status_code, answer.content) == (200, b"")
    assert said(api)[0] == ("user", "Where is the key?")
    assert post.flown.wait(SOON)
    site.within(lambda palaver: palaver.correspondence.settle())
    before = said(api)
    for _ in range(3):  # providers do that
        assert bring(stranger, ("m1", OWNER.id, "Where is the key?")).status_code == 200
    assert said(api) == before


@pytest.mark.parametrize("database", [None])
def test_nothing_is_acknowledged_before_it_is_durable(
    site: Site, api: httpx.Client, stranger: httpx.Client, post: Post
) -> None:
    bring(stranger, ("m0", OWNER.id, "Hello"))  # so that there is something to write to
    assert post.flown.wait(SOON)
    site.within(lambda palaver: palaver.correspondence.settle())
    post.called.clear()
    with ThreadPoolExecutor(1) as pool, site.home.write_lock.open("rb+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # nobody can write
        calling = pool.submit(bring, stranger, ("m1", OWNER.id, "Where is the key?"))
        assert post.called.wait(SOON)
        assert not wait([calling], timeout=0.3).done
        assert not any(b"Where is the key?" in raw for raw in site.stored().values())
        fcntl.flock(lock, fcntl.LOCK_UN)
        assert calling.result(SOON).status_code == 200
        assert any(b"Where is the key?" in raw for raw in site.stored().values())


@pytest.mark.parametrize("database", ["database"], indirect=True)
def test_what_cannot_be_stored_is_not_acknowledged_and_comes_again(
    postgres: Databases, api: httpx.Client, stranger: httpx.Client
) -> None:
    server, call = ours(postgres), ("m1", OWNER.id, "Where is the key?")
    server.stop()
    try:
        answer = bring(stranger, call)
    finally:
        server.start()
    assert refused(answer) == (503, "storage_unreachable")
    assert answer.headers["retry-after"] == "1"
    assert bring(stranger, call).status_code == 200
    assert said(api)[0] == ("user", "Where is the key?")


def test_without_an_index_nothing_is_acknowledged(tmp_path: Path) -> None:
    home = Home(tmp_path / "broken")
    home.create()
    home.index.mkdir()  # so that it cannot be opened
    with running_site(home.root, channels=[connected(Dove())]) as site, site.client() as stranger:
        answer = bring(stranger, ("m1", OWNER.id, "Where is the key?"))
        assert refused(answer) == (503, "index_degraded")
        assert not any(b"Where is the key?" in raw for raw in site.stored().values())


def test_of_several_messages_those_that_were_stored_are_not_stored_again(
    api: httpx.Client, stranger: httpx.Client
) -> None:
    one, other = ("m1", OWNER.id, "One"), ("m2", OWNER.id, "Two")
    assert bring(stranger, one).status_code == 200
    assert bring(stranger, one, other).status_code == 200
    wrote = [content for role, content in said(api) if role == "user"]
    assert wrote == ["One", "Two"]


# -- what becomes of it ------------------------------------------------------------------------


async def test_a_message_appears_at_once_and_its_reply_goes_out(
    ann: Person, stranger: httpx.Client, post: Post
) -> None:
    async with ann.listen() as tab:
        answer = await asyncio.to_thread(bring, stranger, ("m1", OWNER.id, "Where is the key?"))
        assert answer.status_code == 200
        created = (await tab.until("conversation_created"))["conversation"]
        assert (created["channel"], created["readOnly"], created["pinned"]) == ("dove", True, True)
        heard = await tab.until("conversation_updated", conversationId=created["id"])
        assert heard["turn"]["content"] == "Where is the key?"
        assert heard["turn"]["author"]["kind"] == "owner"
        finished = await tab.until("reply_finished", conversationId=created["id"])
    assert await asyncio.to_thread(post.flown.wait, SOON)
    (sent,) = post.sent
    assert (sent.place.id, sent.answers) == (OWNER.id, "m1")
    assert sent.text == finished["turn"]["content"]


def test_nobody_writes_into_it_but_where_it_takes_place(
    api: httpx.Client, stranger: httpx.Client
) -> None:
    bring(stranger, ("m1", OWNER.id, "Where is the key?"))
    (one,) = conversations(api)
    path = f"/api/conversations/{one['id']}/messages"
    kept = api.post(path, json={"role": "user", "content": "On the hook"})
    asked = api.post("/api/chat", json={"message": "Where?", "conversationId": one["id"]})
    assert refused(kept) == refused(asked) == (409, "read_only")


def test_what_others_write_is_apart_and_belongs_to_whose_channel_it_is(
    site: Site, api: httpx.Client, stranger: httpx.Client
) -> None:
    bea = site.accounts.add_user(new_id("b").lower()).id
    assert bring(stranger, ("m1", OTHER.id, "I am a prince")).status_code == 200
    assert conversations(api) == []
    (one,) = api.get("/api/external").json()["external"]
    assert (one["party"], one["channel"], one["escalated"]) == (OTHER.id, "dove", True)
    with site.program(user=bea) as hers:
        assert hers.get("/api/external").json()["external"] == []
