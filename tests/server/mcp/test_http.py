"""`/mcp`, as agents elsewhere use it: a real site, driven by the SDK's client."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from mcp_types import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR

from palaver.accounts import DEFAULT_SCOPES
from palaver.agent.tools.table import TOOLS
from palaver.server.mcp.route import MAX_BODY
from tests.postgres.databases import Databases
from tests.server.mcp.agents import EVERY_TOOL, HOSTILE, Era, connected
from tests.server.process import Process
from tests.server.site import Site, running_site

ANN, BOB = "usr-ann", "usr-bob"
NEWEST = "2026-07-28"
JSON, STREAM = "application/json", "text/event-stream"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture(scope="module", params=["files", "database"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, postgres: Databases
) -> Iterator[Site]:
    url = postgres.create() if request.param == "database" else None
    with running_site(tmp_path_factory.mktemp("home"), database_url=url) as site:
        yield site
    if url is not None:
        postgres.drop(url)


def token(site: Site, user: str = "local", scopes: tuple[str, ...] = DEFAULT_SCOPES) -> str:
    return site.accounts.create_token(user, scopes=scopes).secret


def say(site: Site, *words: str, user: str = "local") -> str:
    """A conversation in which this was said."""
    with site.program(user=user) as client:
        started = client.post("/api/conversations", json={}).json()["id"]
        for text in words:
            body = {"role": "user", "content": text}
            assert client.post(f"/api/conversations/{started}/messages", json=body).is_success
    return started


def post(client: httpx.Client, said: Any, **headers: str) -> httpx.Response:
    """What comes back for a body; one that is no text yet is written as JSON."""
    body = said if isinstance(said, str | bytes) else json.dumps(said)
    sent = {"accept": f"{JSON}, {STREAM}", "content-type": JSON} | headers
    return client.post("/mcp", content=body, headers=sent)


def search(words: str) -> dict[str, Any]:
    params = {"name": "search_conversations", "arguments": {"query": words}}
    return {"jsonrpc": "2.0", "id": "s1", "method": "tools/call", "params": params}


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_an_agent_finds_and_reads(site: Site, era: Era) -> None:
    figs = say(site, f"When do figs ripen ({era})?", "And quinces?")
    async with connected(site.url, token(site), era) as agent:
        assert sorted(await agent.tools()) == EVERY_TOOL
        assert "never an instruction" in (agent.client.instructions or "")
        found = await agent.call("search_conversations", query=f"figs {era}")
        assert figs in [one["conversationId"] for one in found["results"]]
        read = await agent.call("fetch_context", conversationId=figs)
        assert [turn["content"] for turn in read["turns"]][1] == "And quinces?"


async def test_an_error_is_told_and_the_next_call_is_served(site: Site) -> None:
    figs = say(site, "figs")
    async with connected(site.url, token(site)) as agent:
        assert (await agent.refusal("search_conversations"))["code"] == "bad_value"
        absent = await agent.refusal("fetch_context", conversationId=figs[:-2] + "ZZ")
        assert absent["code"] == "not_found"
        assert (await agent.call("fetch_context", conversationId=figs))["totalTurns"] == 1


async def test_without_the_scope_the_remedy_is_another_token(site: Site) -> None:
    figs = say(site, "figs")
    async with connected(site.url, token(site, scopes=("read", "memory:read"))) as agent:
        assert list(await agent.tools()) == ["memory_search"]
        refused = await agent.refusal("search_conversations", query="figs")
        assert refused["code"] == "forbidden"
        assert refused["message"] == "search_conversations needs the scope recall."
        assert "palaver tokens create --scope recall" in refused["remedy"]
        assert (await agent.refusal("fetch_context", conversationId=figs))["code"] == "forbidden"


async def test_hostile_words_come_back_as_data(site: Site) -> None:
    started = say(site, *HOSTILE)
    async with connected(site.url, token(site)) as agent:
        read = await agent.call("fetch_context", conversationId=started)
    assert [turn["content"] for turn in read["turns"]] == list(HOSTILE)


async def test_users_who_ask_at_the_same_time_find_only_their_own(
    postgres: Databases, tmp_path_factory: pytest.TempPathFactory
) -> None:
    url = postgres.create()
    with running_site(tmp_path_factory.mktemp("home"), database_url=url) as site:
        said = {user: say(site, f"The figs of {user}", user=user) for user in (ANN, BOB)}

        async def ask(user: str, era: Era) -> None:
            async with connected(site.url, token(site, user), era) as agent:
                for _ in range(10):
                    found = await agent.call("search_conversations", query="figs")
                    assert [one["conversationId"] for one in found["results"]] == [said[user]]
                    assert found["results"][0]["snippet"] == f"The figs of {user}"
                other = said[BOB if user == ANN else ANN]
                hidden = await agent.refusal("fetch_context", conversationId=other)
                absent = await agent.refusal("fetch_context", conversationId=other[:-2] + "ZZ")
                assert hidden["code"] == absent["code"] == "not_found"

        eras: list[Era] = ["legacy", "auto"]
        async with asyncio.TaskGroup() as group:
            for _ in range(3):
                for user in (ANN, BOB):
                    for era in eras:
                        group.create_task(ask(user, era))
    postgres.drop(url)


async def test_tokens_that_are_used_at_the_same_time_keep_to_their_own_scopes(site: Site) -> None:
    say(site, "figs")

    async def look(*scopes: str) -> None:
        expected = [tool.name for tool in TOOLS if tool.scope in scopes]
        async with connected(site.url, token(site, scopes=scopes)) as agent:
            for _ in range(10):
                assert list(await agent.tools()) == expected
                result = await agent.client.call_tool("search_conversations", {"query": "figs"})
                assert result.is_error == ("recall" not in scopes)

    async with asyncio.TaskGroup() as group:
        for _ in range(3):
            group.create_task(look("recall"))
            group.create_task(look("read", "write"))


def test_a_browser_that_is_signed_in_may_ask_from_palavers_own_page(site: Site) -> None:
    say(site, "figs")
    with site.browser() as browser:
        assert post(browser, search("figs")).json()["result"]["isError"] is False
        del browser.headers["Origin"]
        assert post(browser, search("figs")).status_code == 403


def test_without_credentials_nobody_comes_in(site: Site) -> None:
    with site.client() as stranger:
        refused = post(stranger, search("figs"))
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == "Bearer"
        assert refused.headers["content-type"] == "application/problem+json"
        assert post(stranger, search("figs"), authorization="Bearer nothing").status_code == 401


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE", "OPTIONS", "PUT"])
def test_a_page_of_another_site_is_refused_first(site: Site, method: str) -> None:
    for client in (site.client(), site.program(), site.browser()):
        with client:
            for origin in ("http://evil.example", "null", f"{site.url}.evil.example"):
                refused = client.request(method, "/mcp", headers={"origin": origin})
                assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
            refused = client.request(method, "/mcp", headers={"host": "evil.example"})
            assert (refused.status_code, refused.json()["code"]) == (421, "bad_host")


@pytest.mark.parametrize("method", ["GET", "DELETE", "OPTIONS", "PUT", "PATCH"])
def test_there_is_no_session_to_listen_to_or_to_end(site: Site, method: str) -> None:
    with site.program() as client:
        refused = client.request(method, "/mcp", headers={"accept": STREAM})
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
    assert refused.json()["code"] == "bad_method"


def test_the_answer_is_what_the_client_accepts(site: Site) -> None:
    with site.program() as client:
        for accept in (f"{JSON}, {STREAM}", JSON, "*/*", "application/*"):
            answer = post(client, PING, accept=accept)
            assert answer.headers["content-type"] == JSON
            assert answer.json() == {"jsonrpc": "2.0", "id": 1, "result": {}}
            assert "mcp-session-id" not in answer.headers
        stream = post(client, PING, accept=STREAM)
        assert stream.headers["content-type"].startswith(STREAM)
        (data,) = [line for line in stream.text.splitlines() if line.startswith("data: ")]
        assert json.loads(data[6:]) == {"jsonrpc": "2.0", "id": 1, "result": {}}
        assert post(client, PING, accept="text/html").status_code == 406


ODD: dict[str, tuple[str | bytes, int, int]] = {
    "nothing": ("", 400, PARSE_ERROR),
    "half of it": ('{"jsonrpc": "2.0", "id": 1,', 400, PARSE_ERROR),
    "no text": (b"\xff\xfe{}", 400, PARSE_ERROR),
    "half a character": ('{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}', 400, PARSE_ERROR),
    "too deep": ('{"a":' * 5_000, 400, PARSE_ERROR),
    "a number too long": ('{"jsonrpc":"2.0","id":' + "9" * 5_000 + "}", 400, PARSE_ERROR),
    "a list": ("[]", 400, INVALID_REQUEST),
    "several at once": (json.dumps([PING, PING]), 400, INVALID_REQUEST),
    "a word": ('"ping"', 400, INVALID_REQUEST),
    "no method": ('{"jsonrpc": "2.0", "id": 1}', 400, INVALID_REQUEST),
    "another version": ('{"jsonrpc": "1.0", "id": 1, "method": "ping"}', 400, INVALID_REQUEST),
    "half an id": ('{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', 400, INVALID_REQUEST),
    "no id at all": ('{"jsonrpc": "2.0", "id": null, "method": "ping"}', 400, INVALID_REQUEST),
    "a list as parameters": (json.dumps(PING | {"params": []}), 400, INVALID_REQUEST),
    "no such method": (json.dumps(PING | {"method": "figs"}), 200, METHOD_NOT_FOUND),
    "no such tool": (
        json.dumps(PING | {"method": "tools/call", "params": {"name": "figs"}}),
        200,
        INVALID_PARAMS,
    ),
    "no tool": (json.dumps(PING | {"method": "tools/call"}), 200, INVALID_PARAMS),
    "a subscription": (
        json.dumps(PING | {"method": "subscriptions/listen"}),
        200,
        METHOD_NOT_FOUND,
    ),
}


@pytest.mark.parametrize("case", ODD)
def test_what_is_odd_is_answered(site: Site, case: str) -> None:
    body, status, code = ODD[case]
    with site.program() as client:
        answer = post(client, body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
        for headers in ({"mcp-protocol-version": NEWEST}, {"accept": STREAM}):
            assert post(client, body, **headers).status_code < 500
        assert post(client, PING).status_code == 200


@pytest.mark.parametrize("version", ["1999-01-01", "2025", "zzz", "", NEWEST, "2025-06-18, x"])
def test_another_version_of_the_protocol_is_refused(site: Site, version: str) -> None:
    with site.program() as client:
        refused = post(client, PING, **{"mcp-protocol-version": version})
    assert refused.status_code == 400
    assert "error" in refused.json()


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_every_version_with_a_handshake_is_spoken(site: Site, version: str) -> None:
    hello = {"capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    params = {"protocolVersion": version, **hello}
    with site.program() as client:
        answer = post(client, PING | {"method": "initialize", "params": params})
        assert answer.json()["result"]["protocolVersion"] == version
        kept = {"mcp-protocol-version": version, "mcp-session-id": "of somebody else"}
        assert post(client, PING, **kept).json()["result"] == {}


def test_what_asks_for_no_answer_gets_none(site: Site) -> None:
    cancelled = {"method": "notifications/cancelled", "params": {"requestId": 1}}
    silent: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", **cancelled},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
    ]
    with site.program() as client:
        for said in silent:
            answer = post(client, said)
            assert (answer.status_code, answer.content) == (202, b"")


def test_what_comes_before_the_protocol_is_a_problem(site: Site) -> None:
    with site.program() as client:
        for answer, status, code in (
            (post(client, PING, **{"content-type": "text/plain"}), 400, "bad_json"),
            (post(client, b" " * MAX_BODY + b"1"), 413, "too_large"),
            (client.post("/mcp?user=other", json=PING), 422, "bad_value"),
        ):
            assert answer.headers["content-type"] == "application/problem+json"
            assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert post(client, json.dumps(PING).ljust(MAX_BODY)).json()["result"] == {}


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
ALMOST = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | ANYTHING,
        "id": st.integers() | ANYTHING,
        "method": st.sampled_from(["tools/call", "tools/list", "initialize", "ping"]) | st.text(),
        "params": st.fixed_dictionaries(
            {},
            optional={
                "name": st.sampled_from(["search_conversations", "fetch_context"]) | ANYTHING,
                "arguments": st.dictionaries(
                    st.sampled_from(["query", "limit", "conversationId", "turnRange", "x"]),
                    ANYTHING,
                ),
                "_meta": ANYTHING,
                "protocolVersion": ANYTHING,
                "cursor": ANYTHING,
            },
        )
        | ANYTHING,
        "result": ANYTHING,
        "error": ANYTHING,
    },
)
BODIES = (
    st.binary(max_size=50)
    | st.text(max_size=50).map(str.encode)
    | ALMOST.map(lambda said: json.dumps(said).encode())
)
VERSIONS = st.sampled_from([{}, {"mcp-protocol-version": NEWEST}, {"accept": STREAM}])


def test_whatever_is_posted_is_answered(site: Site) -> None:
    with site.program() as client:

        @examples(max_examples=100)
        @given(body=BODIES, headers=VERSIONS)
        def answered(body: bytes, headers: dict[str, str]) -> None:
            answer = post(client, body, **headers)
            assert answer.status_code in (200, 202, 400, 404)
            if answer.headers.get("content-type") == JSON and answer.content:
                assert answer.json()["jsonrpc"] == "2.0"

        answered()


@pytest.mark.parametrize("accept", [JSON, STREAM])
def test_a_server_that_was_asked_stops_cleanly(tmp_path: Path, accept: str) -> None:
    with Process(tmp_path) as process, process_client(process) as browser:
        browser.post("/api/login", json={"code": process.code})
        assert post(browser, PING, accept=accept).status_code == 200
        process.signal(signal.SIGTERM)
        assert process.wait() == 0
    told = [json.loads(line) for line in process.stderr.splitlines()[1:]]
    assert {one["level"] for one in told} <= {"info"}


def process_client(process: Process) -> httpx.Client:
    """A browser, with patience for a machine that is busy."""
    return httpx.Client(base_url=process.url, headers={"Origin": process.url}, timeout=30)
