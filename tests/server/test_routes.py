"""What each route does when all is well."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.site import Site, running_site


def said(api: httpx.Client, conversation: str) -> list[tuple[str, str]]:
    page = api.get(f"/api/conversations/{conversation}/messages").json()
    return [(message["role"], message["content"]) for message in page["messages"]]


def test_a_message_gets_an_answer_in_a_new_conversation(api: httpx.Client):
    answer = api.post("/api/chat", json={"message": "We moved the retro to Friday."})
    assert answer.status_code == 200
    reply = answer.json()
    assert reply["turnNumber"] == 1
    assert reply["reply"]["role"] == "assistant"
    assert reply["reply"]["turnNumber"] == 1
    assert [role for role, _ in said(api, reply["conversationId"])] == ["user", "assistant"]


def test_a_message_goes_on_where_it_belongs(api: httpx.Client, conversation: str):
    body = {"message": "And another thing.", "conversationId": conversation}
    reply = api.post("/api/chat", json=body).json()
    assert (reply["conversationId"], reply["turnNumber"]) == (conversation, 2)
    other = api.post("/api/chat", json={"message": "Something else."}).json()
    assert other["conversationId"] != conversation


def test_a_model_is_chosen_for_the_conversation(api: httpx.Client):
    body = {"message": "Use this one.", "model": "sonnet", "context": {"page": "/"}}
    made = api.post("/api/chat", json=body).json()["conversationId"]
    assert api.get(f"/api/conversations/{made}").json()["conversation"]["model"] == "sonnet"


def test_what_a_program_tells_is_kept_with_the_message(api: httpx.Client):
    body = {"message": "What is this?", "context": {"page": "/plan"}}
    made = api.post("/api/chat", json=body).json()["conversationId"]
    asked, reply = api.get(f"/api/conversations/{made}/messages").json()["messages"]
    assert (asked["customPayload"], reply["customPayload"]) == (
        {"context": {"page": "/plan"}},
        None,
    )
    packet = api.get(f"/api/conversations/{made}/context", params={"turn": 1}).json()
    assert '> {"page":"/plan"}' in packet["messages"][0]["content"]
    refused = api.post("/api/chat", json={**body, "context": {"page": "x" * 5000}})
    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")


def test_a_message_chooses_its_model_without_the_scope_to_change(site: Site):
    body = {"message": "Use this one.", "model": "sonnet", "key": "chosen"}
    with site.program(["chat", "read"]) as client:
        made = client.post("/api/chat", json=body).json()["conversationId"]
        before = site.stored()
        assert client.post("/api/chat", json=body).status_code == 200
        assert site.stored() == before
        shown = client.get(f"/api/conversations/{made}").json()["conversation"]
    assert shown["model"] == "sonnet"


def test_a_repeated_key_repeats_the_answer(site: Site, api: httpx.Client):
    body = {"message": "Once only.", "key": "once"}
    first = api.post("/api/chat", json=body)
    before = site.stored()
    assert api.post("/api/chat", json=body).json() == first.json()
    assert site.stored() == before


def test_a_conversation_is_started_found_changed_and_listed(api: httpx.Client):
    made = api.post("/api/conversations", json={"title": "Garden", "metadata": {"a": 1}})
    assert made.status_code == 201
    conversation = made.json()
    address = f"/api/conversations/{conversation['id']}"
    assert (conversation["title"], conversation["metadata"]) == ("Garden", {"a": 1})
    assert api.get(address).json() == {
        "conversation": conversation,
        "messages": [],
        "hasMore": False,
    }
    renamed = api.patch(address, json={"title": "The Garden"}).json()
    assert (renamed["title"], renamed["manuallyNamed"]) == ("The Garden", True)
    archived = api.put(address, json={"archived": True}).json()
    assert (archived["title"], archived["archived"]) == ("The Garden", True)
    assert conversation["id"] not in listed(api)
    assert conversation["id"] in listed(api, archived="true")
    api.patch(address, json={"archived": False})
    assert conversation["id"] in listed(api, q="garden")


def listed(api: httpx.Client, **query: str) -> list[str]:
    page = api.get("/api/conversations", params={"limit": "200", **query}).json()
    return [conversation["id"] for conversation in page["conversations"]]


def test_a_conversation_may_be_started_without_a_body(api: httpx.Client):
    assert api.post("/api/conversations").status_code == 201


def test_the_list_goes_on_with_its_cursor(api: httpx.Client):
    wanted = {
        api.post("/api/conversations", json={"title": f"Page {n}"}).json()["id"] for n in range(3)
    }
    found: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = api.get("/api/conversations", params={"limit": "2", **cursor}).json()
        assert len(page["conversations"]) <= 2
        found += [conversation["id"] for conversation in page["conversations"]]
        if page["nextCursor"] is None:
            break
        cursor = {"cursor": page["nextCursor"]}
    assert len(found) == len(set(found))
    assert wanted <= set(found)


def test_the_current_conversation_is_the_latest_of_the_web(api: httpx.Client, conversation: str):
    assert api.get("/api/conversations/current").json()["id"] == conversation


def test_the_current_conversation_is_created_only_by_those_who_may_write(tmp_path: Path):
    with running_site(tmp_path) as site, site.program(["read"]) as reader:
        refused = reader.get("/api/conversations/current")
        assert (refused.status_code, site.stored()) == (403, {})
        assert "write" in refused.json()["detail"]
        with site.program(["read", "write"]) as writer:
            made = writer.get("/api/conversations/current").json()
        assert reader.get("/api/conversations/current").json() == made


def test_every_method_of_an_address_is_allowed(api: httpx.Client, conversation: str):
    refused = api.post(f"/api/conversations/{conversation}")
    assert (refused.status_code, refused.headers["allow"]) == (405, "DELETE, GET, HEAD, PATCH, PUT")
    assert api.put("/api/conversations").headers["allow"] == "GET, HEAD, POST"
    assert api.post("/login").headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize("path", ["/", "/healthz", "/api/me", "/api/conversations"])
def test_a_head_is_answered_wherever_a_get_is(api: httpx.Client, path: str):
    answer = api.head(path)
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"] == api.get(path).headers["content-type"]


def test_a_message_is_kept_without_an_answer(api: httpx.Client, conversation: str):
    body: dict[str, Any] = {
        "role": "assistant",
        "content": "From my own model.",
        "timestamp": "2020-01-01T00:00:00Z",
        "model": "mine",
        "toolCalls": [{"toolName": "t", "input": {"a": 1}, "output": "b"}],
        "usage": {"input": 1},
        "key": "k1",
    }
    address = f"/api/conversations/{conversation}/messages"
    kept = api.post(address, json=body)
    assert kept.status_code == 201, kept.text
    message = kept.json()
    assert message["timestamp"].startswith("2020-01-01T00:00:00")
    assert (message["model"], message["toolCalls"]) == ("mine", body["toolCalls"])
    assert message["key"] == "k1"
    assert api.get(address).json()["messages"][-1] == message
    assert api.post(address, json=body).json()["id"] == message["id"]


def test_messages_are_paged_both_ways(api: httpx.Client, conversation: str):
    address = f"/api/conversations/{conversation}/messages"
    for number in range(6):
        api.post(address, json={"role": "user", "content": f"number {number}"})
    everything = [m["id"] for m in api.get(address).json()["messages"]]
    assert len(everything) == 8
    last = api.get(address, params={"limit": 3}).json()
    assert ([m["id"] for m in last["messages"]], last["hasMore"]) == (everything[-3:], True)
    before = api.get(address, params={"limit": 3, "before": everything[5]}).json()
    assert [m["id"] for m in before["messages"]] == everything[2:5]
    after = api.get(address, params={"limit": 3, "after": everything[5]}).json()
    assert ([m["id"] for m in after["messages"]], after["hasMore"]) == (everything[6:], False)
    around = api.get(address, params={"limit": 3, "around": everything[4]}).json()
    assert everything[4] in [m["id"] for m in around["messages"]]


def test_a_conversation_is_erased_after_a_preview(site: Site, api: httpx.Client):
    made = api.post("/api/chat", json={"message": "The canary sings."}).json()["conversationId"]
    address = f"/api/conversations/{made}"
    before = site.stored()
    preview = api.delete(address, params={"preview": "true"}).json()
    assert (preview["preview"], preview["messages"]) == (True, 2)
    assert preview["erased"]
    assert site.stored() == before
    receipt = api.delete(address).json()
    assert (receipt["preview"], receipt["messages"]) == (False, 2)
    assert receipt["remains"] == []
    assert api.get(address).status_code == 404
    assert b"canary" not in b"".join(site.stored().values())


def test_a_conversation_that_a_channel_writes_to_is_not_erased(site: Site, api: httpx.Client):
    made = api.post("/api/conversations", json={"channel": "email"}).json()["id"]
    address = f"/api/conversations/{made}"
    api.patch(address, json={"pinned": True})
    refused = api.delete(address)
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    answers = api.get("/openapi.json").json()["paths"]["/api/conversations/{conversationId}"]
    assert "conflict" in answers["delete"]["responses"]["409"]["x-codes"]
    api.patch(address, json={"pinned": False})
    assert api.delete(address).status_code == 200


def test_a_message_is_erased_after_a_preview(site: Site, api: httpx.Client, conversation: str):
    address = f"/api/conversations/{conversation}/messages"
    made = api.post(address, json={"role": "user", "content": "The albatross."}).json()["id"]
    before = site.stored()
    assert api.delete(f"{address}/{made}?preview=true").json()["messages"] == 1
    assert site.stored() == before
    assert api.delete(f"{address}/{made}").json()["preview"] is False
    assert b"albatross" not in b"".join(site.stored().values())


def test_a_conversation_is_taken_away_in_three_forms(
    site: Site, api: httpx.Client, conversation: str
):
    address = f"/api/conversations/{conversation}/export"
    lines = api.get(address)
    assert lines.content == site.stored()[f"{conversation}.jsonl"]
    assert [json.loads(line)["type"] for line in lines.text.splitlines()][:2] == ["meta", "turn"]
    for form, kind in (("markdown", "text/markdown"), ("html", "text/html")):
        answer = api.get(address, params={"format": form})
        assert answer.headers["content-type"].startswith(kind)
        assert "attachment" in answer.headers["content-disposition"]
        assert conversation in answer.headers["content-disposition"]
        assert "login bug" in answer.text


def test_health_is_told_and_the_index_made_again(api: httpx.Client, conversation: str):
    assert api.get("/healthz").json() == {"status": "ok"}
    assert api.get("/readyz").json() == {"status": "ok"}
    assert api.get("/api/health").json()["status"] == "ok"
    before = api.get("/api/conversations").json()
    assert api.post("/api/rebuild").json()["status"] == "ok"
    assert api.get("/api/conversations").json() == before


def test_me_says_who_is_asking(api: httpx.Client):
    found = api.get("/api/me").json()
    assert found["user"] == "local"
    assert "admin" not in found["scopes"]
    assert found["assistant"] == "Palaver"
