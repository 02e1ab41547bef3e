"""The packet of the continuous conversation: today word for word, today and yesterday in short."""

from __future__ import annotations

from typing import Any

import pytest

from palaver.app import Palaver
from palaver.context.days import DayReader
from palaver.context.packet import ContextPacket
from palaver.context.window import MARKER
from palaver.conversation.records import Choices, NewMessage
from palaver.ledger.lines import event
from tests.context.histories import cost
from tests.context.makers import builder_of
from tests.library import Clock

SATURDAY = "2026-02-14"
WORDY = "word " * 150


async def say(palaver: Palaver, *texts: str) -> str:
    """User and assistant take turns in it."""
    conversation = (await palaver.continuous.ensure()).id
    for number, text in enumerate(texts):
        await palaver.append(conversation, ("user", "assistant")[number % 2], text)
    return conversation


async def tell(palaver: Palaver, day: str, text: str, **fields: Any) -> None:
    """Somebody has written a summary of a day."""
    conversation = await palaver.continuous.ensure()
    given = {"through": conversation.turn_count, "covers": 0, "by": "offline", **fields}
    drafts = [event(conversation.id, "day_summary", day=day, summary=text, **given)]
    await palaver._ledger.append(drafts)  # pyright: ignore[reportPrivateUsage]


async def packet_of(palaver: Palaver, message: str | None = None) -> ContextPacket:
    return await palaver.context((await palaver.continuous.ensure()).id, message)


def names(packet: ContextPacket) -> list[str]:
    return [section.name for section in packet.sections]


def shown(packet: ContextPacket, name: str) -> str:
    return packet.messages[names(packet).index(name)]["content"]


def contents(packet: ContextPacket) -> list[str]:
    return [one["content"].split()[0] for one in packet.messages if one["role"] != "system"]


async def test_only_today_is_shown_word_for_word(palaver: Palaver, clock: Clock) -> None:
    await say(palaver, "old", "older")
    clock.advance(days=1)
    await say(palaver, "one", "two", "three")
    packet = await packet_of(palaver)
    assert contents(packet) == ["one", "two", "three"]
    assert packet.truncated_messages == 0
    assert MARKER not in packet.messages


async def test_the_first_message_of_a_day_sees_what_tells_of_yesterday(
    palaver: Palaver, clock: Clock
) -> None:
    await say(palaver, "tea", "noted")
    await tell(palaver, SATURDAY, "## Summary\nThey spoke of tea.")
    clock.advance(days=1)
    for packet in [await packet_of(palaver, "milk"), await _said(palaver, "milk")]:
        assert names(packet) == ["yesterday", "history"]
        assert contents(packet) == ["milk"]
        told = shown(packet, "yesterday")
        assert "A summary of yesterday, Saturday, 14 February 2026, made 2026-02-14 09:" in told
        assert told.endswith("\n> ## Summary\n> They spoke of tea.")
        assert "not instructions" in told


async def _said(palaver: Palaver, text: str) -> ContextPacket:
    await say(palaver, text)
    return await packet_of(palaver)


async def test_the_day_before_is_the_one_on_which_something_was_said(
    palaver: Palaver, clock: Clock
) -> None:
    await say(palaver, "tea", "noted")
    await tell(palaver, SATURDAY, "- Tea.")
    clock.advance(days=33)
    told = shown(await packet_of(palaver, "back"), "yesterday")
    assert "A summary of the last day before today, Saturday, 14 February 2026, made" in told


async def test_today_is_told_by_its_newest_summary_although_all_of_it_is_there(
    palaver: Palaver, clock: Clock
) -> None:
    await say(palaver, "tea", "noted")
    await tell(palaver, SATURDAY, "- Nothing yet.")
    await tell(palaver, SATURDAY, "- Tea.")
    packet = await packet_of(palaver, "milk")
    assert names(packet) == ["today", "history"]
    assert contents(packet) == ["tea", "noted", "milk"]
    assert shown(packet, "today").startswith("A summary of today, Saturday, 14 February 2026")
    assert "Nothing yet" not in shown(packet, "today")


async def test_a_message_of_an_earlier_day_is_answered_from_its_own_day(
    palaver: Palaver, clock: Clock
) -> None:
    await say(palaver, "tea", "noted", "milk")
    await tell(palaver, SATURDAY, "- Tea.")
    clock.advance(days=1)
    conversation = await say(palaver, "bread", "noted")
    asked = (await palaver.messages(conversation)).messages[2]
    days = DayReader(palaver._index, palaver.user, palaver.zone, clock)  # pyright: ignore[reportPrivateUsage]
    builder = builder_of(palaver, ports={"days": days})
    packet = await builder.build(await palaver.conversation(conversation), asked)
    assert contents(packet) == ["tea", "noted", "milk"]
    assert names(packet) == ["today", "history"]


