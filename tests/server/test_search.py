"""`/api/search`: what was said is found, and odd questions get sensible answers."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from palaver.app import Palaver
from palaver.server.protocol import MAX_HEAD
from palaver.settings import Settings
from tests.server.site import Site, running_site


def keep(api: httpx.Client, *texts: str, day: str = "2026-02-14", **conversation: str) -> str:
    """A conversation in which a user says the texts, each in a turn of its own."""
    made = api.post("/api/conversations", json=conversation).json()["id"]
    for text in texts:
        body = {"role": "user", "content": text, "timestamp": f"{day}T09:00:00Z"}
        api.post(f"/api/conversations/{made}/messages", json=body)
    return made


def found(api: httpx.Client, q: str, **parameters: Any) -> dict[str, Any]:
    answer = api.get("/api/search", params={"q": q, **parameters})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("home")) as site, site.program() as api:
        keep(api, "The zeppelin leaves at noon.", "It landed.", title="Flight", channel="email")
        keep(api, "A zeppelin is a ship of the air.", day="2026-03-20", title="Ships")
        yield site


def test_a_result_says_where_when_and_why(api: httpx.Client):
    page = found(api, "zeppelins leaving", channel="email")
    (result,) = page["results"]
    assert set(result) == {
        *("conversationId", "conversationName", "channel", "abbreviation", "matchedTurns"),
        *("timestamp", "score", "topics", "title", "snippet", "highlights", "turnRange"),
        *("messageIds", "kind", "explanation"),
    }
    assert (result["title"], result["channel"]) == ("Flight", "email")
    assert (result["matchedTurns"], result["turnRange"]) == ([1], "turn 1")
    assert (result["timestamp"], result["kind"]) == ("2026-02-14T09:00:00.000Z", "conversation")
    assert (result["explanation"], len(result["messageIds"])) == (None, 1)
    marked = [result["snippet"][start:end] for start, end in result["highlights"]]
    assert marked == ["zeppelin", "leaves"]
    assert page["totalMatches"] == 1
    assert page["timeWindow"] is page["nextCursor"] is None


@pytest.mark.parametrize(
    ("parameters", "titles"),
    [
        ("", "Flight Ships"),
        ("channel=email", "Flight"),
        ("channel=telegram", ""),
        ("from=2026-03-01", "Ships"),
        ("to=2026-02-14T08:00:00Z", ""),
        ("from=2026-02-14&to=2026-02-14", "Flight"),
        ("day=2026-03-20", "Ships"),
        ("recencyDays=36500", "Flight Ships"),
        ("recencyDays=0", "Flight Ships"),
    ],
)
def test_a_search_is_narrowed(api: httpx.Client, parameters: str, titles: str):
    page = api.get(f"/api/search?q=zeppelin&{parameters}").json()
    assert sorted(result["title"] for result in page["results"]) == titles.split()


def test_a_search_stays_within_a_conversation(api: httpx.Client):
    (ships,) = found(api, "zeppelin", day="2026-03-20")["results"]
    page = found(api, "zeppelin", conversationId=ships["conversationId"])
    assert [result["title"] for result in page["results"]] == ["Ships"]


def test_the_time_in_a_query_is_told_and_can_be_ignored(api: httpx.Client):
    page = found(api, "zeppelin in March 2026")
    assert [result["title"] for result in page["results"]] == ["Ships"]
    assert page["timeWindow"]["from"].startswith(("2026-02-28", "2026-03-01"))
    page = found(api, "zeppelin in March 2026", ignoreTimePhrases=True)
    assert {result["title"] for result in page["results"]} == {"Flight", "Ships"}
    assert page["timeWindow"] is None


def test_single_turns_and_their_scores(api: httpx.Client):
    page = found(api, "zeppelin landed", kind="message", channel="email", explain=True)
    assert {result["kind"] for result in page["results"]} == {"message"}
    assert {result["turnRange"] for result in page["results"]} == {"turn 1", "turn 2"}
    for result in page["results"]:
        assert sum(result["explanation"].values()) == pytest.approx(result["score"])


def test_pages_follow_each_other_and_a_cursor_fits_only_its_search(api: httpx.Client):
    first = found(api, "zeppelin", limit=1)
    assert first["totalMatches"] == 2
    second = found(api, "zeppelin", limit=1, cursor=first["nextCursor"])
    titles = {page["results"][0]["title"] for page in (first, second)}
    assert (titles, second["nextCursor"]) == ({"Flight", "Ships"}, None)
    forged = first["nextCursor"][:-2] + ("AA" if first["nextCursor"][-2:] != "AA" else "BB")
    for other in (
        {"q": "air", "cursor": first["nextCursor"]},
        {"q": "zeppelin", "cursor": first["nextCursor"], "channel": "email"},
        {"q": "zeppelin", "cursor": first["nextCursor"], "kind": "message"},
        {"q": "zeppelin", "cursor": forged},
    ):
        answer = api.get("/api/search", params=other)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_cursor")


@pytest.mark.parametrize(
    "q", ["NEAR(zeppelin", "col:zeppelin", '"zeppelin', "zeppelin*", "-zeppelin"]
)
def test_a_query_is_words_and_nothing_else(api: httpx.Client, q: str):
    assert len(found(api, q)["results"]) == 2


@pytest.mark.parametrize("q", ["the", "👍", "'; DROP TABLE messages; --", "a" * 5000])
def test_odd_queries_are_answered(api: httpx.Client, q: str):
    assert "results" in found(api, q)


def ask(site: Site, address: str) -> tuple[int, dict[str, Any]]:
    """Asks for an address that is too long for other clients."""
    token = site.accounts.create_token("local").secret
    connection = http.client.HTTPConnection(site.address.host, site.address.port, timeout=30)
    connection.request("GET", address, headers={"Authorization": f"Bearer {token}"})
    answer = connection.getresponse()
    read = answer.status, json.loads(answer.read())
    connection.close()
    return read


@pytest.mark.parametrize("word", ["zeppelin ", "飛行船"])
def test_a_query_of_100_000_characters_is_answered(site: Site, word: str):
    query = f"zeppelin {word * (100_000 // len(word))}"
    status, page = ask(site, f"/api/search?q={quote(query)}")
    assert (status, len(page["results"])) == (200, 2)


def test_a_longer_address_is_refused_with_a_problem(site: Site):
    status, problem = ask(site, f"/api/search?q={'z' * 2 * MAX_HEAD}")
    assert (status, problem["code"]) == (400, "bad_request")
    assert problem["remedy"]


def test_a_conversation_of_another_user_is_not_there(site: Site, api: httpx.Client):
    async def say() -> str:
        settings = Settings.load(site.home.root)
        async with Palaver.open(settings=settings, user="usr-ann", index_vectors=False) as other:
            made = await other.start()
            await other.append(made.id, "user", "My own zeppelin.")
            return made.id

    foreign = asyncio.run(say())
    answer = api.get("/api/search", params={"q": "zeppelin", "conversationId": foreign})
    absent = f"conv-{foreign.removeprefix('conv-')[::-1]}"
    nothing = api.get("/api/search", params={"q": "zeppelin", "conversationId": absent})
    assert answer.status_code == nothing.status_code == 404
    assert answer.json()["detail"].replace(foreign, absent) == nothing.json()["detail"]
    assert len(found(api, "zeppelin")["results"]) == 2
