"""`…/state` and `…/checkpoint`: where a conversation stands, and who may ask."""

from __future__ import annotations

import httpx
import pytest

from tests.server.site import Site

PATHS = ("state", "checkpoint")


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
