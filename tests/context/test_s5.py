"""S5's acceptance list, line by line; the names of the tests follow it."""

from __future__ import annotations

import logging

import pytest

from palaver.app import Palaver
from palaver.context.window import MARKER, apply_context_window
from palaver.errors import BadSetting
from palaver.settings import Settings
from tests.context.histories import cost
from tests.context.makers import builder_of, talk

ROLES = ("user", "assistant")


async def test_the_second_message_is_answered_in_sight_of_the_first(palaver: Palaver) -> None:
    first = await palaver.send("My boat is called Aurora.")
    packet = await palaver.context(first.conversation_id, "What is my boat called?")
    said = [(one["role"], one["content"]) for one in packet.messages]
    assert said[0] == ("user", "My boat is called Aurora.")
    assert said[1] == ("assistant", first.reply.content)
    assert said[2:] == [("user", "What is my boat called?")]


async def test_the_history_is_what_was_stored_in_order_and_nothing_twice(palaver: Palaver) -> None:
    texts = [f"message {n}" for n in range(7)]
    conversation = await talk(palaver, *texts)
    packet = await palaver.context(conversation)
    assert [one["content"] for one in packet.messages] == texts
    again = await palaver.context(conversation, texts[-1])  # the message is stored already
    assert again.messages == packet.messages


async def test_a_conversation_of_100_messages_fits_into_the_budget(palaver: Palaver) -> None:
    conversation = await talk(palaver, *(f"{n} " + "word " * 200 for n in range(100)))
    packet = await palaver.context(conversation, "And now?")
    assert packet.tokens == cost(packet.messages) <= packet.budget == 8000
    history = [one for one in packet.messages if one["role"] in ROLES]
    assert packet.truncated_messages == 100 - (len(history) - 1)


async def test_the_newest_stay_and_a_marker_stands_for_what_is_dropped(palaver: Palaver) -> None:
    conversation = await talk(palaver, *(f"{n} " + "word " * 200 for n in range(100)))
    packet = await palaver.context(conversation, "And now?")
    assert packet.messages.count(MARKER) == 1
    place = packet.messages.index(MARKER)
    assert packet.messages[place - 1]["content"].startswith("0 ")
    newest = [one["content"].split()[0] for one in packet.messages[place + 1 :]]
    assert newest == [str(n) for n in range(101 - len(newest), 100)] + ["And"]


async def test_the_settings_are_respected(palaver: Palaver) -> None:
    conversation = await palaver.conversation(
        await talk(palaver, *(f"{n} " + "word " * 20 for n in range(60)))
    )
    few = await builder_of(palaver, max_history_messages=5).build(conversation, "now")
    assert [one["content"].split()[0] for one in few.messages if one["role"] in ROLES] == [
        *("0", "56", "57", "58", "59"),
        "now",
    ]
    turns = await builder_of(palaver, max_working_context=2).build(conversation)
    assert [one["content"].split()[0] for one in turns.messages if one["role"] in ROLES] == [
        *("0", "56", "57", "58", "59")
    ]
    small = await builder_of(palaver, max_context_tokens=500).build(conversation)
    assert small.tokens <= 500 == small.budget
    narrow = await builder_of(palaver, window=5000, reserved_tokens=4500).build(conversation)
    assert narrow.budget == 1250  # never less than a quarter of the window
    assert (await builder_of(palaver, window=6000).build(conversation)).budget == 1500
    with pytest.raises(BadSetting, match=r"conversations.maxContextTokens must be at least 500"):
        Settings.load(conversations__max_context_tokens=499)


async def test_every_packet_logs_what_was_loaded(
    palaver: Palaver, caplog: pytest.LogCaptureFixture
) -> None:
    conversation = await talk(palaver, *(f"{n} " + "word " * 200 for n in range(60)))
    with caplog.at_level(logging.INFO, "palaver.context"):
        packet = await palaver.context(conversation)
    (record,) = caplog.records
    assert record.message == "conversation_context_loaded"
    told = vars(record)
    assert told["conversation_id"] == conversation
    assert told["total_messages_in_db"] == 60
    assert told["messages_loaded"] == 60 - packet.truncated_messages
    assert told["messages_truncated"] == packet.truncated_messages > 0
    assert told["estimated_tokens"] == packet.tokens
    assert "word" not in str({key: value for key, value in told.items() if key != "args"})


async def test_a_single_message_is_all_there_is(palaver: Palaver) -> None:
    conversation = await talk(palaver, "Hello")
    packet = await palaver.context(conversation)
    assert packet.messages == [{"role": "user", "content": "Hello"}]
    assert (packet.truncated_messages, packet.left_out) == (0, ())


def test_apply_context_window_on_a_short_history() -> None:
    messages = [{"role": ROLES[n % 2], "content": f"message {n}"} for n in range(10)]
    assert apply_context_window(messages, 8000) == messages


def test_apply_context_window_on_a_long_history() -> None:
    messages = [{"role": ROLES[n % 2], "content": "word " * 100} for n in range(100)]
    shown = apply_context_window(messages, max_tokens=8000, reserved_tokens=4500)
    assert cost(shown) <= 3500
    assert shown[:2] == [messages[0], MARKER]
    assert shown[2:] == messages[-len(shown[2:]) :]


def test_apply_context_window_at_the_edges() -> None:
    assert apply_context_window([], 8000) == []
    single = [{"role": "user", "content": "Hello"}]
    assert apply_context_window(single, 8000) == single
    assert apply_context_window(single, 4500) == []
    (cut,) = apply_context_window([{"role": "user", "content": "word " * 9000}], 5000)
    assert "characters left out]" in cut["content"]
