"""What every index tells of what is sent to channels, on each engine."""

from __future__ import annotations

from typing import Any

import pytest

from palaver.errors import NotFound
from palaver.index.folded import folded_deliveries
from palaver.index.records import Delivery
from palaver.ledger.lines import derived_id, event, meta
from tests.index.sent import X, deliver, exchange
from tests.index.worlds import USER, A, B, FileWorld, World

ANN, BOB = "4911", "4922"


async def sent(world: World, place: str = ANN, stream: str = A, text: str = "Hello.") -> str:
    return (await world.say(stream, "assistant", text, deliver=deliver(place))).id


async def state(world: World, message_id: str) -> Delivery:
    return await world.index.delivery(USER, message_id)


async def waiting(world: World, limit: int = 50) -> list[str]:
    return [one.message_id for one in await world.index.outbox(USER, limit)]


@pytest.fixture
async def begun(world: World) -> World:
    await world.begin(A, "x", channel="whatsapp")
    return world


async def test_a_line_that_is_to_be_sent_waits(begun: World) -> None:
    line = await begun.say(A, "assistant", "Hello.", deliver=deliver(ANN))
    await begun.say(A, "assistant", "Not sent.")
    assert (await state(begun, line.id)).to_json() == {
        "messageId": line.id,
        "conversationId": A,
        "seq": 2,
        "channel": "whatsapp",
        "place": ANN,
        "state": "waiting",
        "part": None,
        "parts": 0,
        "attempts": 0,
        "after": None,
        "code": None,
        "message": None,
        "remedy": None,
        "updated": line.data["at"],
    }
    assert await waiting(begun) == [line.id]


async def test_an_event_is_sent_too(begun: World) -> None:
    line = await begun.happen(A, "notice", text="Look.", deliver=deliver(ANN))
    assert line.id == derived_id(A, line.seq) or line.data["id"]
    assert await waiting(begun) == [line.id]
    await begun.happen(A, "delivered", messageId=line.id, part=0, parts=1)
    assert (await state(begun, line.id)).state == "sent"


STEPS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("delivery_started", {"part": 0}, {"state": "sending", "part": 0, "parts": 0}),
    ("delivered", {"part": 0, "parts": 2}, {"state": "sending", "part": None, "parts": 1}),
    ("delivery_started", {"part": 1}, {"state": "sending", "part": 1, "parts": 1}),
    (
        "delivery_failed",
        {
            "code": "channel_unreachable",
            "message": "Away.",
            "remedy": "Wait.",
            "attempt": 3,
            "retryAt": "2026-02-14T10:00:00Z",
        },
        {
            "state": "waiting",
            "part": None,
            "parts": 1,
            "attempts": 3,
            "after": "2026-02-14T10:00:00.000Z",
            "code": "channel_unreachable",
            "message": "Away.",
            "remedy": "Wait.",
        },
    ),
    ("delivery_started", {"part": 1}, {"state": "sending", "after": None, "code": None}),
    (
        "delivery_failed",
        {"code": "channel_refused", "message": "No.", "attempt": 4},
        {"state": "failed", "attempts": 4, "after": None, "code": "channel_refused"},
    ),
    ("delivery_retried", {}, {"state": "waiting", "attempts": 0, "parts": 1, "message": None}),
    ("delivered", {"part": 1, "parts": 2}, {"state": "sent", "part": None, "parts": 2}),
    ("delivery_reported", {"reach": "read"}, {"state": "read"}),
    ("delivery_reported", {"reach": "delivered"}, {"state": "read"}),
    ("delivery_started", {"part": 0}, {"state": "read", "part": None}),
    ("delivery_reported", {"reach": "failed", "why": "Gone."}, {"state": "failed"}),
    ("delivery_reported", {"reach": "delivered"}, {"state": "failed", "message": "Gone."}),
]


async def test_events_tell_how_far_it_has_come(begun: World) -> None:
    message = await sent(begun)
    for name, fields, expected in STEPS:
        line = await begun.happen(A, name, messageId=message, **fields)
        found = await state(begun, message)
        assert {key: getattr(found, key) for key in expected} == expected, name
        assert found.updated <= line.data["at"]
    again = await begun.index.deliveries(USER, A, [message])
    await begun.index.rebuild()
    assert await begun.index.deliveries(USER, A, [message]) == again


async def test_one_of_each_place_is_next_and_the_oldest_first(begun: World) -> None:
    await begun.begin(B, "x", channel="whatsapp")
    await exchange(begun, X)
    first = await sent(begun, ANN)
    second = await sent(begun, BOB, B)
    third = await sent(begun, ANN, X)
    fourth = await sent(begun, BOB, B)
    other = (await begun.say(B, "assistant", "x", deliver=deliver(ANN, "telegram"))).id
    # An exchange waits for nobody: outsiders may name any place.
    assert await waiting(begun) == [first, second, third, other]
    assert await waiting(begun, 1) == [first]
    await begun.happen(A, "delivered", messageId=first, part=0, parts=1)
    await begun.happen(B, "delivery_started", messageId=second, part=0)
    assert await waiting(begun) == [second, third, other]
    await begun.happen(B, "delivery_failed", messageId=second, code="x")
    assert await waiting(begun) == [third, fourth, other]
    assert (await state(begun, third)).conversation_id == X


