"""Garbage in every place of a request: it is refused with a problem, and never an error of ours."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palaver.accounts import SCOPES
from tests.server.site import Site

FEW = settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
IDS = {
    "conversationId": "conv-1",
    "messageId": "msg-1",
    "tokenId": f"tok-{'0' * 26}",
    "jobId": "rebuild:local",
    "memoryId": "mem-1",
    "externalId": "ext-1",
    "draftId": "draft-1",
    "channelName": "dove",
    "name": "dove",
    "date": "2026-02-14",
}
HEADERS = [
    "Accept",
    "Authorization",
    "Content-Encoding",
    "Content-Type",
    "Cookie",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "Origin",
    "Range",
    "Sec-Fetch-Site",
]
scraps = st.one_of(
    st.text(),
    st.text(alphabet="conv-msg_0123456789ABCDEF%/\\.\0\x7f é😀"),
    st.integers().map(str),
    st.sampled_from(["..", "%00", "%2F", "null", "NaN", "-0", "1e999", "true", "[]", "user"]),
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
fields = st.binary(max_size=60).map(lambda raw: bytes(one for one in raw if 31 < one != 127))


@dataclass(frozen=True)
class Place:
    """A route, with the names of what it takes."""

    method: str
    path: str
    queries: list[str]

    def send(self, client: httpx.Client, ids: dict[str, str] = IDS, **more: Any) -> None:
        quoted = {name: quote(ids.get(name, "x"), safe="%") for name in IDS}
        answer = client.request(self.method, self.path.format_map(quoted), **more)
        assert answer.status_code < 500, (self, answer.text)
        if answer.status_code >= 400:
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.json()["code"]


@pytest.fixture(scope="module")
def client(site: Site) -> Iterator[httpx.Client]:
    with site.program(SCOPES) as client:
        yield client


@pytest.fixture(scope="module")
def places(client: httpx.Client) -> list[Place]:
    paths = client.get("/openapi.json").json()["paths"]
    return [
        Place(
            method,
            path,
            [one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"],
        )
        for path, methods in paths.items()
        for method, operation in methods.items()
        if path != "/api/rebuild"  # nothing goes in, and it takes long
    ]


@FEW
@given(scraps)
def test_in_the_address(client: httpx.Client, places: list[Place], scrap: str) -> None:
    for place in places:
        place.send(client, dict.fromkeys(IDS, scrap), json={})
        place.send(client, params=dict.fromkeys(place.queries, scrap), json={})


@FEW
@given(st.dictionaries(st.sampled_from(HEADERS), fields, max_size=4))
def test_in_the_headers(
    client: httpx.Client, places: list[Place], headers: dict[str, bytes]
) -> None:
    for place in places:
        sent = [(name.encode(), value.strip()) for name, value in headers.items()]
        place.send(client, headers=sent, content=b"{}")


@FEW
@given(values.map(json.dumps).map(str.encode) | st.binary())
def test_in_the_body(client: httpx.Client, places: list[Place], body: bytes) -> None:
    for place in places:
        place.send(client, content=body, headers={"Content-Type": "application/json"})


@settings(FEW, max_examples=50)
@given(scraps | values.map(lambda value: urlsafe_b64encode(json.dumps(value).encode()).decode()))
def test_in_a_cursor(client: httpx.Client, cursor: str) -> None:
    Place("GET", "/api/conversations", []).send(client, params={"cursor": cursor})
    Place("GET", "/api/external", []).send(client, params={"cursor": cursor})
    Place("GET", "/api/search", []).send(client, params={"q": "tiles", "cursor": cursor})
