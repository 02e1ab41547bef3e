"""Messages come in whole, once and in order, and are read from any place."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from palaver.app import Palaver
from palaver.conversation.messages import turn_bounds
from palaver.conversation.records import Change, NewMessage
from palaver.errors import (
    BadId,
    BadText,
    BadValue,
    EmptyMessage,
    Erased,
    InputError,
    KeyReused,
    NotFound,
    ReadOnly,
    TooLarge,
)
from tests.library import Clock, library

UNKNOWN = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
UNKNOWN_MESSAGE = "msg-01HQXK5J7G8M3N4P5R6S7T8V9W"


async def contents(palaver: Palaver, conversation_id: str) -> list[str]:
    page = await palaver.messages(conversation_id, limit=200)
    return [message.content for message in page.messages]


async def numbered(palaver: Palaver, count: int) -> tuple[str, list[str]]:
    """A conversation with `count` messages of the user, and their ids."""
    conversation = await palaver.start()
    new = [NewMessage(role="user", content=f"message {number}") for number in range(count)]
    return conversation.id, [one.id for one in await palaver.append_many(conversation.id, new)]


async def test_a_message_is_stamped_and_read_back_as_it_was_returned(palaver: Palaver):
    conversation = await palaver.start()
    said = await palaver.append(conversation.id, "user", "Hello", sender="Ann", key="k1")

    assert said.id.startswith("msg-")
    assert said.conversation_id == conversation.id
    assert (said.role, said.content, said.turn_number) == ("user", "Hello", 1)
    assert (said.channel, said.sender, said.key) == ("web", "Ann", "k1")
    assert said.author is not None
    assert (said.author.kind, said.author.id) == ("owner", "local")
    assert said.timestamp == "2026-02-14T09:00:02.000Z"
    assert await palaver.message(conversation.id, said.id) == said
    assert (await palaver.messages(conversation.id)).messages == [said]
    assert await palaver.fetch(conversation.id) == [said]
    assert (await palaver.lines(conversation.id))[1].data["key"] == "api:k1"


async def test_the_author_follows_the_role(palaver: Palaver):
    conversation = await palaver.start()
    kinds: dict[str, str] = {}
    for role in ("user", "assistant", "system", "tool"):
        said = await palaver.append(conversation.id, role, "words")
        assert said.author is not None
        kinds[role] = said.author.kind
    assert kinds == {
        "user": "owner",
        "assistant": "assistant",
        "system": "system",
        "tool": "system",
    }


async def test_rich_fields_come_back(palaver: Palaver):
    conversation = await palaver.start()
    asked = await palaver.append(conversation.id, "user", "Weather?")
    rich: dict[str, Any] = {
        "model": "some-model",
        "thinking_text": "Let me look.",
        "usage": {"input": 12, "output": 3},
        "cost": 0.004,
        "parts": [{"type": "text", "text": "Rain."}],
        "tool_calls": [{"toolName": "weather", "input": {"city": "Oslo"}, "output": "rain"}],
        "suggested_values": ["yes", 2],
        "suggested_actions": [{"label": "More"}],
        "custom_payload": {"any": ["thing"]},
        "intent": "weather",
        "action_name": "look_up",
        "job_refs": ["job-1"],
        "reply_to": asked.id,
    }
    said = await palaver.append(conversation.id, "assistant", "Rain.", **rich)
    assert said.model_dump(include=set(rich)) == rich
    assert await palaver.message(conversation.id, said.id) == said


async def test_past_timestamps_bring_history_in(palaver: Palaver):
    conversation = await palaver.start()
    texts = ["2020-01-01T12:00:00+02:00", "2020-01-02T12:00:00"]
    said = [await palaver.append(conversation.id, "user", "Old", timestamp=one) for one in texts]
    assert [one.timestamp for one in said] == [
        "2020-01-01T10:00:00.000Z",
        "2020-01-02T12:00:00.000Z",
    ]
    moment = datetime(2020, 1, 3, tzinfo=UTC)
    third = await palaver.append(conversation.id, "user", "Old", timestamp=moment)
    assert third.timestamp == "2020-01-03T00:00:00.000Z"


@pytest.mark.parametrize(
    "text",
    [
        "\u202eright to left override\u202c",
        "zero\u200bwidth\u200d\ufeff",
        "Ünïcödé 👩\u200d👧 登录",
        "line\u2028separator\u0085next\x0b\x1b[31m",
        " leading and trailing \n",
    ],
)
async def test_text_is_kept_to_the_letter(palaver: Palaver, text: str):
    conversation = await palaver.start()
    await palaver.append(conversation.id, "user", text)
    assert await contents(palaver, conversation.id) == [text]


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"content": ""}, EmptyMessage),
        ({"content": " \n\t\u00a0"}, EmptyMessage),
        ({"content": "x" * (1024 * 1024 + 1)}, TooLarge),
        ({"content": "é" * (512 * 1024 + 1)}, TooLarge),
        ({"content": "a\0b"}, BadText),
        ({"content": "a\ud800b"}, BadText),
        ({"sender": "a\0b"}, BadText),
        ({"content": 5}, BadValue),
        ({"role": "robot"}, BadValue),
        ({"role": None}, BadValue),
        ({"timestamp": "yesterday"}, BadValue),
        ({"timestamp": "0001-01-01T00:00:00+14:00"}, BadValue),
        ({"key": ""}, BadValue),
        ({"key": "x" * 256}, BadValue),
        ({"cost": "free"}, BadValue),
        ({"cost": float("nan")}, BadValue),
        ({"usage": [1]}, BadValue),
        ({"tool_calls": ["not an object"]}, BadValue),
        ({"custom_payload": 2**70}, BadValue),
        ({"unheard_of": 1}, BadValue),
        ({"turn_number": 7}, BadValue),
        ({"sources": [{"messageId": "../x"}]}, BadId),
        ({"sources": [{"messageId": UNKNOWN_MESSAGE}]}, BadValue),
        ({"sources": [{"quote": "without a message"}]}, BadValue),
    ],
)
async def test_bad_input_is_refused_and_changes_nothing(
    palaver: Palaver, given: dict[str, object], error: type[InputError]
):
    conversation = await palaver.start()
    before = await palaver.lines(conversation.id)
    with pytest.raises(error) as caught:
        await palaver.append(conversation.id, **{"role": "user", "content": "words", **given})  # pyright: ignore[reportArgumentType]
    assert type(caught.value) is error
    assert caught.value.remedy
    assert await palaver.lines(conversation.id) == before


async def test_a_message_of_exactly_one_mebibyte_is_taken(palaver: Palaver):
    conversation = await palaver.start()
    said = await palaver.append(conversation.id, "user", "x" * 1024 * 1024)
    assert len(said.content) == 1024 * 1024


@pytest.mark.parametrize("wrong", ["../x", "user", "conv-", "conv-../x", "ext-01HQ", "msg-1", ""])
async def test_what_is_no_id_of_a_conversation_is_refused(palaver: Palaver, wrong: str):
    with pytest.raises(BadId):
        await palaver.append(wrong, "user", "words")
    with pytest.raises(BadId):
        await palaver.send("words", conversation_id=wrong)
    with pytest.raises(BadId):
        await palaver.messages(wrong)
    with pytest.raises(BadId):
        await palaver.fetch(wrong)
    with pytest.raises(BadId):
        await palaver.lines(wrong)
    with pytest.raises(BadId):
        await palaver.delete(wrong)
    with pytest.raises(BadId):
        await palaver.search("words", conversation_id=wrong)


async def test_an_unknown_conversation_is_not_found(palaver: Palaver):
    with pytest.raises(NotFound):
        await palaver.append(UNKNOWN, "user", "words")
    with pytest.raises(NotFound):
        await palaver.send("words", conversation_id=UNKNOWN)
    with pytest.raises(NotFound):
        await palaver.messages(UNKNOWN)
    with pytest.raises(NotFound):
        await palaver.fetch(UNKNOWN)
    with pytest.raises(NotFound):
        await palaver.lines(UNKNOWN)
    assert (await palaver.conversations()).conversations == []


async def test_turn_numbers(palaver: Palaver):
    conversation = await palaver.start()
    new = [
        NewMessage(role="system", content="Be brief."),
        NewMessage(role="assistant", content="Welcome."),
        NewMessage(role="user", content="One"),
        NewMessage(role="user", content="and a half", debounced=True),
        NewMessage(role="tool", content="looked up"),
        NewMessage(role="assistant", content="One and a half."),
        NewMessage(role="user", content="Two", debounced=True),
        NewMessage(role="user", content="Three"),
        NewMessage(role="assistant", content="Three."),
        NewMessage(role="assistant", content="Really."),
    ]
    said = await palaver.append_many(conversation.id, new)
    assert [one.turn_number for one in said] == [0, 1, 2, 2, 2, 2, 3, 4, 4, 4]
    assert (await palaver.conversation(conversation.id)).turn_count == 4


async def test_a_repeated_key_gives_the_first_result(palaver: Palaver):
    conversation = await palaver.start()
    first = await palaver.append(conversation.id, "user", "Once", key="k")
    again = await palaver.append(conversation.id, "user", "Once", key="k")
    assert again == first
    with pytest.raises(KeyReused):
        await palaver.append(conversation.id, "user", "Something else", key="k")
    assert await contents(palaver, conversation.id) == ["Once"]


async def test_a_key_belongs_to_the_conversation_it_was_used_in(palaver: Palaver):
    one, other = await palaver.start(), await palaver.start()
    await palaver.append(one.id, "user", "Once", key="k")
    with pytest.raises(KeyReused):
        await palaver.append(other.id, "user", "Once", key="k")
    fresh = NewMessage(role="user", content="Fresh")
    taken = NewMessage(role="user", content="Once", key="k")
    with pytest.raises(KeyReused):
        await palaver.append_many(other.id, [fresh, taken])
    assert await contents(palaver, other.id) == []


async def test_a_repeated_key_is_known_after_a_restart_and_after_a_rebuild(
    tmp_path: Path, clock: Clock
):
    async with library(tmp_path, clock) as palaver:
        conversation = await palaver.start()
        first = await palaver.append(conversation.id, "user", "Once", key="k")
    async with library(tmp_path, clock) as palaver:
        assert await palaver.append(conversation.id, "user", "Once", key="k") == first
        await palaver.rebuild()
        assert await palaver.append(conversation.id, "user", "Once", key="k") == first
        with pytest.raises(KeyReused):
            await palaver.append(conversation.id, "user", "Other", key="k")


async def test_a_repeated_key_of_an_erased_message_says_so(palaver: Palaver):
    conversation = await palaver.start()
    said = await palaver.append(conversation.id, "user", "Once", key="k")
    await palaver.redact(conversation.id, said.id)
    with pytest.raises(Erased):
        await palaver.append(conversation.id, "user", "Once", key="k")
    fresh = NewMessage(role="user", content="Fresh")
    with pytest.raises(Erased):
        await palaver.append_many(
            conversation.id, [fresh, NewMessage(role="user", content="Once", key="k")]
        )
    await palaver.delete(conversation.id)
    other = await palaver.start()
    with pytest.raises(Erased):
        await palaver.append(other.id, "user", "Once", key="k")
    with pytest.raises(Erased):
        await palaver.send("Once", key="k")
    assert await contents(palaver, other.id) == []


async def test_many_messages_with_keys_can_be_sent_again(palaver: Palaver):
    conversation = await palaver.start()
    new = [NewMessage(role="user", content=f"{n}", key=f"k{n}") for n in range(5)]
    first = await palaver.append_many(conversation.id, new[:3])
    again = await palaver.append_many(conversation.id, new)
    assert again[:3] == first
    assert await contents(palaver, conversation.id) == ["0", "1", "2", "3", "4"]


async def test_many_messages_are_taken_together_or_not_at_all(palaver: Palaver):
    conversation = await palaver.start()
    await palaver.append(conversation.id, "user", "Once", key="k")
    fresh = NewMessage(role="user", content="Fresh")
    for bad in (
        NewMessage(role="user", content="Another body", key="k"),
        NewMessage(role="user", content=" "),
        NewMessage(role="user", content="a\0b"),
    ):
        with pytest.raises((KeyReused, EmptyMessage, BadText)):
            await palaver.append_many(conversation.id, [fresh, bad])
    assert await contents(palaver, conversation.id) == ["Once"]
    assert await palaver.append_many(conversation.id, []) == []


async def test_a_key_used_twice_in_one_call_stands_for_one_message(palaver: Palaver):
    conversation = await palaver.start()
    new = NewMessage(role="user", content="Once", key="k")
    first, second = await palaver.append_many(conversation.id, [new, new])
    assert first == second
    assert await contents(palaver, conversation.id) == ["Once"]


async def test_pages_before_after_and_around(palaver: Palaver):
    conversation_id, ids = await numbered(palaver, 10)

    async def page(**where: str | int) -> tuple[list[int], bool]:
        found = await palaver.messages(conversation_id, **where)  # pyright: ignore[reportArgumentType]
        return [ids.index(message.id) for message in found.messages], found.has_more

    assert await page(limit=3) == ([7, 8, 9], True)
    assert await page(limit=10) == ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], False)
    assert await page(before=ids[7], limit=3) == ([4, 5, 6], True)
    assert await page(before=ids[3], limit=3) == ([0, 1, 2], False)
    assert await page(after=ids[7], limit=3) == ([8, 9], False)
    assert await page(after=ids[2], limit=3) == ([3, 4, 5], True)
    around, _ = await page(around=ids[5], limit=5)
    assert around == [3, 4, 5, 6, 7]


async def test_walking_back_is_not_disturbed_by_new_messages(palaver: Palaver):
    conversation_id, ids = await numbered(palaver, 9)
    seen: list[str] = []
    page = await palaver.messages(conversation_id, limit=2)
    while True:
        seen = [message.id for message in page.messages] + seen
        if not page.has_more:
            break
        await palaver.append(conversation_id, "user", "Meanwhile")
        page = await palaver.messages(conversation_id, before=seen[0], limit=2)
    assert seen == ids


@pytest.mark.parametrize(
    ("where", "error"),
    [
        ({"before": UNKNOWN_MESSAGE}, NotFound),
        ({"around": UNKNOWN_MESSAGE}, NotFound),
        ({"before": "../x"}, BadId),
        ({"before": UNKNOWN_MESSAGE, "after": UNKNOWN_MESSAGE}, BadValue),
        ({"limit": 0}, BadValue),
        ({"limit": 201}, BadValue),
    ],
)
async def test_a_wrong_place_is_refused(
    palaver: Palaver, where: dict[str, str | int], error: type[Exception]
):
    conversation_id, _ = await numbered(palaver, 2)
    with pytest.raises(error):
        await palaver.messages(conversation_id, **where)  # pyright: ignore[reportArgumentType]


async def test_a_message_of_another_conversation_is_not_found(palaver: Palaver):
    conversation_id, _ = await numbered(palaver, 1)
    other_id, (other_message,) = await numbered(palaver, 1)
    assert other_id != conversation_id
    with pytest.raises(NotFound):
        await palaver.message(conversation_id, other_message)
    with pytest.raises(NotFound):
        await palaver.messages(conversation_id, before=other_message)
    with pytest.raises(NotFound):
        await palaver.redact(conversation_id, other_message)


async def test_fetch_reads_turns(palaver: Palaver):
    conversation_id, _ = await numbered(palaver, 30)

    async def turns(**which: int) -> list[int]:
        return [one.turn_number for one in await palaver.fetch(conversation_id, **which)]

    assert await turns() == list(range(21, 31))
    assert await turns(around=10) == list(range(5, 16))
    assert await turns(first=3, last=5) == [3, 4, 5]
    assert await turns(first=29) == [29, 30]
    assert await turns(last=2) == [1, 2]
    assert await turns(first=31, last=40) == []


def test_the_last_turns_include_what_stands_before_the_first():
    assert turn_bounds(3, around=None, first=None, last=None) == (0, 3)
    assert turn_bounds(10, around=None, first=None, last=None) == (0, 10)
    assert turn_bounds(11, around=None, first=None, last=None) == (2, 11)
    for wrong in ({"first": 5, "last": 4}, {"around": 3, "first": 1}):
        with pytest.raises(BadValue):
            turn_bounds(9, **{"around": None, "first": None, "last": None, **wrong})


async def test_a_pinned_conversation_of_a_channel_is_read_only_here(palaver: Palaver):
    conversation = await palaver.start(channel="whatsapp")
    said = await palaver.append(conversation.id, "user", "Hello")
    assert said.channel == "whatsapp"
    assert (await palaver.update(conversation.id, Change(pinned=True))).read_only
    with pytest.raises(ReadOnly):
        await palaver.append(conversation.id, "user", "More")
    with pytest.raises(ReadOnly):
        await palaver.send("More", conversation_id=conversation.id)
    await palaver.update(conversation.id, Change(pinned=False))
    await palaver.append(conversation.id, "user", "More")
    assert await contents(palaver, conversation.id) == ["Hello", "More"]


async def test_a_quotation_must_stand_in_its_message(palaver: Palaver):
    conversation_id, (first,) = await numbered(palaver, 1)
    good = {"messageId": first, "quote": "message 0"}
    said = await palaver.append(conversation_id, "assistant", "You said so.", sources=[good])
    assert [source.to_json() for source in said.sources] == [good]
    with pytest.raises(BadValue, match="does not stand in"):
        await palaver.append(
            conversation_id, "assistant", "No.", sources=[{**good, "quote": "message 1"}]
        )


async def test_a_reply_of_ones_own_is_followed_up_however_it_is_stored(
    palaver: Palaver, monkeypatch: pytest.MonkeyPatch
):
    followed: list[str] = []
    monkeypatch.setattr(palaver._context.follow_up, "after", followed.append)  # pyright: ignore[reportPrivateUsage]
    conversation = (await palaver.start()).id
    reply = NewMessage(role="assistant", content="Blue.")
    await palaver.append_many(conversation, [reply])
    assert followed == []
    for store in ("append", "append_many"):
        await palaver.context(conversation, "Which colour?")
        if store == "append":
            await palaver.append(conversation, reply.role, reply.content)
        else:
            await palaver.append_many(conversation, [reply])
    assert followed == [conversation, conversation]
