"""`/api/conversations/{id}/context`: what a model would see, and who may ask."""

from __future__ import annotations

import httpx

from tests.server.site import Site


def _conversation(api: httpx.Client, *texts: str) -> str:
    made = api.post("/api/conversations", json={}).json()["id"]
    for number, text in enumerate(texts):
        body = {"role": ("user", "assistant")[number % 2], "content": text}
        assert api.post(f"/api/conversations/{made}/messages", json=body).status_code == 201
    return made


def test_a_packet_is_ready_for_a_model(api: httpx.Client):
    made = _conversation(api, "My boat is called Aurora.", "A fine name.")
    answer = api.get(f"/api/conversations/{made}/context", params={"message": "What is its name?"})
    packet = answer.json()
    assert packet["messages"] == [
        {"role": "user", "content": "My boat is called Aurora."},
        {"role": "assistant", "content": "A fine name."},
        {"role": "user", "content": "What is its name?"},
    ]
    (section,) = packet["sections"]
    assert section["name"] == "history"
    assert section["tokens"] == packet["tokens"] <= section["budget"] == 8000
    assert [set(source) for source in section["sources"]] == [{"messageId", "quote"}] * 2
    assert {"conversationId", "truncatedMessages", "openLoops", "leftOut"} <= set(packet)
    assert "references" not in packet


def test_without_a_message_the_last_one_counts(api: httpx.Client):
    made = _conversation(api, "Hello")
    packet = api.get(f"/api/conversations/{made}/context").json()
    assert [one["content"] for one in packet["messages"]] == ["Hello"]
    messages = api.get(f"/api/conversations/{made}/messages").json()["messages"]
    assert len(messages) == 1  # asking stores nothing


def test_odd_questions_get_problems(api: httpx.Client):
    made = _conversation(api, "Hello")
    absent = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
    for path, code in (
        (f"{absent}/context", "not_found"),
        ("nonsense!/context", "bad_id"),
        (f"{made}/context?message=", "empty_message"),
        (f"{made}/context?message=%00", "bad_text"),
    ):
        assert api.get(f"/api/conversations/{path}").json()["code"] == code


def test_it_needs_the_scope_to_read(site: Site, api: httpx.Client):
    made = _conversation(api, "Hello")
    with site.program(["chat"]) as other:
        assert other.get(f"/api/conversations/{made}/context").json()["code"] == "forbidden"
    with site.client() as nobody:
        assert nobody.get(f"/api/conversations/{made}/context").status_code == 401
