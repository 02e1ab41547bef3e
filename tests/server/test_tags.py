"""Tags: nobody changes what they have not seen, and nobody is told what they have."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.errors import BadValue
from palaver.server.tags import read_tags, tag_of
from tests.server.site import Site, running_site


@pytest.fixture(scope="module", params=["files", "database"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    databases = request.getfixturevalue("postgres") if request.param == "database" else None
    url = databases.create() if databases else None
    with running_site(tmp_path_factory.mktemp("home"), database_url=url) as site:
        yield site
    if databases:
        databases.drop(url)


@pytest.fixture
def address(conversation: str) -> str:
    return f"/api/conversations/{conversation}"


def tag(api: httpx.Client, address: str) -> str:
    return api.get(address).headers["ETag"]


def last_question(api: httpx.Client, address: str) -> str:
    messages = api.get(address).json()["messages"]
    return [one["id"] for one in messages if one["role"] == "user"][-1]


def test_a_tag_stays_while_nothing_changes(api: httpx.Client, address: str):
    first = tag(api, address)
    assert first == tag(api, address)
    assert first[0] == first[-1] == '"'
    renamed = api.patch(address, json={"title": "The Parser"})
    assert renamed.headers["ETag"] == tag(api, address) != first
    assert api.patch(address, json={}).headers["ETag"] == tag(api, address)


@pytest.mark.parametrize("act", ["keep", "chat", "edit", "rename", "erase"])
def test_a_tag_changes_with_everything(api: httpx.Client, address: str, act: str):
    before, question = tag(api, address), last_question(api, address)
    match act:
        case "keep":
            api.post(f"{address}/messages", json={"role": "user", "content": "More."})
        case "chat":
            body = {"message": "And?", "conversationId": address.rpartition("/")[2]}
            api.post("/api/chat", json=body)
        case "edit":
            api.put(f"{address}/messages/{question}", json={"content": "Otherwise."})
        case "rename":
            api.put(address, json={"title": "Another"})
        case _:
            api.delete(f"{address}/messages/{question}")
    assert tag(api, address) != before


def test_whoever_has_it_is_not_told_again(api: httpx.Client, address: str):
    now = tag(api, address)
    for known in (now, f"W/{now}", f'"x", {now}', f'"x" ,, W/"y",{now},', "*"):
        answer = api.get(address, headers={"If-None-Match": known})
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer.headers["ETag"] == now
    for unknown in ('"x"', 'W/"x", "1"'):
        assert api.get(address, headers={"If-None-Match": unknown}).status_code == 200


@pytest.mark.parametrize("header", ["If-Match", "If-None-Match"])
@pytest.mark.parametrize("wrong", ["", "x", '"x', "*, *", '"a" "b"', 'w/"a"', ", ,"])
def test_what_is_no_tag_is_refused(api: httpx.Client, address: str, header: str, wrong: str):
    method = "PATCH" if header == "If-Match" else "GET"
    body: dict[str, Any] = {"json": {"title": "X"}} if header == "If-Match" else {}
    answer = api.request(method, address, headers={header: wrong}, **body)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_value")


def change(api: httpx.Client, address: str, act: str, seen: str) -> httpx.Response:
    headers = {"If-Match": seen}
    message = f"{address}/messages/{last_question(api, address)}"
    match act:
        case "edit":
            return api.put(message, json={"content": "Otherwise."}, headers=headers)
        case "erase message":
            return api.delete(message, headers=headers)
        case "DELETE":
            return api.delete(address, headers=headers)
        case _:
            return api.request(act, address, json={"title": "Mine"}, headers=headers)


ACTS = ["PATCH", "PUT", "DELETE", "edit", "erase message"]


@pytest.mark.parametrize("act", ACTS)
def test_a_stale_tab_overwrites_nothing(site: Site, api: httpx.Client, address: str, act: str):
    seen = tag(api, address)
    api.patch(address, json={"title": "Theirs"})
    stored = site.stored()
    for stale in (seen, f'"x", {seen}', f"W/{tag(api, address)}", '"x"'):
        refused = change(api, address, act, stale)
        assert (refused.status_code, refused.json()["code"]) == (412, "outdated")
    assert api.get(address).json()["conversation"]["title"] == "Theirs"
    assert site.stored() == stored


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("form", ["{}", '"x", {}', "*"])
def test_whoever_has_seen_it_may(api: httpx.Client, address: str, act: str, form: str):
    assert change(api, address, act, form.format(tag(api, address))).status_code == 200


def test_without_a_change_a_stale_tab_is_told_too(api: httpx.Client, address: str):
    seen = tag(api, address)
    api.patch(address, json={"title": "Mine"})
    assert change(api, address, "PATCH", seen).status_code == 412


def test_an_absent_conversation_has_no_tag(api: httpx.Client):
    nowhere = "/api/conversations/conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
    for seen in ("*", '"1"', '"1", "2"'):
        answer = api.patch(nowhere, json={"title": "X"}, headers={"If-Match": seen})
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_an_edit_may_be_repeated(api: httpx.Client, address: str):
    message = f"{address}/messages/{last_question(api, address)}"
    body, headers = {"content": "Otherwise.", "key": address}, {"If-Match": tag(api, address)}
    first = api.put(message, json=body, headers=headers)
    again = api.put(message, json=body, headers=headers)
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json() == first.json()


def test_of_those_who_saw_the_same_one_wins(api: httpx.Client):
    for _ in range(5):
        address = f"/api/conversations/{api.post('/api/conversations').json()['id']}"
        headers = {"If-Match": tag(api, address)}
        titles = [{"title": f"Tab {number}"} for number in range(8)]
        rename = partial(api.patch, address, headers=headers)
        with ThreadPoolExecutor(8) as tabs:
            answers = [one.result() for one in [tabs.submit(rename, json=t) for t in titles]]
        assert sorted(one.status_code for one in answers) == [200] + [412] * 7
        won = next(one for one in answers if one.status_code == 200)
        shown = api.get(address)
        assert shown.json()["conversation"] == won.json()
        assert shown.headers["ETag"] == won.headers["ETag"]


@given(st.lists(st.integers(1, 2**40), min_size=1, max_size=5))
def test_tags_are_read_as_they_are_written(versions: list[int]):
    tags = [tag_of(version) for version in versions]
    assert read_tags(" , ".join(tags)) == frozenset(tags)


@given(st.text(alphabet='" ,W/*a\t', max_size=40))
def test_whatever_a_header_holds_it_is_read_or_refused(header: str):
    try:
        found = read_tags(header)
    except BadValue:
        return
    assert found == {"*"} or all(one.endswith('"') for one in found)