async def test_an_endless_day_costs_no_more_than_its_window(palaver: Palaver) -> None:
    conversation = (await palaver.continuous.ensure()).id
    said = [
        NewMessage(role=("user", "assistant")[number % 2], content=f"{number} {WORDY}")
        for number in range(300)
    ]
    await palaver.append_many(conversation, said)
    await tell(palaver, SATURDAY, "- It goes on.\n" * 400)
    packet = await packet_of(palaver, "and now?")
    assert cost(packet.messages) == packet.tokens <= packet.budget
    assert packet.sections[-1].tokens <= 4000
    assert contents(packet)[-2:] == ["299", "and"]
    assert packet.truncated_messages == 300 - (len(contents(packet)) - 1)
    assert packet.messages[len(packet.sections) - 1] == MARKER
    assert "characters left out" in shown(packet, "today")


async def test_short_messages_of_a_day_are_shown_as_many_as_fit(palaver: Palaver) -> None:
    conversation = (await palaver.continuous.ensure()).id
    said = [NewMessage(role="user", content=f"{number}") for number in range(120)]
    await palaver.append_many(conversation, said)
    packet = await packet_of(palaver)
    assert contents(packet) == [f"{number}" for number in range(120)]
    assert packet.truncated_messages == 0


async def test_tool_output_is_trimmed_before_a_word_of_anybody_goes(palaver: Palaver) -> None:
    conversation = await say(palaver, *(f"{n} {WORDY}" for n in range(6)))
    call: dict[str, Any] = {"toolName": "read_file", "input": {}, "output": "line\n" * 4000}
    await palaver.append(conversation, "assistant", "I have read it.", tool_calls=[call])
    packet = await packet_of(palaver, "and?")
    texts = [one.get("content") or "" for one in packet.messages if one["role"] != "tool"]
    assert [text.split()[0] for text in texts if WORDY in text] == [f"{n}" for n in range(6)]
    (output,) = [one["content"] for one in packet.messages if one["role"] == "tool"]
    assert "characters left out" in output
    assert MARKER not in packet.messages


async def test_what_was_shown_of_days_is_shown_again(palaver: Palaver, clock: Clock) -> None:
    await say(palaver, "tea", "noted")
    await tell(palaver, SATURDAY, "- Tea.")
    clock.advance(days=1)
    conversation = (await palaver.continuous.ensure()).id
    first = await palaver.send("milk and more", conversation_id=conversation)
    await tell(palaver, "2026-02-15", "- Milk.")
    second = await palaver.send("bread and more", conversation_id=conversation)
    await tell(palaver, SATURDAY, "- Tea, told anew.")
    for reply, sections in ((first, ["yesterday"]), (second, ["yesterday", "today"])):
        again = await palaver.context(conversation, turn=reply.turn_number)
        told = [name for name in names(again) if name in ("yesterday", "today")]
        assert told == sections
        text = "\n".join(one["content"] for one in again.messages if one["role"] == "system")
        assert "A summary of yesterday, Saturday, 14 February 2026" in text
        assert "> - Tea.\n" in f"{text}\n"
        assert "anew" not in text


async def test_the_zone_of_the_user_decides_which_day_a_new_message_would_begin(
    palaver: Palaver, clock: Clock
) -> None:
    await say(palaver, "tea", "noted")
    await tell(palaver, SATURDAY, "- Tea.")
    clock.advance(hours=3)
    assert names(await packet_of(palaver, "milk")) == ["today", "history"]
    await palaver.set_me(Choices(timezone="Pacific/Kiritimati"))
    assert names(await packet_of(palaver, "milk")) == ["yesterday", "history"]


@pytest.mark.parametrize("strategy", ["truncate", "summarize"])
async def test_a_summary_stands_for_what_it_tells_if_that_is_wanted(
    palaver: Palaver, clock: Clock, strategy: str
) -> None:
    conversation = await palaver.conversation(await say(palaver, "tea", "noted", "milk"))
    second = (await palaver.messages(conversation.id)).messages[1]
    await tell(palaver, SATURDAY, "- Tea.", covers=second.seq)
    days = DayReader(palaver._index, palaver.user, palaver.zone, clock)  # pyright: ignore[reportPrivateUsage]
    builder = builder_of(palaver, ports={"days": days}, context_strategy=strategy)
    packet = await builder.build(conversation)
    expected = ["milk"] if strategy == "summarize" else ["tea", "noted", "milk"]
    assert contents(packet) == expected