async def test_what_is_erased_is_not_sent(begun: World) -> None:
    await begun.begin(B, "x", channel="whatsapp")
    first, second, third = await sent(begun), await sent(begun), await sent(begun, BOB, B)
    await begun.happen(A, "delivery_started", messageId=second, part=0)
    await begun.erase(lines={A: [2]})
    await begun.happen(A, "delivered", messageId=first, part=0, parts=1)
    assert await waiting(begun) == [second, third]
    with pytest.raises(NotFound):
        await state(begun, first)
    await begun.erase(streams=[B])
    assert await waiting(begun) == [second]
    await begun.erase(lines={A: [4]})
    assert (await state(begun, second)).state == "waiting"
    assert await begun.index.deliveries(USER, A, [first, second, third]) == {
        second: await state(begun, second)
    }


async def test_a_line_is_told_of_in_its_stream_only(begun: World) -> None:
    message = await sent(begun)
    await begun.begin(B, "x")
    await begun.happen(B, "delivered", messageId=message, part=0, parts=1)
    assert (await state(begun, message)).state == "waiting"
    assert await begun.index.deliveries(USER, B, [message]) == {}


@pytest.mark.parametrize(
    "wrong",
    [
        "x",
        {},
        {"channel": "email"},
        {"channel": "", "place": {"id": "x"}},
        {"channel": "email", "place": "x"},
        {"channel": "email", "place": {"id": 5}},
    ],
)
async def test_what_names_no_place_is_not_sent(begun: World, wrong: Any) -> None:
    line = await begun.say(A, "assistant", "Hello.", deliver=wrong)
    await begun.happen(A, "delivered", messageId=line.id)
    await begun.happen(A, "delivered", messageId=5)
    assert await waiting(begun) == []


async def test_very_long_names_are_no_matter(begun: World) -> None:
    place = "x" * 9000
    message = await sent(begun, place)
    found = await state(begun, message)
    assert found.place == place
    pinned = {"id": place, "party": place}
    await begun.write(meta(B, user=USER, channel="email", pinned=True, channelMeta=pinned))
    await exchange(begun, X, party=place)
    assert (found := await begun.index.pinned(USER, "email", place)) is not None
    assert found.id == B
    assert (other := await begun.index.external_of(USER, "email", place)) is not None
    assert other.id == X


async def test_nothing_of_the_users_own_stream_is_sent(begun: World) -> None:
    await begun.write(meta("user", user=USER), event("user", "notice", deliver=deliver(ANN)))
    assert await waiting(begun) == []


async def test_while_there_are_no_rows_the_ledger_tells(home: FileWorld) -> None:
    await home.begin(A, "x", channel="whatsapp")
    message = await sent(home)
    await home.happen(A, "delivered", messageId=message, part=0, parts=1)
    before = await home.index.deliveries(USER, A, [message, "msg-other"])
    assert list(before) == [message]
    assert folded_deliveries(home.store, A, [message, "msg-other"]) == before


# -- which conversation --------------------------------------------------------------------------


async def pin(world: World, stream: str, place: str, party: str, channel: str = "email") -> None:
    given = {"kind": "thread", "id": place, "name": "x", "party": party}
    await world.begin(stream, "x", channel=channel, channelMeta=given, pinned=True)


async def test_the_pinned_conversation_of_a_place_is_found(world: World) -> None:
    await pin(world, "conv-1", "thread-1", ANN)
    await pin(world, "conv-2", "thread-2", ANN)
    await pin(world, "conv-3", "thread-1", ANN, "telegram")
    await pin(world, "conv-4", "thread-4", BOB)

    async def pinned(channel: str, place: str) -> str | None:
        found = await world.index.pinned(USER, channel, place)
        return found.id if found else None

    assert await pinned("email", "thread-1") == "conv-1"
    assert await pinned("telegram", "thread-1") == "conv-3"
    assert await pinned("email", "thread-9") is None
    found = await world.index.pinned_with(USER, "email", ANN)
    assert [one.id for one in found] == ["conv-2", "conv-1"]
    await world.happen("conv-1", "archived")
    assert await pinned("email", "thread-1") == "conv-1"
    await world.happen("conv-1", "unpinned")
    assert await pinned("email", "thread-1") is None
    await pin(world, "conv-5", "thread-1", ANN)
    await world.happen("conv-1", "pinned")
    await world.say("conv-1", "user", "Later.")
    assert await pinned("email", "thread-1") == "conv-1"
    await world.erase(streams=["conv-1"])
    assert await pinned("email", "thread-1") == "conv-5"


async def test_no_more_than_fifty_pinned_ones_are_told(world: World) -> None:
    given = {"id": "x", "party": ANN}
    metas = [
        meta(f"conv-{n}", user=USER, channel="email", pinned=True, channelMeta=given)
        for n in range(60)
    ]
    await world.write(*metas)
    assert len(await world.index.pinned_with(USER, "email", ANN)) == 50


async def test_what_is_tried_later_comes_last(begun: World) -> None:
    await begun.begin(B, "x", channel="whatsapp")
    first, second = await sent(begun, ANN), await sent(begun, BOB, B)
    later = {"messageId": first, "code": "x", "retryAt": "2099-01-01T00:00:00.000Z"}
    await begun.happen(A, "delivery_failed", **later)
    assert await waiting(begun) == [second, first]


async def test_what_failed_after_all_is_sent_again_from_there(begun: World) -> None:
    message = await sent(begun)
    for part in (0, 1, 2):
        await begun.happen(A, "delivered", messageId=message, part=part, parts=3)
    await begun.happen(A, "delivery_reported", messageId=message, reach="failed", part=1)
    await begun.happen(A, "delivery_retried", messageId=message)
    found = await state(begun, message)
    assert (found.state, found.parts) == ("waiting", 1)
