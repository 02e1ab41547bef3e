"""Tabs: each shows a conversation of its own, or none, and hears how replies are made there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from palaver.conversation import watching
from palaver.errors import StorageFailed, TooFarBehind
from palaver.server import application
from palaver.server.limits import Limits
from palaver.server.live.hub import Hub
from palaver.server.live.kinds import REQUESTS
from palaver.settings import LimitSettings
from tests.server.person import Person
from tests.server.site import Site, running_site
from tests.server.sockets import Client, reply
from tests.server.speaker import Model


@pytest.fixture
def site(tmp_path: Path, model: Model) -> Iterator[Site]:
    with running_site(tmp_path / "home") as site:
        yield site


async def mark(ann: Person, *clients: Client) -> None:
    """Everything that was to be told before is told."""
    place = ann.start("Mark")
    for client in clients:
        while (await client.until("conversation_created"))["conversation"]["id"] != place:
            pass


# -- replies -------------------------------------------------------------------------------------


async def test_a_reply_streams_to_those_who_show_it_and_others_hear_it_is_stored(
    ann: Person,
) -> None:
    here, there = ann.start("Here"), ann.start("There")
    async with (
        ann.listen(conversation=here) as one,
        ann.listen(conversation=here) as same,
        ann.listen(conversation=there) as other,
    ):
        await one.ask("send_message", text="What colour?")
        for client in (one, same):
            said, turn = await reply(client)
            assert said == turn["content"] == "It is blue."
        await mark(ann, other)
        kinds = [told["type"] for told in other.heard]
        assert not [kind for kind in kinds if kind.startswith("reply_")]
        stored = [told for told in other.heard if told["type"] == "conversation_updated"]
        assert [told["turn"]["content"] for told in stored] == ["What colour?", "It is blue."]


async def test_whoever_switches_in_the_middle_gets_the_text_so_far_and_the_rest(
    ann: Person, model: Model
) -> None:
    model.words = ["It ", "is ", "…", "blue."]
    here, there = ann.start("Here"), ann.start("There")
    async with ann.listen(conversation=here) as one, ann.listen(conversation=there) as late:
        await one.ask("send_message", text="What colour?")
        await asyncio.to_thread(model.reached.wait, 10)
        for _ in range(3):  # it may come and go
            await late.ask("switch_conversation", conversationId=there)
            loaded = await late.ask("switch_conversation", conversationId=here)
            assert [turn["content"] for turn in loaded["turns"]] == ["What colour?"]
        await late.until("reply_started")
        assert (await late.next())["text"] == "It is "
        model.go_on.set()
        said, rest = "It is ", await late.until("reply_delta")
        assert (rest["offset"], said + rest["text"]) == (len(said), "It is blue.")
        assert (await late.until("reply_finished"))["turn"]["content"] == "It is blue."


async def test_whoever_says_something_elsewhere_hears_the_reply(ann: Person) -> None:
    here, there = ann.start("Here"), ann.start("There")
    async with ann.listen(conversation=here) as client:
        accepted = await client.ask("send_message", text="What colour?", conversationId=there)
        assert accepted["message"]["conversationId"] == there
        assert (await reply(client))[0] == "It is blue."
        renamed = await client.ask("rename_conversation", title="Still here")
        assert renamed["conversationId"] == here


async def test_whoever_begins_another_by_a_command_is_there(ann: Person) -> None:
    here = ann.start("Here")
    async with ann.listen(conversation=here) as client:
        done = await client.ask("send_message", text="/new What colour?")
        begun = done["newConversationId"]
        assert (await reply(client))[0] == "It is blue."
        again = await client.ask("send_message", text="And now?")
        assert again["message"]["conversationId"] == begun


# -- a new conversation --------------------------------------------------------------------------


async def test_a_new_conversation_begins_with_its_first_message(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "GRACE", 0.01)
    before = ann.start()
    ann.tell(before, "We take the blue tiles for the bathroom, order 4711-B.")
    stored = ann.site.stored()
    async with ann.listen(conversation=before) as client:
        assert await client.ask("new_conversation") == {
            "type": "conversation_loaded",
            "conversation": None,
            "turns": [],
            "hasMore": False,
            "requestId": "r1",
        }
        assert ann.site.stored().keys() == stored.keys()
        refused = await client.ask("rename_conversation", title="x")
        assert refused["code"] == "bad_value"
        # What was shown before counts as left.
        await client.until("conversation_renamed", conversationId=before)
        accepted = await client.ask("send_message", text="What colour?")
        begun = accepted["message"]["conversationId"]
        assert begun != before
        assert (await reply(client))[0] == "It is blue."
        again = await client.ask("send_message", text="And now?")
        assert again["message"]["conversationId"] == begun


# -- what is spent -------------------------------------------------------------------------------


def limited(monkeypatch: pytest.MonkeyPatch, **most: int) -> None:
    def limits(_: LimitSettings, *, reached: Callable[[str], None]) -> Limits:
        return Limits(LimitSettings(**most), reached=reached)

    monkeypatch.setattr(application, "Limits", limits)


async def test_messages_and_lookups_have_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Model
) -> None:
    limited(monkeypatch, messages=2, searches=3)
    with running_site(tmp_path / "limited") as site:
        ann = Person(site, ("read", "write", "chat"))
        async with ann.listen() as client:
            await client.ask("send_message", text="What colour?")
            accepted = await client.ask("send_message", text="What colour?")
            place = accepted["message"]["conversationId"]
            for kind, fields in (
                ("send_message", {"text": "What colour?"}),
                ("rename_conversation", {"title": "x"}),
            ):
                refused = await client.ask(kind, **fields)
                assert (refused["type"], refused["code"]) == ("error", "limit_reached")
                assert 1 <= refused["retryAfter"] <= 31
            for _ in range(2):
                await client.ask("switch_conversation", conversationId=place)
            refused = await client.ask("load_messages", conversationId=place)
            assert refused["code"] == "limit_reached"
            with pytest.raises(InvalidStatus) as closed:  # whoever comes is shown one, too
                async with ann.listen():
                    pass
            assert closed.value.response.status_code == 429
            assert int(closed.value.response.headers["Retry-After"]) >= 1
            assert (await client.ask("ping"))["type"] == "pong"
        ann.http.close()


async def test_bytes_and_sockets_have_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Model
) -> None:
    limited(monkeypatch, megabytes=1, sockets=2)
    with running_site(tmp_path / "limited") as site:
        ann = Person(site, ("read", "write", "chat"))
        async with ann.listen() as client, ann.listen():
            with pytest.raises(InvalidStatus) as refused:
                async with ann.listen():
                    pass
            assert refused.value.response.status_code == 429
            for _ in range(20):
                await client.say("ping", requestId="x" * 60_000)
            codes = [(await client.next())["code"] for _ in range(20)]
            assert codes == ["bad_value"] * 16 + ["limit_reached"] * 4
        ann.http.close()


async def test_what_is_no_text_spends_bytes_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Model
) -> None:
    limited(monkeypatch, megabytes=1)
    with running_site(tmp_path / "limited") as site:
        ann = Person(site, ("read",))
        async with ann.listen() as client:
            for _ in range(20):
                await client.connection.send(b"x" * 60_000)
            codes = [(await client.next())["code"] for _ in range(20)]
            assert codes == ["bad_json"] * 16 + ["limit_reached"] * 4
        async with ann.listen() as client:
            assert client.heard[-1]["type"] == "conversation_list"
        ann.http.close()


# -- when the hub cannot go on -------------------------------------------------------------------


async def test_when_the_hub_is_too_far_behind_everybody_begins_anew(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = ann.start("Here")
    lagging = asyncio.Event()
    hand_on = Hub._hand_on  # pyright: ignore[reportPrivateUsage]

    def fail_once(hub: Hub, happening: Any) -> None:
        if not lagging.is_set():
            lagging.set()
            raise TooFarBehind
        hand_on(hub, happening)

    async with ann.listen(conversation=place) as one, ann.listen() as other:
        await other.ask("new_conversation")
        monkeypatch.setattr(Hub, "_hand_on", fail_once)
        missed = ann.tell(place, "Hello")
        for client, shown in ((one, place), (other, None)):
            assert (await client.next())["eventId"] == 2
            assert client.heard[-1]["type"] == "resync"
            loaded = await client.next()
            assert (loaded["conversation"] and loaded["conversation"]["id"]) == shown
            assert (await client.next())["type"] == "conversation_list"
        assert one.heard[-2]["turns"] == [missed]
        ann.tell(place, "And on it goes")
        for client in (one, other):
            assert (await client.next())["eventId"] == 3


async def test_when_the_ledger_cannot_be_read_everybody_is_told_to_try_again(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = ann.start("Here")

    def fail(hub: Hub, happening: Any) -> None:
        raise StorageFailed

    async with ann.listen() as one, ann.listen() as other:
        with monkeypatch.context() as failing:
            failing.setattr(Hub, "_hand_on", fail)
            ann.tell(place, "Hello")
            for client in (one, other):
                with pytest.raises(ConnectionClosed) as closed:
                    await client.next()
                assert closed.value.rcvd
                assert closed.value.rcvd.code == 1013
    async with ann.listen(after=1) as client:
        assert (await client.next())["eventId"] == 2
        ann.tell(place, "And on it goes")
        assert (await client.next())["eventId"] == 3


# -- who may -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", REQUESTS)
async def test_each_request_needs_its_scope(site: Site, kind: str) -> None:
    needed = REQUESTS[kind].scope
    for scopes in ({"read", "write", "chat"} - {needed} | {"read"}, {"read", needed}):
        person = Person(site, tuple(scopes))
        async with person.listen() as client:
            answer = await client.ask(kind)
            is_refused = answer.get("code") == "forbidden"
            assert is_refused == (needed not in scopes)
        person.http.close()
