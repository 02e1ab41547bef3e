"""Replies as they come: by server-sent events and by WebSocket; stopped, edited, made again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import orjson
import pytest

from palaver.app import Palaver
from tests.server.site import Site, running_site
from tests.server.sockets import listening, reply
from tests.server.speaker import Model, events, stream


@pytest.fixture
def site(tmp_path: Path, model: Model) -> Iterator[Site]:
    with running_site(tmp_path / "home") as site:
        yield site


@pytest.fixture
def api(site: Site) -> Iterator[httpx.Client]:
    with site.program() as client:
        yield client


def test_a_reply_is_streamed_as_events(api: httpx.Client):
    with stream(api, message="What colour?", key="k") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        told = list(events(answer))
    names = [name for name, _ in told]
    assert names[:2] == ["message_accepted", "reply_started"]
    assert names[-1] == "reply_finished"
    accepted, started, finished = told[0][1], told[1][1], told[-1][1]
    assert (accepted["key"], accepted["message"]["content"]) == ("k", "What colour?")
    said = "".join(data["text"] for name, data in told if name == "reply_delta")
    assert said == finished["turn"]["content"] == "It is blue."
    assert started == {
        "conversationId": finished["conversationId"],
        "messageId": finished["turn"]["id"],
        "turnNumber": 1,
    }
    again = api.post("/api/chat", json={"message": "What colour?", "key": "k"}).json()
    assert again["reply"] == finished["turn"]


def test_what_cannot_be_taken_is_a_problem_and_no_stream(api: httpx.Client):
    with stream(api, message=" ") as answer:
        assert answer.status_code == 422
        assert orjson.loads(answer.read())["code"] == "empty_message"
    unknown = api.post("/api/chat", json={"message": "Hello", "model": "gpt-17"})
    assert (unknown.status_code, unknown.json()["code"]) == (422, "model_unknown")
    assert api.get("/api/conversations").json()["conversations"] == []


def test_a_failure_is_a_notice_and_can_be_tried_again(api: httpx.Client, model: Model):
    model.words = ["busy"]
    sent = api.post("/api/chat", json={"message": "Hello"}).json()
    assert sent["reply"]["status"] == "failed"
    assert sent["reply"]["customPayload"]["error"]["code"] == "model_busy"
    where = f"/api/conversations/{sent['conversationId']}/messages/{sent['reply']['id']}"
    model.words = ["Hi!"]
    again = api.post(f"{where}/regenerate")
    assert again.json()["reply"]["content"] == "Hi!"
    model.words = ["busy"]
    good = f"/api/conversations/{sent['conversationId']}/messages/{again.json()['reply']['id']}"
    refused = api.post(f"{good}/regenerate")
    assert (refused.status_code, refused.json()["code"]) == (503, "model_busy")


def test_the_last_message_is_edited(api: httpx.Client):
    sent = api.post("/api/chat", json={"message": "What collour?"}).json()
    messages = f"/api/conversations/{sent['conversationId']}/messages"
    edited = api.put(f"{messages}/{sent['reply']['replyTo']}", json={"content": "What colour?"})
    assert edited.json()["turnNumber"] == 1
    said = [one["content"] for one in api.get(messages).json()["messages"]]
    assert said == ["What colour?", "It is blue."]
    old = api.put(f"{messages}/{sent['reply']['replyTo']}", json={"content": "Again?"})
    assert (old.status_code, old.json()["code"]) == (409, "conflict")


def test_the_context_of_a_reply_is_shown_as_it_was_sent(api: httpx.Client):
    sent = api.post("/api/chat", json={"message": "What colour?"}).json()
    where = f"/api/conversations/{sent['conversationId']}/context"
    shown = api.get(where, params={"turn": 1}).json()
    assert [one["content"] for one in shown["messages"]] == ["What colour?"]
    missing = api.get(where, params={"turn": 2})
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")


def test_a_command_gives_no_turn(api: httpx.Client):
    sent = api.post("/api/chat", json={"message": "/help"}).json()
    assert sent["turnNumber"] is None
    assert (sent["reply"]["role"], sent["reply"]["status"]) == ("assistant", "complete")
    with stream(api, message="/help") as answer:
        ((name, data),) = events(answer)
    assert (name, data["turn"]["content"]) == ("reply_finished", sent["reply"]["content"])


def test_recall_needs_its_scope(site: Site, model: Model):
    for scopes, may in ((("chat",), False), (("chat", "recall"), True)):
        with site.program(scopes) as client:
            client.post("/api/chat", json={"message": "Hello"})
        assert ("recall" in model.scopes[-1]) is may


def test_whoever_leaves_does_not_stop_the_reply(api: httpx.Client, model: Model):
    model.words = ["It ", "…", "is blue."]
    with stream(api, message="What colour?", key="k") as answer:
        for name, _ in events(answer):
            if name == "reply_delta":
                break
    model.go_on.set()
    again = api.post("/api/chat", json={"message": "What colour?", "key": "k"}).json()
    assert (again["reply"]["content"], again["reply"]["status"]) == ("It is blue.", "complete")


def test_a_reply_is_stopped(api: httpx.Client, model: Model):
    model.words = ["It ", "…", "is blue."]
    with stream(api, message="What colour?") as answer:
        told = events(answer)
        conversation = next(told)[1]["message"]["conversationId"]
        model.reached.wait(10)
        stop = f"/api/conversations/{conversation}/stop"
        assert api.post(stop).json() == {"stopped": True}
        *_, (name, finished) = told
    assert (name, finished["turn"]["status"]) == ("reply_finished", "interrupted")
    assert finished["turn"]["content"] == "It "
    assert api.post(stop).json() == {"stopped": False}


def test_a_server_that_ends_keeps_what_was_said(tmp_path: Path, model: Model):
    model.words = ["It ", "…", "is blue."]
    with (
        running_site(tmp_path / "home") as site,
        site.program() as client,
        stream(client, message="What colour?") as answer,
    ):
        conversation = next(events(answer))[1]["message"]["conversationId"]
        model.reached.wait(10)
    model.words = ["Never."]
    with running_site(tmp_path / "home") as site, site.program() as client:
        page = client.get(f"/api/conversations/{conversation}/messages").json()
        assert [(one["content"], one["status"]) for one in page["messages"]] == [
            ("What colour?", "complete"),
            ("It ", "interrupted"),
        ]


# -- by WebSocket --------------------------------------------------------------------------------


def headers(site: Site, *scopes: str) -> dict[str, str]:
    secret = site.accounts.create_token("local", scopes=scopes or ("read", "chat")).secret
    return {"Authorization": f"Bearer {secret}"}


async def test_a_message_is_accepted_and_answered_for_all_who_listen(site: Site):
    async with (
        listening(site.url, headers(site)) as one,
        listening(site.url, headers(site)) as other,
    ):
        accepted = await one.ask("send_message", text="What colour?", key="k")
        assert (accepted["type"], accepted["key"]) == ("message_accepted", "k")
        assert accepted["message"]["content"] == "What colour?"
        for client in (one, other):
            said, turn = await reply(client)
            assert said == turn["content"] == "It is blue."
        again = await one.ask(
            "send_message", text="And now?", conversationId=accepted["message"]["conversationId"]
        )
        assert again["message"]["turnNumber"] == 2


async def test_whoever_comes_late_gets_the_text_so_far(site: Site, model: Model):
    model.words = ["It ", "is ", "…", "blue."]
    async with listening(site.url, headers(site)) as one:
        await one.ask("send_message", text="What colour?")
        await asyncio.to_thread(model.reached.wait, 10)
        async with listening(site.url, headers(site), greeted=False) as late:
            await late.until("reply_started")
            first = await late.until("reply_delta")
            assert (first["offset"], first["text"]) == (0, "It is ")
            model.go_on.set()
            assert (await late.until("reply_finished"))["turn"]["content"] == "It is blue."


async def test_a_reply_is_stopped_by_socket(site: Site, model: Model):
    model.words = ["It ", "…", "is blue."]
    async with listening(site.url, headers(site)) as client:
        accepted = await client.ask("send_message", text="What colour?")
        await asyncio.to_thread(model.reached.wait, 10)
        conversation = accepted["message"]["conversationId"]
        await client.say("stop_reply", conversationId=conversation)
        finished = await client.until("reply_finished")
        assert (finished["turn"]["content"], finished["turn"]["status"]) == ("It ", "interrupted")
        nothing = await client.ask("stop_reply", conversationId=conversation)
        assert (nothing["type"], nothing["code"]) == ("error", "not_found")


async def test_messages_sent_meanwhile_are_accepted_at_once(site: Site, model: Model):
    model.words = ["Yes.", "…"]
    async with listening(site.url, headers(site)) as client:
        first = await client.ask("send_message", text="One")
        await asyncio.to_thread(model.reached.wait, 10)
        second = await client.ask("send_message", text="Two")
        assert [one["message"]["turnNumber"] for one in (first, second)] == [1, 2]
        model.go_on.set()
        turns = [(await client.until("reply_finished"))["turn"]["turnNumber"] for _ in range(2)]
        assert turns == [1, 2]


async def test_a_command_is_answered_to_its_sender_and_told_to_others(site: Site):
    async with (
        listening(site.url, headers(site)) as one,
        listening(site.url, headers(site)) as other,
    ):
        sent = await one.ask("send_message", text="What colour?")
        conversation = sent["message"]["conversationId"]
        for client in (one, other):
            await client.until("reply_finished")
        answer = await one.ask("send_message", text="/help", conversationId=conversation)
        assert (answer["type"], answer["turn"]["turnNumber"]) == ("reply_finished", 0)
        changed = await other.until("conversation_changed")
        assert changed["conversation"]["id"] == conversation


async def test_whoever_may_not_chat_says_nothing(site: Site):
    async with listening(site.url, headers(site, "read")) as client:
        for kind, fields in (
            ("send_message", {"text": "Hello"}),
            ("stop_reply", {"conversationId": "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"}),
        ):
            refused = await client.ask(kind, **fields)
            assert (refused["type"], refused["code"]) == ("error", "forbidden")


async def test_a_message_that_waited_when_the_server_died_is_answered(tmp_path: Path, model: Model):
    async with Palaver.open(tmp_path / "home", index_vectors=False) as palaver:
        model.words = ["…"]
        sending = asyncio.create_task(palaver.send("Hello", new=True))
        await asyncio.to_thread(model.reached.wait, 10)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
    model.words = ["Hi!"]
    with running_site(tmp_path / "home") as site:
        async with listening(site.url, headers(site), greeted=False) as client:
            while not (await client.until("conversation_loaded"))["turns"][1:]:
                await client.say("switch_conversation", conversationId=_latest(site))
            assert client.heard[-1]["turns"][-1]["content"] == "Hi!"


def _latest(site: Site) -> str:
    with site.program() as client:
        return client.get("/api/conversations").json()["conversations"][0]["id"]
