"""The WebSocket of an embedded home."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from palaver.conversation import watching
from palaver.errors import PalaverError, SignInRequired, Stopping
from palaver.ledger.since import MOST_BEHIND
from palaver.server import wire
from palaver.server.bodies import SMALL
from palaver.server.guests import Stay
from palaver.server.live.visit import Visit
from tests.server.person import Person
from tests.server.process import PROGRAM
from tests.server.site import Site, running_site
from tests.server.sockets import Client, listening

UNKNOWN = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with running_site(tmp_path / "home") as site:
        yield site


# -- what is told ------------------------------------------------------------------------------


async def test_whoever_comes_is_shown_what_there_is(ann: Person) -> None:
    async with ann.listen(greeted=False) as client:
        assert await client.next() == {
            "type": "conversation_loaded",
            "conversation": None,
            "turns": [],
            "hasMore": False,
            "eventId": 0,
        }
        assert await client.next() == {
            "type": "conversation_list",
            "conversations": [],
            "nextCursor": None,
            "eventId": 0,
        }
    first, second = ann.start("First"), ann.start("Second")
    message = ann.tell(second, "Hello")
    for query, shown in (({}, second), ({"conversation": first}, first)):
        async with ann.listen(greeted=False, **query) as client:
            loaded = await client.next()
            assert (loaded["type"], loaded["eventId"]) == ("conversation_loaded", 3)
            assert loaded["conversation"]["id"] == shown
            assert loaded["turns"] == ([message] if shown == second else [])
            assert loaded["hasMore"] is False
            listed = await client.next()
            assert [one["title"] for one in listed["conversations"]] == ["Second", "First"]


async def test_everything_that_happens_is_told_in_order(ann: Person) -> None:
    async with ann.listen() as client:
        conversation = ann.start("Plans")
        created = await client.next()
        assert (created["type"], created["eventId"]) == ("conversation_created", 1)
        assert created["conversation"]["title"] == "Plans"
        message = ann.tell(conversation, "Hello")
        assert await client.next() == {
            "type": "conversation_updated",
            "eventId": 2,
            "conversationId": conversation,
            "turn": message,
        }
        ann.change(conversation, title="Better plans")
        assert await client.next() == {
            "type": "conversation_renamed",
            "eventId": 3,
            "conversationId": conversation,
            "title": "Better plans",
            "topics": [],
        }
        ann.change(conversation, archived=True)
        changed = await client.next()
        assert (changed["type"], changed["eventId"]) == ("conversation_changed", 4)
        assert changed["conversation"]["archived"] is True
        ann.erase(conversation)
        assert await client.next() == {
            "type": "conversation_removed",
            "eventId": 6,
            "conversationId": conversation,
        }


async def test_a_summary_of_a_day_is_told_to_every_tab(ann: Person) -> None:
    ann.http.post("/api/continuous/messages", json={"message": "The tiles are blue."})
    today = ann.http.get("/api/continuous").json()
    other = ann.start("Other")
    async with ann.listen() as client, ann.listen(conversation=other) as tab:
        path = f"/api/continuous/days/{today['day']}/summary"
        answer = ann.http.put(path, json={"summaryMarkdown": "Tiles."})
        assert answer.status_code == 200
        for one in (client, tab):
            told = await one.until("day_summary_updated")
            assert (told["date"], told["conversationId"]) == (
                today["day"],
                today["conversationId"],
            )
            assert isinstance(told["eventId"], int)


async def test_an_erased_message_is_told_without_its_words(ann: Person) -> None:
    conversation = ann.start()
    message = ann.tell(conversation, "a secret")
    async with ann.listen() as client:
        ann.erase(f"{conversation}/messages/{message['id']}")
        changed, erased = await client.next(), await client.next()
        assert (changed["type"], changed["eventId"]) == ("conversation_changed", 2)
        assert (erased["type"], erased["eventId"]) == ("conversation_updated", 3)
        assert erased["turn"]["id"] == message["id"]
        assert (erased["turn"]["status"], erased["turn"]["content"]) == ("redacted", "")


async def test_every_tab_hears_of_every_conversation(ann: Person) -> None:
    one, other = ann.start(), ann.start()
    async with ann.listen(conversation=one) as first, ann.listen(conversation=other) as second:
        ann.tell(one, "Hello")
        for client in (first, second):
            assert (await client.next())["conversationId"] == one


async def test_who_comes_back_misses_nothing(ann: Person) -> None:
    conversation = ann.start()
    async with ann.listen() as client:
        ann.tell(conversation, "heard")
        last = (await client.next())["eventId"]
    missed = [ann.tell(conversation, str(number))["id"] for number in range(5)]
    async with ann.listen(after=last) as client:
        assert client.heard[0]["eventId"] == client.heard[1]["eventId"] == last
        for number, message in enumerate(missed):
            told = await client.next()
            assert (told["eventId"], told["turn"]["id"]) == (last + 1 + number, message)
        ann.tell(conversation, "and on it goes")
        assert (await client.next())["eventId"] == last + 6


@pytest.mark.parametrize("after", [5000, 10**18 - 1])
async def test_a_position_that_never_was_is_a_new_start(ann: Person, after: int) -> None:
    conversation = ann.start()
    async with ann.listen(after=after) as client:
        assert (await client.until("resync"))["eventId"] == 1
        assert (await client.next())["type"] == "conversation_loaded"
        assert (await client.next())["eventId"] == 1
        ann.tell(conversation, "Hello")
        assert (await client.next())["eventId"] == 2


async def test_who_was_away_too_long_is_told_to_start_anew(ann: Person) -> None:
    body = {"role": "user", "content": "x"}
    conversation = ann.start("Named, so that nobody names it")
    async with httpx.AsyncClient(base_url=ann.site.url, headers=ann.headers, timeout=30) as http:
        for _ in range(0, MOST_BEHIND, 100):
            path = f"/api/conversations/{conversation}/messages"
            await asyncio.gather(*(http.post(path, json=body) for _ in range(100)))
    async with ann.listen(after=0) as client:
        assert (await client.until("resync"))["eventId"] == MOST_BEHIND + 1
    async with ann.listen(after=1) as client:
        told = [(await client.next())["eventId"] for _ in range(MOST_BEHIND)]
    assert told == list(range(2, MOST_BEHIND + 2))


async def test_what_another_process_stores_is_told_within_a_second(ann: Person) -> None:
    conversation = ann.start()
    home = str(ann.site.home.root)
    async with ann.listen() as client:
        for number in range(3):
            told = asyncio.create_task(client.until("conversation_renamed"))
            command = [PROGRAM, "conversations", "rename", conversation, f"Title {number}"]
            await asyncio.to_thread(
                subprocess.run, [*command, "--home", home], check=True, capture_output=True
            )
            stored = time.monotonic()
            assert (await told)["title"] == f"Title {number}"
            assert time.monotonic() - stored < 1


# -- what is asked -----------------------------------------------------------------------------


async def test_a_client_may_ask_for_messages_and_conversations(ann: Person) -> None:
    one, other = ann.start("One"), ann.start("Other")
    said = [ann.tell(one, str(number)) for number in range(60)]
    async with ann.listen() as client:
        assert await client.ask("ping") == {"type": "pong", "requestId": "r1"}
        await client.say("ping")
        assert await client.next() == {"type": "pong"}
        page = await client.ask("load_messages", conversationId=one, before=said[55]["id"])
        assert page["type"] == "messages_loaded"
        assert (page["conversationId"], page["turns"], page["hasMore"]) == (one, said[5:55], True)
        page = await client.ask("load_messages", conversationId=one, before=said[5]["id"])
        assert (page["turns"], page["hasMore"]) == (said[:5], False)
        shown = await client.ask("switch_conversation", conversationId=other)
        assert shown["type"] == "conversation_loaded"
        assert (shown["conversation"]["title"], shown["turns"]) == ("Other", [])
        renamed = await client.ask("rename_conversation", title="Another")
        assert (renamed["conversationId"], renamed["title"]) == (other, "Another")
        await client.ask("rename_conversation", conversationId=one, title="The first")
    titles = [c["title"] for c in ann.http.get("/api/conversations").json()["conversations"]]
    assert sorted(titles) == ["Another", "The first"]


@pytest.mark.parametrize(
    ("text", "code", "echo"),
    [
        ("not JSON", "bad_json", None),
        ("[]", "bad_json", None),
        ("", "bad_json", None),
        ('{"type":"ping","type":"ping"}', "bad_json", None),
        ('{"type":"dance","requestId":"x"}', "bad_value", "x"),
        ('{"requestId":"x"}', "bad_value", "x"),
        ('{"type":["ping"],"requestId":"x"}', "bad_value", "x"),
        ('{"type":"ping","requestId":7}', "bad_value", None),
        ('{"type":"ping","extra":1,"requestId":"x"}', "bad_value", "x"),
        ('{"type":"load_messages","requestId":"x"}', "bad_value", "x"),
        ('{"type":"load_messages","conversationId":"../x","requestId":"x"}', "bad_id", "x"),
        ('{"type":"load_messages","conversationId":"user","requestId":"x"}', "bad_id", "x"),
        (f'{{"type":"load_messages","conversationId":"{UNKNOWN}"}}', "not_found", None),
        (f'{{"type":"switch_conversation","conversationId":"{UNKNOWN}"}}', "not_found", None),
        ('{"type":"rename_conversation","title":"x"}', "bad_value", None),
    ],
)
async def test_what_cannot_be_done_is_answered_and_nothing_ends(
    ann: Person, text: str, code: str, echo: str | None
) -> None:
    async with ann.listen() as client:
        await client.connection.send(text)
        answer = await client.next()
        assert (answer["type"], answer["code"]) == ("error", code)
        assert answer.get("requestId") == echo
        assert answer["message"]
        await client.connection.send(text.encode())
        assert (await client.next())["type"] == "error"
        assert (await client.ask("ping"))["type"] == "pong"


async def test_a_message_that_is_too_long_ends_it(ann: Person) -> None:
    async with ann.listen() as client:
        await client.connection.send("x" * (SMALL + 1))
        with pytest.raises(ConnectionClosed) as closed:
            await client.next()
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 1009


# -- who may -----------------------------------------------------------------------------------


async def refused(site: Site, headers: dict[str, str], **query: Any) -> tuple[int, str]:
    with pytest.raises(InvalidStatus) as error:
        async with listening(site.url, headers, **query):
            pass
    response = error.value.response
    assert response.headers["content-type"] == "application/problem+json"
    assert response.headers["x-content-type-options"] == "nosniff"
    return response.status_code, httpx.Response(200, content=bytes(response.body)).json()["code"]


async def test_nobody_comes_in_without_credentials(site: Site, ann: Person) -> None:
    assert await refused(site, {}) == (401, "sign_in_required")
    assert await refused(site, {"Authorization": "Bearer wrong"}) == (401, "sign_in_required")
    assert await refused(site, Person(site, ("chat", "write")).headers) == (403, "forbidden")


async def test_a_page_of_another_site_does_not_come_in(site: Site, ann: Person) -> None:
    cookie = {"Cookie": f"{site.cookie}={site.accounts.sign_in('local')}"}
    async with listening(site.url, {**cookie, "Origin": site.url}) as client:
        assert (await client.ask("ping"))["type"] == "pong"
    for origin in ("http://evil.example", "null", site.url.replace("http", "https")):
        assert await refused(site, {**cookie, "Origin": origin}) == (403, "forbidden")
        assert await refused(site, {**ann.headers, "Origin": origin}) == (403, "forbidden")
    assert await refused(site, cookie) == (403, "forbidden")
    crossing = {**cookie, "Origin": site.url, "Sec-Fetch-Site": "cross-site"}
    assert await refused(site, crossing) == (403, "forbidden")


def test_a_foreign_host_does_not_come_in(ann: Person) -> None:
    asking = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    for path in ("/ws", "/elsewhere"):
        answer = ann.http.get(path, headers={**asking, "Host": "evil.example"})
        assert (answer.status_code, answer.json()["code"]) == (421, "bad_host")
    assert ann.http.get("/elsewhere", headers=asking).json()["code"] == "not_found"
    assert ann.http.get("/ws").json()["code"] == "not_found"


async def test_what_cannot_be_asked_for_is_refused(site: Site, ann: Person) -> None:
    assert await refused(site, ann.headers, conversation=UNKNOWN) == (404, "not_found")
    assert await refused(site, ann.headers, conversation="../x") == (400, "bad_id")
    assert await refused(site, ann.headers, after="x") == (422, "bad_value")
    assert await refused(site, ann.headers, after="-1") == (422, "bad_value")
    assert await refused(site, ann.headers, after="1" * 30) == (422, "bad_value")
    assert await refused(site, ann.headers, later=1) == (422, "bad_value")


async def test_reading_is_not_writing(site: Site, ann: Person) -> None:
    conversation = ann.start("Mine")
    async with Person(site, ("read",)).listen() as client:
        answer = await client.ask("rename_conversation", conversationId=conversation, title="x")
        assert (answer["type"], answer["code"]) == ("error", "forbidden")
    assert ann.http.get(f"/api/conversations/{conversation}").json()["conversation"]["title"] == (
        "Mine"
    )


@pytest.mark.parametrize(
    ("reason", "code"), [(SignInRequired(), 4401), (Stopping(), 1012)], ids=["revoked", "stopping"]
)
async def test_whoever_has_to_leave_is_told_why(
    ann: Person, monkeypatch: pytest.MonkeyPatch, reason: PalaverError, code: int
) -> None:
    leave = asyncio.Event()
    here = asyncio.get_running_loop()

    async def over(_: Stay) -> None:
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_wait(leave), here))
        raise reason

    monkeypatch.setattr(Stay, "over", over)
    async with ann.listen() as client:
        assert (await client.ask("ping"))["type"] == "pong"
        leave.set()
        with pytest.raises(ConnectionClosed) as closed:
            await client.next()
    assert closed.value.rcvd
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (code, reason.code)


async def _wait(event: asyncio.Event) -> None:
    await event.wait()


# -- how it ends -------------------------------------------------------------------------------


@pytest.mark.parametrize(("bound", "value"), [("PATIENCE", 0.3), ("MOST_BYTES", 100_000)])
async def test_who_reads_nothing_is_let_go(
    ann: Person, monkeypatch: pytest.MonkeyPatch, bound: str, value: float
) -> None:
    monkeypatch.setattr(wire, bound, value)
    over: list[Visit] = []
    run = Visit.run

    async def noted(visit: Visit, wanted: str | None, after: int | None) -> None:
        await run(visit, wanted, after)
        over.append(visit)

    monkeypatch.setattr(Visit, "run", noted)
    conversation = ann.start()
    told = 1
    async with ann.listen() as slow, ann.listen() as quick:
        slow.connection.transport.pause_reading()
        while not over:  # also if it never reads again
            ann.tell(conversation, f"{told} " + "x" * 500_000)
            told += 1
            assert (await quick.next())["eventId"] == told
        slow.connection.transport.resume_reading()
        with pytest.raises(ConnectionClosed) as closed:
            await slow.until("nothing")
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 4408
    last = slow.heard[-1]["eventId"]
    async with ann.listen(after=last) as client:
        heard = [(await client.next())["eventId"] for _ in range(last, told)]
    assert heard == [*range(last + 1, told + 1)]


async def test_a_server_that_stops_says_so(tmp_path: Path) -> None:
    with running_site(tmp_path) as site:
        ann = Person(site, ("read",))
        context = ann.listen()
        client = await context.__aenter__()
        started = time.monotonic()
    assert time.monotonic() - started < 4
    with pytest.raises(ConnectionClosed) as closed:
        await client.next()
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 1012
    await context.__aexit__(None, None, None)


# -- who looks at what -------------------------------------------------------------------------


async def test_a_conversation_that_the_last_one_left_is_digested(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "GRACE", 0.01)
    first, second, third = (ann.start() for _ in range(3))
    for conversation in (first, second):
        ann.tell(conversation, "We take the blue tiles for the bathroom, order 4711-B.")

    async def renamed(client: Client, conversation: str) -> None:
        await client.until("conversation_renamed", conversationId=conversation)

    async with ann.listen(conversation=third) as onlooker:
        async with ann.listen(conversation=first), ann.listen(conversation=first) as client:
            await client.ask("switch_conversation", conversationId=second)
            await client.ask("switch_conversation", conversationId=third)
            await renamed(onlooker, second)
            assert ann.digest(first)["title"] is None  # the other one still looks at it
        await renamed(onlooker, first)
        while (await onlooker.until("conversation_changed"))["conversation"]["id"] != first:
            pass
    assert "4711-B" in ann.digest(first)["abbreviation"]["text"]


async def test_whoever_begins_one_looks_at_it_until_they_leave(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "GRACE", 0.01)
    async with ann.listen() as onlooker:
        async with ann.listen() as client:
            await client.say("send_message", text="We take the blue tiles, order 4711-B.")
            accepted = await client.until("message_accepted")
            begun = accepted["message"]["conversationId"]
            await client.until("reply_finished")
        await onlooker.until("conversation_renamed", conversationId=begun)
