"""The continuous conversation over REST: today, its days, their summaries."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import httpx
import pytest

from palaver.app import Palaver
from palaver.ledger.lines import Draft, event
from tests.server.site import Site

TODAY = "/api/continuous"


def say(api: httpx.Client, text: str, **given: Any) -> dict[str, Any]:
    answer = api.post("/api/continuous/messages", json={"message": text, **given})
    assert answer.status_code == 200, answer.text
    return answer.json()


@dataclass(frozen=True, slots=True)
class Owner:
    """Somebody new, with a continuous conversation of their own."""

    user: str
    site: Site

    def append(self, *drafts: Draft) -> None:
        """Stores lines as another process would."""

        async def write() -> None:
            home = self.site.home.root
            async with Palaver.open(home, user=self.user, index_vectors=False) as palaver:
                await palaver._ledger.append(drafts)  # pyright: ignore[reportPrivateUsage]

        with ThreadPoolExecutor(1) as another:
            another.submit(lambda: asyncio.run(write())).result()


@pytest.fixture
def owner(site: Site, request: pytest.FixtureRequest) -> Owner:
    name = f"o{blake2b(request.node.name.encode(), digest_size=6).hexdigest()}"
    return Owner(site.accounts.add_user(name).id, site)


@pytest.fixture
def api(owner: Owner) -> Iterator[httpx.Client]:
    with owner.site.program(user=owner.user) as client:
        yield client


@pytest.fixture
def today(api: httpx.Client) -> dict[str, Any]:
    """A day on which something was said."""
    say(api, "Which tiles do we take for the bathroom?")
    return api.get(TODAY).json()


def test_before_anything_is_said_today_is_empty(api: httpx.Client):
    found = api.get(TODAY).json()
    assert found["day"] == found["dayLabel"] == found["today"]
    assert found["messages"] == found["summaryLines"] == found["loops"] == []
    empty = ("daySegmentId", "conversationId", "previousDay", "nextDay", "updatedAt")
    assert [found[name] for name in empty] == [None] * 5
    assert (found["summaryMarkdown"], found["messageCount"], found["closed"]) == ("", 0, False)
    assert api.get(f"{TODAY}/days").json() == {"days": [], "nextCursor": None}
    assert api.get(f"{TODAY}/days/{found['day']}").json() == found


def test_a_message_opens_the_day_and_is_answered(api: httpx.Client, today: dict[str, Any]):
    assert [one["role"] for one in today["messages"]] == ["user", "assistant"]
    assert (today["messageCount"], today["hasMore"]) == (2, False)
    assert today["daySegmentId"].startswith("day-")
    (listed,) = api.get(f"{TODAY}/days").json()["days"]
    assert listed["daySegmentId"] == today["daySegmentId"]
    assert listed["messageCount"] == 2
    again = say(api, "And for the floor?", key="floor")
    assert say(api, "And for the floor?", key="floor") == again
    assert again["conversationId"] == today["conversationId"]


def test_a_summary_written_by_hand_keeps_what_its_lines_stand_on(
    api: httpx.Client, owner: Owner, today: dict[str, Any]
):
    asked, replied = today["messages"]
    source = {"messageId": asked["id"], "quote": "Which tiles", "turn": 1, "kind": "said"}
    told = event(
        today["conversationId"],
        "day_summary",
        day=today["day"],
        summary="## Summary\nTiles.\n\n## Goals\n- A bathroom.",
        covers=asked["seq"],
        through=1,
        sources=[{**source, "point": 1}, {**source, "point": 4}],
        by="offline",
        reason="messages",
    )
    owner.append(told)
    path = f"{TODAY}/days/{today['day']}/summary"
    body = {"summaryMarkdown": "## Summary\n\n## Goals\n- A blue room.\n* A bathroom.\n"}
    answer = api.put(path, json=body)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert found["summaryMarkdown"] == body["summaryMarkdown"].strip()
    assert (found["summaryBy"], found["summaryEdited"]) == ("user", True)
    assert found["summaryCoversUntil"] == asked["id"] != replied["id"]
    assert [(one["text"], len(one["sources"])) for one in found["summaryLines"]] == [
        ("A blue room.", 0),
        ("A bathroom.", 1),
    ]
    assert found["summaryLines"][1]["sources"][0]["point"] == 4


def test_a_summary_that_is_too_long_is_not_called_a_message(
    api: httpx.Client, today: dict[str, Any]
):
    path = f"{TODAY}/days/{today['day']}/summary"
    answer = api.put(path, json={"summaryMarkdown": "x" * (16 * 1024 + 1)})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert answer.json()["detail"] == "A summary has at most 16 KiB."
    assert "message" not in answer.json()["title"]


def test_a_first_summary_written_by_hand_tells_of_all_that_was_said(
    api: httpx.Client, today: dict[str, Any]
):
    path = f"{TODAY}/days/{today['day']}/summary"
    found = api.put(path, json={"summaryMarkdown": "Tiles."}).json()
    assert found["summaryCoversUntil"] == today["messages"][-1]["id"]
    assert [one["section"] for one in found["summaryLines"]] == [""]


@pytest.mark.parametrize(
    ("text", "status", "code"),
    [
        (" \n ", 422, "bad_value"),
        ("x" * (16 * 1024 + 1), 413, "too_large"),
        ("nul \0", 422, "bad_text"),
    ],
)
def test_a_summary_that_is_none_is_refused(
    api: httpx.Client, today: dict[str, Any], text: str, status: int, code: str
):
    answer = api.put(f"{TODAY}/days/{today['day']}/summary", json={"summaryMarkdown": text})
    assert (answer.status_code, answer.json()["code"]) == (status, code)


@pytest.mark.parametrize(
    ("date", "status", "code"),
    [
        ("1999-01-01", 404, "not_found"),
        ("2026-02-30", 422, "bad_value"),
        ("yesterday", 422, "bad_value"),
        ("20260214", 422, "bad_value"),
    ],
)
@pytest.mark.parametrize("method", ["GET", "PUT", "POST"])
@pytest.mark.usefixtures("today")
def test_a_day_that_is_none_is_told(
    api: httpx.Client, method: str, date: str, status: int, code: str
):
    path = f"{TODAY}/days/{date}" + ("" if method == "GET" else "/summary")
    body = {"summaryMarkdown": "Tiles."} if method == "PUT" else None
    answer = api.request(method, path, json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_summary_is_made_again_in_the_background(api: httpx.Client, today: dict[str, Any]):
    answer = api.post(f"{TODAY}/days/{today['day']}/summary")
    assert (answer.status_code, answer.json()) == (202, {"day": today["day"]})
