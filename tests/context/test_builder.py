"""The builder: which sections a packet has, what they cost, and what is left out of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palaver.app import Palaver
from palaver.context.packet import ContextPacket
from palaver.context.ports import Summary
from palaver.context.retriever import Retriever
from palaver.context.window import MARKER
from palaver.errors import BadText, EmptyMessage, IndexDegraded, NotFound
from palaver.index.port import Index
from palaver.ledger.lines import turn
from tests.context.histories import TEXTS, UNSEEN, cost, stored
from tests.context.makers import (
    FixedState,
    FixedSummaries,
    Item,
    State,
    builder_of,
    summary,
    talk,
)

WORDY = "word " * 150
FORTY = [f"{n} {WORDY}" for n in range(40)]


def names(packet: ContextPacket) -> list[str]:
    return [section.name for section in packet.sections]


def said(packet: ContextPacket) -> list[dict[str, Any]]:
    """The history, after all that stands before it."""
    return packet.messages[len(packet.sections) - 1 :]


def contents(packet: ContextPacket) -> list[str]:
    return [one["content"].split()[0] for one in packet.messages if one["role"] != "system"]


async def told(palaver: Palaver, *summaries: Summary, **given: Any) -> ContextPacket:
    conversation = await palaver.conversation(await talk(palaver, *given.pop("texts", FORTY)))
    ports = {"summaries": FixedSummaries(list(summaries))}
    return await builder_of(palaver, ports=ports, **given).build(conversation, "and now?")


# -- which message is answered -------------------------------------------------------------------


async def test_a_stored_message_is_answered_from_what_came_before_it(palaver: Palaver) -> None:
    conversation = await palaver.conversation(await talk(palaver, "one", "two", "three", "four"))
    asked = (await palaver.messages(conversation.id)).messages[2]
    packet = await builder_of(palaver).build(conversation, asked)
    assert contents(packet) == ["one", "two", "three"]


async def test_a_message_that_is_not_stored_comes_last_and_is_not_kept(palaver: Palaver) -> None:
    conversation = await talk(palaver, "one", "two")
    assert contents(await palaver.context(conversation, "three")) == ["one", "two", "three"]
    assert contents(await palaver.context(conversation)) == ["one", "two"]


async def test_a_repeated_word_is_a_new_message_once_it_was_answered(palaver: Palaver) -> None:
    conversation = await talk(palaver, "yes", "what?")
    assert contents(await palaver.context(conversation, "yes")) == ["yes", "what?", "yes"]


async def test_what_could_not_be_sent_cannot_be_previewed(palaver: Palaver) -> None:
    conversation = await talk(palaver, "one")
    with pytest.raises(EmptyMessage):
        await palaver.context(conversation, " ")
    with pytest.raises(BadText):
        await palaver.context(conversation, "\ud800")
    with pytest.raises(NotFound):
        await palaver.context("conv-01HQXK5J7G8M3N4P5R6S7T8V9W")


async def test_erased_messages_are_gone_and_the_next_one_is_the_first(palaver: Palaver) -> None:
    conversation = await talk(palaver, "zero", "one", *FORTY, *FORTY)
    first, second = (await palaver.messages(conversation, limit=200)).messages[:2]
    await palaver.redact(conversation, first.id)
    packet = await palaver.context(conversation)
    assert said(packet)[0]["content"] == "one"
    await palaver.redact(conversation, second.id)
    packet = await palaver.context(conversation)
    assert said(packet)[0]["content"].startswith("0 ")
    assert said(packet)[1] == MARKER


async def test_what_is_not_finished_or_superseded_is_not_shown(palaver: Palaver) -> None:
    conversation = await talk(palaver, "one", "two", "three")
    (old,) = (await palaver.messages(conversation, limit=1)).messages
    ledger = palaver._ledger  # pyright: ignore[reportPrivateUsage]
    await ledger.append(
        [
            turn(conversation, "user", "instead", supersedes=old.id, turnNumber=2),
            turn(conversation, "assistant", "I am sti", status="streaming"),
        ]
    )
    assert contents(await palaver.context(conversation)) == ["one", "two", "instead"]


async def test_no_marker_stands_where_nothing_is_missing(palaver: Palaver) -> None:
    conversation = await palaver.conversation(await talk(palaver, *"abcdef"))
    builder = builder_of(palaver, max_history_messages=5)
    packet = await builder.build(conversation)
    assert contents(packet) == list("abcdef")
    assert (MARKER in packet.messages, packet.truncated_messages) == (False, 0)
    packet = await builder.build(conversation, "g")
    assert contents(packet) == list("acdefg")
    assert packet.messages[1] == MARKER
    assert packet.truncated_messages == 1


# -- summaries -----------------------------------------------------------------------------------


async def test_a_summary_is_told_when_something_is_missing(palaver: Palaver) -> None:
    packet = await told(palaver, summary("They talked.", 20, sources=["msg-1"]))
    assert names(packet)[0] == "summary"
    assert [one.message_id for one in packet.sections[0].sources] == ["msg-1"]
    text = packet.messages[0]["content"]
    assert text.startswith("A summary of this conversation, made 2026-02-14 09:00.")
    assert text.endswith("\n> They talked.")


async def test_a_summary_of_what_is_all_there_is_not_told(palaver: Palaver) -> None:
    packet = await told(palaver, summary("They talked.", 2), texts=["one", "two"])
    assert names(packet) == ["history"]
    assert packet.rolling_summary == "They talked."


async def test_with_summarize_a_summary_stands_for_what_it_tells(palaver: Palaver) -> None:
    given = {"texts": [str(n) for n in range(10)], "context_strategy": "summarize"}
    packet = await told(palaver, summary("Digits.", 7), **given)
    assert contents(packet) == ["0", "7", "8", "9", "and"]
    assert packet.truncated_messages == 6
    assert "told by a summary: 6" in packet.left_out[-1].reason
    everything = await told(palaver, summary("Digits.", 99), **given)
    assert contents(everything) == ["0", "9", "and"]


async def test_a_long_summary_is_shown_head_and_tail(palaver: Palaver) -> None:
    packet = await told(palaver, summary("Begin. " + "and so on " * 5000 + "The end.", 20))
    assert packet.sections[0].tokens <= packet.sections[0].budget
    assert packet.messages[0]["content"].endswith("The end.")
    assert packet.left_out[0].section == "summary"


async def test_a_summary_without_a_place_in_the_policy_is_not_told(palaver: Palaver) -> None:
    packet = await told(palaver, summary("Yesterday.", 20, section="yesterday"))
    assert "yesterday" not in names(packet)


async def test_a_continuous_conversation_is_told_by_its_days(
    palaver: Palaver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(Retriever, "find")  # nothing is looked for: the model has tools for that
    conversation = await palaver.conversation(await talk(palaver, *FORTY))
    continuous = conversation.model_copy(update={"mode": "continuous"})
    days = [
        summary("Today was fine.", 30, section="today"),
        summary("Yesterday it rained.", 10, section="yesterday", seq=998),
        summary("Never mind.", 10, seq=997),
    ]
    builder = builder_of(palaver, ports={"summaries": FixedSummaries(days)})
    packet = await builder.build(continuous, "and now?")
    assert names(packet) == ["yesterday", "today", "history"]
    assert [one["content"].split("\n")[-1] for one in packet.messages[:3]] == [
        "> Yesterday it rained.",
        "> Today was fine.",
        "[Earlier messages truncated]",
    ]
    assert packet.sections[-1].tokens <= 4000 == packet.sections[-1].budget
    assert "0" not in contents(packet)  # the first message is a matter of search here


# -- state and rounds ----------------------------------------------------------------------------


async def test_the_newest_open_items_are_told_if_not_all_fit(palaver: Palaver) -> None:
    conversation = await palaver.conversation(await talk(palaver, *FORTY))
    loops = [Item(f"Loop {n} is open. " * 10, f"msg-{n}", n) for n in range(30)]
    ports = {"states": FixedState(State(open_loops=loops))}
    packet = await builder_of(palaver, ports=ports).build(conversation)
    state = packet.sections[0]
    assert (state.name, state.tokens <= state.budget) == ("state", True)
    assert state.sources[-1].message_id == "msg-29"
    assert any(one.reason.startswith("Older items") for one in packet.left_out)


async def test_an_earlier_round_worth_its_tokens_is_shown_again(palaver: Palaver) -> None:
    conversation = await talk(
        palaver, "hello", "hi", "The zeppelin leaves at noon.", "Noted.\nObey me!", *FORTY
    )
    packet = await palaver.context(conversation, "When does the zeppelin leave?")
    assert names(packet) == ["state", "rounds", "history"]
    shown = packet.messages[1]
    assert shown["role"] == "system"
    assert shown["content"].split("\n")[2:] == [
        "The user, 2026-02-14 09:00:",
        "> The zeppelin leaves at noon.",
        "The assistant, 2026-02-14 09:00:",
        "> Noted.",
        "> Obey me!",
    ]
    assert len(packet.sections[1].sources) == 2


async def test_what_has_nothing_to_do_with_it_is_not_shown_again(palaver: Palaver) -> None:
    conversation = await talk(palaver, "The zeppelin leaves at noon.", "Noted.", *FORTY)
    for text in ("How do penguins sleep?", "…", "?!"):
        assert names(await palaver.context(conversation, text)) == ["state", "history"]


async def test_what_the_window_shows_is_not_told_as_state_as_well(palaver: Palaver) -> None:
    asked = "Remind me to renew the passport."
    conversation = await talk(palaver, asked, "I will.")
    packet = await palaver.context(conversation, "Hello again")
    assert [item.text for item in packet.open_loops] == [asked]
    assert names(packet) == ["history"]
    conversation = await talk(palaver, "Hello", "Hi.", asked, "I will.", *FORTY)
    packet = await palaver.context(conversation, "Hello again")
    assert f"> {asked}" in packet.messages[0]["content"]


async def test_rounds_with_something_open_are_shown_again(palaver: Palaver) -> None:
    conversation = await talk(palaver, "hello", "hi", "Remind me to call Anna.", "I will.", *FORTY)
    asked = (await palaver.messages(conversation, limit=200)).messages[2]
    state = State(open_loops=[Item("Remind me to call Anna.", asked.id, asked.turn_number)])
    builder = builder_of(palaver, ports={"states": FixedState(state)})
    packet = await builder.build(await palaver.conversation(conversation), "How do penguins sleep?")
    assert names(packet) == ["state", "rounds", "history"]
    assert "> I will." in packet.messages[1]["content"]


async def test_rounds_in_the_window_are_not_shown_again(palaver: Palaver) -> None:
    conversation = await talk(palaver, *FORTY, "The zeppelin leaves at noon.", "Noted.")
    packet = await palaver.context(conversation, "When does the zeppelin leave?")
    assert sum("zeppelin leaves" in str(one["content"]) for one in packet.messages) == 1


async def test_of_a_round_that_is_seen_in_part_only_the_rest_is_shown(palaver: Palaver) -> None:
    first, reply = "The zeppelin leaves at noon.", "The zeppelin is ready to leave."
    conversation = await talk(palaver, first, reply, *FORTY)
    packet = await palaver.context(conversation, "When does the zeppelin leave?")
    assert names(packet) == ["state", "rounds", "history"]
    assert f"> {reply}" in packet.messages[1]["content"]
    assert sum(first in str(one["content"]) for one in packet.messages) == 1


async def test_a_packet_is_made_without_search(
    palaver: Palaver, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = await talk(palaver, *FORTY)
    index: Index = palaver._index  # pyright: ignore[reportPrivateUsage]

    async def degraded(*_: object) -> None:
        raise IndexDegraded

    monkeypatch.setattr(index, "evidence", degraded)
    packet = await palaver.context(conversation, "What about the word?")
    assert names(packet) == ["state", "history"]
    assert packet.left_out[0].section == "rounds"
    assert packet.left_out[0].reason.startswith("Earlier rounds could not be looked for.")


async def test_a_long_message_is_not_cut_for_the_sake_of_sections(palaver: Palaver) -> None:
    conversation = await palaver.conversation(await talk(palaver, *FORTY))
    long = "tale " * 6000
    ports = {
        "states": FixedState(State(active_topics=["boats"])),
        "summaries": FixedSummaries([summary("They talked. " * 500, 20)]),
    }
    packet = await builder_of(palaver, ports=ports).build(conversation, long)
    assert packet.messages[-1]["content"] == long
    assert packet.tokens == cost(packet.messages) <= 8000


# -- whatever the history ------------------------------------------------------------------------


@settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(st.data())
async def test_the_budget_holds_for_the_whole_packet(palaver: Palaver, data: st.DataObject) -> None:
    messages = data.draw(stored(most=8))
    conversation = await palaver.start()
    for one in messages:
        if one.content.strip() or one.tool_calls:
            text = one.content if one.status != "superseded" else UNSEEN
            await palaver.append(conversation.id, one.role, text, tool_calls=one.tool_calls)
    loops = [Item(text, f"msg-{n}", n) for n, text in enumerate(data.draw(st.lists(TEXTS)))]
    ports = {
        "states": FixedState(State(active_topics=["boats"], open_loops=loops)),
        "summaries": FixedSummaries([summary(data.draw(TEXTS), 3)]),
    }
    budget = data.draw(st.integers(500, 3000))
    builder = builder_of(palaver, ports=ports, max_context_tokens=budget)
    packet = await builder.build(conversation, data.draw(st.one_of(st.none(), TEXTS)))
    assert packet.tokens == cost(packet.messages) <= budget
    assert packet.tokens == sum(section.tokens for section in packet.sections)
    assert all(section.tokens <= section.budget for section in packet.sections)
