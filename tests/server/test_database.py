"""A server on a database: many users, each with their own, and what happens when it goes away."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from palaver.accounts import SCOPES
from tests.postgres.databases import Databases, ours
from tests.server.dove import Dove, connected
from tests.server.exchange import exchanged
from tests.server.site import Site, running_site
from tests.server.test_access import CLOSED, IDS, Door, refusal

ANN, BOB = "usr-ann", "usr-bob"
SECRET = "xylophone"
HER_CHANNEL = "dove"


@pytest.fixture(scope="module")
def database(postgres: Databases) -> Iterator[str]:
    url = postgres.create()
    yield url
    postgres.drop(url)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, database: str) -> Iterator[Site]:
    channels = [connected(Dove(HER_CHANNEL), user=ANN)]
    home = tmp_path_factory.mktemp("home")
    with running_site(home, database_url=database, channels=channels) as site:
        yield site


@pytest.fixture(scope="module")
def ann(site: Site) -> Iterator[httpx.Client]:
    with site.program(SCOPES, ANN) as client:
        yield client


@pytest.fixture(scope="module")
def bob(site: Site) -> Iterator[httpx.Client]:
    with site.program(SCOPES, BOB) as client:
        yield client


@pytest.fixture(scope="module")
def hers(site: Site, ann: httpx.Client) -> dict[str, str]:
    """Ids of everything that Ann has."""
    said = ann.post("/api/chat", json={"message": f"The {SECRET} is blue.", "key": "k"}).json()
    token = ann.post("/api/tokens", json={"name": SECRET}).json()
    page = ann.get(f"/api/conversations/{said['conversationId']}/messages").json()
    ann.post("/api/continuous/messages", json={"message": f"The {SECRET} of today."})
    today = ann.get("/api/continuous").json()
    told = {"summaryMarkdown": SECRET}
    ann.put(f"/api/continuous/days/{today['day']}/summary", json=told)
    memory = ann.post("/api/memories", json={"content": f"The {SECRET} is hers."}).json()
    exchange = site.within(lambda palaver: exchanged(palaver, SECRET), ANN)
    return {
        "{conversationId}": said["conversationId"],
        "{messageId}": page["messages"][0]["id"],
        "{tokenId}": token["id"],
        "{jobId}": f"rebuild:{ANN}",
        "{daySegmentId}": today["daySegmentId"],
        "{memoryId}": memory["id"],
        "{externalId}": exchange.id,
        "{draftId}": exchange.draft,
        "{channelName}": HER_CHANNEL,
        "{date}": "2001-01-01",  # days are nobody's: this one nobody has
    }


BODIES: dict[str, dict[str, str | list[str]]] = {
    "POST /api/chat": {"message": "hello", "conversationId": "{conversationId}"},
    "POST /api/conversations/{conversationId}/messages": {"role": "user", "content": "hello"},
    "PUT /api/conversations/{conversationId}/messages/{messageId}": {"content": "mine"},
    "PATCH /api/conversations/{conversationId}": {"title": "mine"},
    "PUT /api/conversations/{conversationId}": {"title": "mine"},
    "POST /api/conversations": {"title": "mine"},
    "POST /api/tokens": {"name": "mine"},
    "POST /api/models/test": {"name": "offline"},
    "PATCH /api/external/{externalId}": {"scope": "mine"},
    "POST /api/external/{externalId}/drafts/{draftId}": {"decision": "reject"},
    "POST /api/external/{externalId}/messages": {"text": "mine"},
    "PATCH /api/me": {"timezone": "UTC"},
    "POST /api/continuous/messages": {"message": "hello"},
    "PUT /api/continuous/days/{date}/summary": {"summaryMarkdown": "mine"},
    "POST /api/memories": {"content": "mine"},
    "POST /api/memories/extract": {"conversationId": "{conversationId}"},
    "POST /api/memories/audit": {"kind": "stale", "memoryIds": ["{memoryId}"]},
    "PATCH /api/memories/{memoryId}": {"content": "mine"},
    "PUT /api/memories/{memoryId}": {"content": "mine"},
}
QUERIES = {
    "GET /api/search": {"q": SECRET},
    "GET /api/conversations": {"q": SECRET},
    "GET /api/continuous/search": {"query": SECRET},
    "GET /api/memories": {"q": SECRET},
    "GET /api/external": {"q": SECRET},
    "DELETE /api/memories": {"conversationId": "{conversationId}"},
    "GET /api/continuous/messages": {"daySegmentId": "{daySegmentId}"},
}
NOWHERE = {name: f"{value[:-1]}0" for name, value in IDS.items()}


def everything(client: httpx.Client, ids: dict[str, str]) -> list[str]:
    """What is stored for somebody, as far as they can see it."""
    exported = client.get(f"/api/conversations/{ids['{conversationId}']}/export").text
    memories = client.get("/api/memories").text
    external = client.get(f"/api/external/{ids['{externalId}']}").text
    tokens = [token["id"] for token in client.get("/api/tokens").json()["tokens"]]
    return [exported, memories, external, *sorted(tokens)]


def knock(door: Door, client: httpx.Client, ids: dict[str, str]) -> httpx.Response:
    """Asks for what the ids name, wherever the route takes one."""

    def named(text: str) -> str:
        for name, value in ids.items():
            text = text.replace(name, value)
        return text

    body = json.loads(named(json.dumps(BODIES.get(str(door)))))
    query = json.loads(named(json.dumps(QUERIES.get(str(door)))))
    return client.request(door.method, named(door.path), json=body, params=query)


@pytest.mark.parametrize("door", CLOSED, ids=str)
def test_nobody_reaches_what_belongs_to_somebody_else(
    ann: httpx.Client, bob: httpx.Client, hers: dict[str, str], door: Door
) -> None:
    before = everything(ann, hers)
    answer = knock(door, bob, hers)
    if door.path == "/metrics":  # they are about everybody, and for whoever runs the server
        assert answer.status_code == 403
        return
    asked = f"{door.path} {BODIES.get(str(door))} {QUERIES.get(str(door))}"
    names_something = any(name in asked for name in hers)
    assert answer.status_code == 404 if names_something else answer.status_code < 300
    assert SECRET not in answer.text
    assert everything(ann, hers) == before
    # What is somebody else's and what is nowhere look the same.
    told = answer.text
    for name, value in hers.items():
        told = told.replace(value, NOWHERE[name])
    if names_something:
        assert told == knock(door, bob, NOWHERE).text


def test_each_may_use_the_same_key(ann: httpx.Client, bob: httpx.Client, hers: dict[str, str]):
    mine = bob.post("/api/chat", json={"message": "Mine", "key": "k"}).json()
    assert mine["conversationId"] != hers["{conversationId}"]
    again = ann.post("/api/chat", json={"message": f"The {SECRET} is blue.", "key": "k"}).json()
    assert again["conversationId"] == hers["{conversationId}"]


def test_a_receipt_says_what_the_database_keeps(bob: httpx.Client) -> None:
    said = bob.post("/api/chat", json={"message": "Forget this"}).json()
    path = f"/api/conversations/{said['conversationId']}"
    for receipt in (bob.delete(path, params={"preview": True}), bob.delete(path)):
        remains = " ".join(receipt.json()["remains"])
        assert all(word in remains for word in ("vacuums", "write-ahead log", "backups"))


def test_who_is_signed_in(site: Site, ann: httpx.Client) -> None:
    assert ann.get("/api/me").json()["user"] == ANN
    with site.browser() as browser:
        assert browser.get("/api/me").json()["user"] == "local"


def test_a_revoked_token_is_refused_by_every_node(
    site: Site, database: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    made = site.accounts.create_token(ANN)
    with running_site(tmp_path_factory.mktemp("home"), database_url=database) as other:
        for node in (site, other):
            with node.client(Authorization=f"Bearer {made.secret}") as client:
                assert client.get("/api/me").status_code == 200
        site.accounts.revoke_token(ANN, made.token.id)
        with other.client(Authorization=f"Bearer {made.secret}") as client:
            assert refusal(client.get("/api/me")) == (401, "sign_in_required")


def test_a_database_that_goes_is_told_and_one_that_comes_back_is_used(
    postgres: Databases, site: Site, ann: httpx.Client, hers: dict[str, str]
) -> None:
    server = ours(postgres)
    path = f"/api/conversations/{hers['{conversationId}']}/messages"
    message = {"role": "user", "content": "Are you there?", "key": "there"}
    with site.client() as stranger:
        assert stranger.get("/readyz").status_code == 200
        server.stop()
        asked = [
            stranger.get("/readyz"),
            ann.get("/api/health"),
            ann.get("/api/conversations"),
            ann.post(path, json=message),
        ]
        assert stranger.get("/healthz").status_code == 200
        server.start()
        for answer in asked:
            assert refusal(answer) == (503, "storage_unreachable")
            assert answer.headers["retry-after"] == "1"
            assert "palaver-pg" not in answer.text
        assert stranger.get("/readyz").status_code == 200
        assert ann.post(path, json=message).status_code == 201
        assert ann.get("/api/health").status_code == 200
