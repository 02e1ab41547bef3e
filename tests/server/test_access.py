"""Who may do what: every route, with every kind of credentials."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute

from palaver.accounts import SCOPES, Accounts, NewToken
from palaver.server import doors
from palaver.server.routes import ROUTERS
from palaver.server.routing import OPEN, SCOPE, SIGNED_IN
from palaver.times import system_clock
from tests.server.site import Site

CONVERSATION = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
IDS = {
    "{conversationId}": CONVERSATION,
    "{messageId}": "msg-01HQXK5J7G8M3N4P5R6S7T8V9W",
    "{tokenId}": "tok-01HQXK5J7G8M3N4P5R6S7T8V9W",
    "{jobId}": "rebuild:usr-nobody",
    "{daySegmentId}": "day-01HQXK5J7G8M3N4P5R6S7T8V9W",
    "{memoryId}": "mem-01HQXK5J7G8M3N4P5R6S7T8V9W",
    "{externalId}": "ext-01HQXK5J7G8M3N4P5R6S7T8V9W",
    "{draftId}": "draft-01HQXK5J7G8M3N4P5R6S7T8V9W",
    "{channelName}": "nochannel",
    "{name}": "nochannel",
    "{date}": "2026-02-14",
}


@dataclass(frozen=True)
class Door:
    """A route, and the scope it says it needs."""

    method: str
    path: str
    scope: str

    def knock(self, client: httpx.Client) -> httpx.Response:
        path = self.path
        for name, value in IDS.items():
            path = path.replace(name, value)
        return client.request(self.method, path)

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def routes() -> Iterator[APIRoute]:
    for router in ROUTERS:
        for route in router.routes:
            assert isinstance(route, APIRoute)
            yield route


DOORS = [
    Door(method, route.path, (route.openapi_extra or {})[SCOPE])
    for route in routes()
    for method in sorted(route.methods or ())
]
CLOSED = [door for door in DOORS if door.scope != OPEN]
SCOPED = [door for door in CLOSED if door.scope != SIGNED_IN]


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_open_without_signing_in_is_only_what_was_promised():
    open_doors = {str(door) for door in DOORS if door.scope == OPEN}
    webhooks = {"GET /channels/{name}", "POST /channels/{name}"}
    assert open_doors == {"GET /healthz", "GET /readyz", "POST /api/login", *webhooks}


def test_every_scope_a_route_needs_exists():
    assert {door.scope for door in SCOPED} <= set(SCOPES)


def test_every_id_in_a_path_goes_through_its_door():
    keepers = {
        "{conversationId}": doors.conversation_in_path,
        "{messageId}": doors.message_in_path,
        "{tokenId}": doors.token_in_path,
        "{jobId}": doors.job_in_path,
        "{memoryId}": doors.memory_in_path,
        "{externalId}": doors.external_in_path,
        "{draftId}": doors.draft_in_path,
    }
    for route in routes():
        passed = {dependency.call for dependency in route.dependant.dependencies}
        wanted = {keeper for name, keeper in keepers.items() if name in route.path}
        assert wanted <= passed, route.path


@pytest.mark.parametrize("door", CLOSED, ids=str)
def test_nobody_enters_without_credentials(site: Site, stranger: httpx.Client, door: Door):
    before = site.stored()
    answer = door.knock(stranger)
    assert refusal(answer) == (401, "sign_in_required")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert site.stored() == before


@pytest.fixture(scope="module")
def useless(site: Site) -> dict[str, dict[str, str]]:
    """Headers with credentials that open nothing."""
    accounts = site.accounts
    revoked = accounts.create_token("local", scopes=SCOPES)
    accounts.revoke_token("local", revoked.token.id)
    expired = _last_year(site)
    valid = accounts.create_token("local", scopes=SCOPES).secret
    gone = accounts.sign_in("local")
    accounts.sign_out(gone)
    return {
        "wrong": {"Authorization": "Bearer pal_" + "A" * 43},
        "empty": {"Authorization": "Bearer"},
        "revoked": {"Authorization": f"Bearer {revoked.secret}"},
        "expired": {"Authorization": f"Bearer {expired.secret}"},
        "basic": {"Authorization": f"Basic {valid}"},
        "cut short": {"Authorization": f"Bearer {valid[:-1]}"},
        "token as cookie": {"Cookie": f"{site.cookie}={valid}", "Origin": site.url},
        "signed out": {"Cookie": f"{site.cookie}={gone}", "Origin": site.url},
        "cookie of another port": {
            "Cookie": f"palaver-1={accounts.sign_in('local')}",
            "Origin": site.url,
        },
    }


def _last_year(site: Site) -> NewToken:
    """A token that was made a year ago for a day."""
    then = system_clock() - timedelta(days=365)
    accounts = Accounts.in_file(site.home.accounts, lambda: then)
    made = accounts.create_token("local", scopes=SCOPES, expires=then + timedelta(days=1))
    accounts.close()
    return made


KINDS = [
    "wrong", "empty", "revoked", "expired", "basic", "cut short",
    "token as cookie", "signed out", "cookie of another port",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("path", ["/api/me", "/api/conversations", "/openapi.json"])
def test_bad_credentials_open_nothing(
    stranger: httpx.Client, useless: dict[str, dict[str, str]], kind: str, path: str
):
    assert refusal(stranger.get(path, headers=useless[kind])) == (401, "sign_in_required")


@pytest.mark.parametrize("door", SCOPED, ids=str)
def test_a_token_without_the_scope_is_refused(site: Site, door: Door):
    before = site.stored()
    with site.program([scope for scope in SCOPES if scope != door.scope]) as client:
        answer = door.knock(client)
    assert refusal(answer) == (403, "forbidden")
    assert door.scope in answer.json()["detail"]
    assert f"--scope {door.scope}" in answer.json()["remedy"]
    assert site.stored() == before


@pytest.mark.parametrize("door", CLOSED, ids=str)
@pytest.mark.usefixtures("conversation")
def test_the_scope_a_route_names_is_enough(site: Site, door: Door):
    scopes = ["read"] if door.scope == SIGNED_IN else [door.scope]
    with site.program(scopes) as client:
        assert door.knock(client).status_code not in {401, 403, 405, 500}


def test_credentials_of_another_user_lead_to_their_own_home(site: Site, conversation: str):
    ann = site.accounts.add_user("Ann")
    with site.program(SCOPES, user=ann.id) as client:
        assert client.get("/api/me").json()["name"] == "Ann"
        assert client.get("/api/conversations").json()["conversations"] == []
        absent = client.get(f"/api/conversations/{CONVERSATION}")
        foreign = client.get(f"/api/conversations/{conversation}")
        assert refusal(foreign) == (404, "not_found")
        assert foreign.text.replace(conversation, CONVERSATION) == absent.text
        made = client.post("/api/chat", json={"message": "Figs."}).json()["conversationId"]
    assert (site.home.root / "users" / ann.id / "conversations" / f"{made}.jsonl").exists()


def test_the_scope_is_checked_before_the_body_is_read(site: Site):
    with site.program(["read"]) as client:
        answer = client.post("/api/chat", content=b"\xff" * 100)
    assert refusal(answer) == (403, "forbidden")


def test_a_revoked_token_stops_at_once(site: Site):
    made = site.accounts.create_token("local")
    with site.client(Authorization=f"Bearer {made.secret}") as client:
        assert client.get("/api/me").status_code == 200
        site.accounts.revoke_token("local", made.token.id)
        assert client.get("/api/me").status_code == 401


def test_tokens_are_made_listed_and_revoked(site: Site, browser: httpx.Client):
    wanted: dict[str, Any] = {"name": "laptop", "scopes": ["recall", "read"]}
    made = browser.post("/api/tokens", json=wanted)
    assert made.status_code == 201
    token = made.json()
    assert token["token"].startswith("pal_")
    assert token["scopes"] == ["read", "recall"]
    listed = browser.get("/api/tokens").json()["tokens"]
    assert token["id"] in [found["id"] for found in listed]
    assert all("token" not in found for found in listed)
    with site.client(Authorization=f"Bearer {token['token']}") as client:
        assert client.get("/api/me").json()["scopes"] == ["read", "recall"]
        assert browser.delete(f"/api/tokens/{token['id']}").json()["revoked"]
        assert client.get("/api/me").status_code == 401


def test_everybody_has_tokens_of_their_own_and_gives_none_more_than_they_have(site: Site):
    with site.browser(site.accounts.add_user("Bea").id) as browser:
        assert "admin" not in browser.get("/api/me").json()["scopes"]
        assert browser.get("/api/tokens").json()["tokens"] == []
        refused = browser.post("/api/tokens", json={"scopes": ["read", "admin"]})
        assert refusal(refused) == (403, "forbidden")
        made = browser.post("/api/tokens", json={}).json()
        with site.client(Authorization=f"Bearer {made['token']}") as program:
            assert refusal(program.get("/api/tokens")) == (403, "forbidden")
        (listed,) = browser.get("/api/tokens").json()["tokens"]
        assert browser.delete(f"/api/tokens/{listed['id']}").json()["revoked"]


@pytest.mark.parametrize(
    "body",
    [{"scopes": ["root"]}, {"scopes": []}, {"expires": "2001-01-01T00:00:00Z"}, {"expires": "x"}],
)
def test_a_bad_token_is_not_made(browser: httpx.Client, body: dict[str, Any]):
    before = browser.get("/api/tokens").json()
    assert refusal(browser.post("/api/tokens", json=body)) == (422, "bad_value")
    assert browser.get("/api/tokens").json() == before


def test_credentials_that_are_empty_are_not_passed_over(site: Site):
    with site.browser() as browser:
        answer = browser.get("/api/me", headers={"Authorization": ""})
        assert refusal(answer) == (401, "sign_in_required")
