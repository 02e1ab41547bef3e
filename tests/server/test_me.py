"""Who is signed in, what they choose for themselves, and how much they have said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.site import Site, running_site


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with running_site(tmp_path) as site:
        yield site


def test_a_zone_and_a_model_are_chosen_and_taken_back(api: httpx.Client):
    before = api.get("/api/me").json()
    assert (before["model"], before["chosen"]) == ("offline", [])
    changed = api.patch("/api/me", json={"timezone": "Asia/Tokyo", "model": "haiku"}).json()
    assert (changed["timezone"], changed["model"]) == ("Asia/Tokyo", "haiku")
    assert changed["chosen"] == ["model", "timezone"]
    assert api.get("/api/me").json() == changed
    assert api.get("/api/models").json()["usual"] == "haiku"
    assert api.patch("/api/me", json={"timezone": None, "model": None}).json() == before


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"timezone": "Mars/Olympus"}, "bad_value"),
        ({"timezone": 7}, "bad_value"),
        ({"model": "nobody"}, "model_unknown"),
        ({"model": ""}, "bad_value"),
        ({"timeZone": "UTC"}, "bad_value"),
        ({"user": "usr-other"}, "bad_value"),
    ],
    ids=str,
)
def test_what_cannot_be_chosen_is_refused(
    site: Site, api: httpx.Client, body: dict[str, Any], code: str
):
    refused = api.patch("/api/me", json=body)
    assert (refused.status_code, refused.json()["code"]) == (422, code)
    assert site.stored() == {}


def test_whoever_may_only_read_chooses_nothing(site: Site):
    with site.program(["read"]) as reader:
        assert reader.patch("/api/me", json={"timezone": "Asia/Tokyo"}).status_code == 403


def test_a_day_is_a_day_of_the_zone(api: httpx.Client):
    made = api.post("/api/conversations").json()["id"]
    said = {"role": "user", "content": "The xylophone.", "timestamp": "2026-02-13T23:30:00Z"}
    api.post(f"/api/conversations/{made}/messages", json=said)
    wanted = {"q": "xylophone", "day": "2026-02-14"}
    api.patch("/api/me", json={"timezone": "UTC"})
    assert api.get("/api/search", params=wanted).json()["results"] == []
    api.patch("/api/me", json={"timezone": "Asia/Tokyo"})
    assert len(api.get("/api/search", params=wanted).json()["results"]) == 1
    days = {"from": "2026-02-01", "to": "2026-02-28"}
    found = api.get("/api/insights", params=days).json()
    assert (found["timezone"], found["from"], found["to"]) == ("Asia/Tokyo", *days.values())
    assert [(one["day"], one["messages"]) for one in found["days"]] == [("2026-02-14", 1)]
    assert found["storage"]["ledgerBytes"] > 0
    exported = api.get(f"/api/conversations/{made}/export", params={"format": "markdown"})
    assert "2026-02-14 08:30" in exported.text


@pytest.mark.parametrize("query", ["from=yesterday", "from=2026-02-02&to=2026-02-01"])
def test_days_that_cannot_be_counted_are_refused(api: httpx.Client, query: str):
    refused = api.get(f"/api/insights?{query}")
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_value")


def test_a_reply_is_made_again_once_for_each_key(api: httpx.Client):
    sent = api.post("/api/chat", json={"message": "Hello"}).json()
    replies = f"/api/conversations/{sent['conversationId']}/messages"
    address = f"{replies}/{sent['reply']['id']}/regenerate"
    first = api.post(address, json={"key": "once"})
    again = api.post(address, headers={"Idempotency-Key": "once"})
    assert (first.status_code, again.json()) == (200, first.json())
    other = f"{replies}/{first.json()['reply']['id']}/regenerate"
    reused = api.post(other, json={"key": "once"})
    assert (reused.status_code, reused.json()["code"]) == (409, "key_reused")
    assert api.post(other).status_code == 200
