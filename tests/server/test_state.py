"""`…/state` and `…/checkpoint`: where a conversation stands, and who may ask."""

from __future__ import annotations

import httpx
import pytest

from palaver.ledger.lines import event
from tests.server.site import Site

PATHS = ("state", "checkpoint", "digest")


def _conversation(api: httpx.Client, *texts: str) -> str:
    made = api.post("/api/conversations", json={}).json()["id"]
    for number, text in enumerate(texts):
        body = {"role": ("user", "assistant")[number % 2], "content": text}
        assert api.post(f"/api/conversations/{made}/messages", json=body).status_code == 201
    return made


def test_the_state_and_what_is_needed_to_go_on(api: httpx.Client):
    made = _conversation(api, "Remind me to call Ann.", "I will.")
    state = api.get(f"/api/conversations/{made}/state").json()
    assert state["conversationId"] == made
    assert [item["text"] for item in state["openLoops"]] == ["Remind me to call Ann."]
    checkpoint = api.get(f"/api/conversations/{made}/checkpoint").json()
    assert checkpoint["conversationState"] == state
    assert [message["content"] for message in checkpoint["turns"]] == [
        "Remind me to call Ann.",
        "I will.",
    ]
    assert checkpoint["summary"] is None


def test_the_digest_tells_where_everything_comes_from(site: Site, api: httpx.Client):
    made = _conversation(api, "We take the blue tiles.", "Good.")
    said = api.get(f"/api/conversations/{made}/messages").json()["messages"][0]
    source = {"messageId": said["id"], "quote": said["content"], "turn": 1, "point": 0}
    site.append(
        event(made, "abbreviation", text="- Blue tiles.", through=1, by="offline", sources=[source])
    )
    digest = api.get(f"/api/conversations/{made}/digest").json()
    (point,) = digest["abbreviation"]["points"]
    assert point["text"] == "Blue tiles."
    assert source.items() <= point["sources"][0].items()
    assert (digest["title"], digest["titledBy"], digest["rollingSummary"]) == (None, None, None)


def test_health_tells_what_the_start_has_done(api: httpx.Client):
    started = api.get("/api/health").json()["started"]
    assert (started["rebuild"], started["digestsQueued"], started["tornEndsMended"]) == (
        "done",
        0,
        0,
    )
    assert started["milliseconds"] > 0


@pytest.mark.parametrize("path", PATHS)
def test_what_is_not_there_and_who_may_not(site: Site, api: httpx.Client, path: str):
    absent = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
    assert api.get(f"/api/conversations/{absent}/{path}").json()["code"] == "not_found"
    assert api.get(f"/api/conversations/nonsense!/{path}").json()["code"] == "bad_id"
    made = _conversation(api, "Hello")
    with site.program(["chat"]) as other:
        assert other.get(f"/api/conversations/{made}/{path}").json()["code"] == "forbidden"
    with site.client() as nobody:
        assert nobody.get(f"/api/conversations/{made}/{path}").status_code == 401
