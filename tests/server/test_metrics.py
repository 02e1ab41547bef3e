"""`GET /metrics`, and that no word and no secret is in it or in the logs."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from palaver.accounts import DEFAULT_SCOPES, SCOPES
from palaver.engines import open_accounts
from palaver.settings import Settings
from tests.server.process import Process
from tests.server.site import Site

CANARY = "Zeppelinstrasse4711"


def test_they_are_for_whoever_may_see_everything(site: Site, stranger: httpx.Client):
    assert stranger.get("/metrics").status_code == 401
    with site.program(DEFAULT_SCOPES) as api:
        assert api.get("/metrics").json()["code"] == "forbidden"
    with site.program(["admin"], site.accounts.add_user("ann").id) as api:
        assert api.get("/metrics").json()["code"] == "forbidden"
    with site.program(["admin"]) as api:
        answer = api.get("/metrics")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
        again = api.get("/metrics").text
    with site.browser() as owner, site.browser(site.accounts.add_user("Meg").id) as other:
        assert owner.get("/metrics").status_code == 200
        refused = other.get("/metrics")  # it is about everybody
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    route = 'palaver_http_requests_total{method="GET",route="/metrics",status="%s"}'
    assert f"{route % 200} 1.0" in again
    assert f"{route % 401} 1.0" in again
    assert f"{route % 403} 2.0" in again


def test_no_word_and_no_secret_is_logged_or_counted(
    tmp_path: Path, database: Callable[[], str] | None
):
    url = database() if database else None
    settings = Settings.load(tmp_path, database__url=url)
    accounts = open_accounts(settings)
    secret = accounts.create_token("local", scopes=SCOPES).secret
    accounts.close()
    with Process(tmp_path, database_url=url) as process:
        with httpx.Client(base_url=process.url, timeout=30) as client:
            _try_everything(client, {"Authorization": f"Bearer {secret}"})
            metrics = client.get("/metrics", headers={"Authorization": f"Bearer {secret}"}).text
        process.signal(signal.SIGTERM)
        assert process.wait() == 0
    start, *lines = process.stderr.splitlines()
    assert start == process.line
    told = [json.loads(line) for line in lines]
    assert {one["event"] for one in told} >= {"conversation_context_loaded"}
    assert "palaver_context_packets_total" in metrics
    assert "palaver_context_packets_total 0.0" not in metrics
    for text in (metrics, process.stdout, "\n".join(lines)):
        assert CANARY not in text
        assert secret not in text
        assert process.code not in text
    assert "conv-" not in metrics
    assert "local" not in metrics


def _try_everything(client: httpx.Client, signed_in: dict[str, str]) -> None:
    """Says the canary wherever words can be said, well and badly."""
    said = client.post("/api/chat", json={"message": f"I live in {CANARY}."}, headers=signed_in)
    conversation = said.json()["conversationId"]
    here = f"/api/conversations/{conversation}"
    client.get(f"{here}/context", headers=signed_in).raise_for_status()
    asked = client.get(f"{here}/context", params={"message": CANARY}, headers=signed_in)
    assert CANARY in asked.text
    found = client.get("/api/search", params={"q": CANARY}, headers=signed_in)
    assert CANARY in found.text
    bad = [
        client.post("/api/chat", content=f'{{"{CANARY}": ', headers=signed_in),
        client.post(
            "/api/chat", json={"message": "x", "conversationId": CANARY}, headers=signed_in
        ),
        client.get("/api/search", params={"q": CANARY, "day": CANARY}, headers=signed_in),
        client.get(f"/{CANARY}", headers=signed_in),
        client.get("/api/search", params={CANARY: "x"}, headers=signed_in),
        client.request(CANARY.upper(), "/api/search", headers=signed_in),
        client.get("/api/search", params={"q": CANARY}, headers={"Authorization": CANARY}),
    ]
    assert all(400 <= one.status_code < 500 for one in bad)


@pytest.fixture(params=["files", "database"])
def database(request: pytest.FixtureRequest) -> Callable[[], str] | None:
    if request.param == "files":
        return None
    return lambda: request.getfixturevalue("database_url")
