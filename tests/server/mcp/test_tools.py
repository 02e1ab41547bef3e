"""What the recall tools take, give and refuse."""

from __future__ import annotations

import json
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from palaver import NewMessage
from palaver.agent.tools import recall
from palaver.agent.tools.excerpt import MAX_SIZE
from palaver.agent.tools.table import TOOLS
from palaver.app import Palaver
from tests.library import Clock, library
from tests.server.mcp.agents import HOSTILE, beside

ABSENT = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
BAD_SEARCHES: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, "query is missing."),
    "no words": ({"query": ""}, "There is no word in that search."),
    "only signs": ({"query": '"*" ( - :'}, "There is no word in that search."),
    "wrong type": ({"query": 3}, "query must be a string."),
    "no limit": ({"query": "figs", "limit": 0}, "limit must be at least 1."),
    "high limit": ({"query": "figs", "limit": 10_000}, "limit must be at most 200."),
    "limit as text": ({"query": "figs", "limit": "3"}, "limit must be a whole number."),
    "limit as truth": ({"query": "figs", "limit": True}, "limit must be a whole number."),
    "unknown": (
        {"query": "figs", "user": "other"},
        "'user' is not an argument of search_conversations.",
    ),
    "unknown inside": (
        {"query": "figs", "dateRange": {"since": "2026-01-01"}},
        "'dateRange.since' is not an argument of search_conversations.",
    ),
    "no date": ({"query": "figs", "dateRange": {"from": "soon"}}, "'soon' is not a day."),
    "no such day": (
        {"query": "figs", "dateRange": {"to": "2026-02-30"}},
        "'2026-02-30' is not a day.",
    ),
    "long date": (
        {"query": "figs", "dateRange": {"from": "9" * 100}},
        "dateRange.from must have at most 64 characters.",
    ),
    "no range": ({"query": "figs", "dateRange": "2026"}, "dateRange must be an object."),
    "reversed": (
        {"query": "figs", "dateRange": {"from": "2026-03-01", "to": "2026-02-01"}},
        "The time window ends before it begins.",
    ),
    "no channel": ({"query": "figs", "channel": "Fax!"}, "'Fax!' is not a channel."),
}
BAD_FETCHES: dict[str, tuple[dict[str, Any], str, str]] = {
    "nothing": ({}, "bad_value", "conversationId is missing."),
    "no id": ({"conversationId": "web_1"}, "bad_id", "'web_1' is not the id of a conversation."),
    "a way out": (
        {"conversationId": "conv-../../x"},
        "bad_id",
        "'conv-../../x' is not the id of a conversation.",
    ),
    "absent": ({"conversationId": ABSENT}, "not_found", f"There is no conversation {ABSENT}."),
    "half a range": (
        {"conversationId": ABSENT, "turnRange": {"from": 1}},
        "bad_value",
        "turnRange.to is missing.",
    ),
    "negative": (
        {"conversationId": ABSENT, "turnRange": {"from": -1, "to": 2}},
        "bad_value",
        "turnRange.from must be at least 0.",
    ),
    "no number": (
        {"conversationId": ABSENT, "turnRange": {"from": 1.5, "to": 2}},
        "bad_value",
        "turnRange.from must be a whole number.",
    ),
}


async def said(palaver: Palaver, *words: str, channel: str = "web") -> str:
    """The id of a conversation in which the user says `words`, one message a turn."""
    conversation = await palaver.start(channel)
    messages = [NewMessage(role="user", content=one) for one in words]
    await palaver.append_many(conversation.id, messages)
    return conversation.id


@pytest.mark.parametrize("case", BAD_SEARCHES)
async def test_a_bad_search_is_refused(palaver: Palaver, case: str) -> None:
    arguments, sentence = BAD_SEARCHES[case]
    async with beside(palaver) as agent:
        refused = await agent.refusal("search_conversations", **arguments)
    assert (refused["code"], refused["message"]) == ("bad_value", sentence)


@pytest.mark.parametrize("case", BAD_FETCHES)
async def test_a_bad_fetch_is_refused(palaver: Palaver, case: str) -> None:
    arguments, code, sentence = BAD_FETCHES[case]
    async with beside(palaver) as agent:
        refused = await agent.refusal("fetch_context", **arguments)
    assert (refused["code"], refused["message"]) == (code, sentence)


async def test_a_range_the_wrong_way_round_is_refused(palaver: Palaver) -> None:
    figs = await said(palaver, "figs")
    async with beside(palaver) as agent:
        refused = await agent.refusal(
            "fetch_context", conversationId=figs, turnRange={"from": 10**40, "to": 2}
        )
    assert refused["message"] == "turnRange ends before it begins."


async def test_an_unknown_tool_is_an_error_of_the_protocol(palaver: Palaver) -> None:
    async with beside(palaver) as agent:
        with pytest.raises(MCPError, match=r"There is no tool 'memory_drop'\."):
            await agent.client.call_tool("memory_drop", {})


async def test_what_nobody_foresaw_is_told_without_its_words(
    palaver: Palaver, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "no such column: secret"

    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError(words)

    monkeypatch.setattr(palaver, "search_page", broken)
    async with beside(palaver) as agent:
        refused = await agent.refusal("search_conversations", query="figs")
    assert refused["code"] == "internal_error"
    assert "secret" not in json.dumps(refused)
    logged = capsys.readouterr().err
    assert "RuntimeError" in logged
    assert "secret" not in logged


async def test_schemas_stand_in_one_piece_and_are_closed(palaver: Palaver) -> None:
    async with beside(palaver, "recall", "memory:read", "memory:write") as agent:
        tools = await agent.tools()
    assert list(tools) == [tool.name for tool in TOOLS]
    for name, tool in tools.items():
        assert "$ref" not in json.dumps([tool.input_schema, tool.output_schema])
        assert tool.input_schema["additionalProperties"] is False
        assert tool.annotations
        assert tool.annotations.read_only_hint is (name != "memory_add")
        assert "never an instruction" in (tool.description or "")
    search, fetch = tools["search_conversations"], tools["fetch_context"]
    assert list(search.input_schema["properties"]) == ["query", "channel", "dateRange", "limit"]
    assert search.input_schema["required"] == ["query"]
    assert search.input_schema["properties"]["limit"]["default"] == 10
    assert list(fetch.input_schema["properties"]) == ["conversationId", "turnRange"]
    assert fetch.output_schema
    turn = fetch.output_schema["properties"]["turns"]["items"]
    assert turn["properties"]["role"]["enum"] == ["user", "assistant"]


async def test_a_search_keeps_to_channel_dates_and_limit(palaver: Palaver) -> None:
    web, mail = await said(palaver, "figs"), await said(palaver, "figs", channel="email")
    async with beside(palaver) as agent:

        async def found(**arguments: Any) -> list[str]:
            answer = await agent.call("search_conversations", query="figs", **arguments)
            return [result["conversationId"] for result in answer["results"]]

        assert sorted(await found()) == sorted([web, mail])
        assert await found(channel="email") == [mail]
        assert await found(channel="fax") == []
        assert len(await found(limit=1)) == 1
        assert await found(dateRange={"from": "2026-02-15"}) == []
        assert len(await found(dateRange={"to": "2026-02-14"})) == 2
        assert len(await found(channel=None, dateRange={"from": None})) == 2
        answer = await agent.call(
            "search_conversations", query="figs", dateRange={"from": "2026-02-14"}
        )
        assert answer["timeWindow"] == {"from": "2026-02-13T23:00:00.000Z", "to": None}
        assert (await agent.call("search_conversations", query="figs"))["timeWindow"] is None


async def test_a_search_says_that_a_time_was_passed_over(palaver: Palaver) -> None:
    await said(palaver, "figs")
    async with beside(palaver) as agent:
        passed_over = await agent.call("search_conversations", query="figs in March 2025")
        kept_to = await agent.call("search_conversations", query="figs today")
        schema = (await agent.tools())["search_conversations"].output_schema
    assert len(passed_over["results"]) == len(kept_to["results"]) == 1
    assert passed_over["timeWindow"] is None
    assert passed_over["emptyWindow"]["from"] == "2025-02-28T23:00:00.000Z"
    assert kept_to["emptyWindow"] is None
    assert kept_to["timeWindow"]
    assert schema
    for name in ("totalMatches", "timeWindow", "emptyWindow"):
        assert schema["properties"][name]["description"].endswith(".")


async def test_a_result_says_who_said_it_where_and_when(palaver: Palaver) -> None:
    conversation = await palaver.start("email", title="Orchard")
    await palaver.append(
        conversation.id, "user", "The figs are ripe.", sender="Ada", timestamp="2025-12-31T23:30Z"
    )
    async with beside(palaver) as agent:
        (result,) = (await agent.call("search_conversations", query="figs"))["results"]
        (turn,) = (await agent.call("fetch_context", conversationId=conversation.id))["turns"]
    assert (result["channel"], result["conversationName"]) == ("email", "Orchard")
    assert result["date"] == "Thursday 1 January 2026, 00:30"
    for label in (result, turn):
        assert label["role"] == "user"
        assert label["sender"] == "Ada"
        assert label["author"]["kind"] == "owner"
        assert label["timestamp"] == "2025-12-31T23:30:00.000Z"


@pytest.mark.parametrize("words", HOSTILE, ids=range(len(HOSTILE)))
async def test_hostile_words_come_back_as_data(palaver: Palaver, words: str) -> None:
    conversation = await palaver.start(title=words[:100])
    await palaver.append(conversation.id, "user", words, sender=words[:100])
    async with beside(palaver) as agent:
        read = await agent.call("fetch_context", conversationId=conversation.id)
        found = await agent.call("search_conversations", query="figs")
        text = await agent.text("fetch_context", conversationId=conversation.id)
    (turn,) = read["turns"]
    assert (turn["role"], turn["content"]) == ("user", words)
    assert found["totalMatches"] == 1
    assert text.isprintable()
    assert "\n" not in text


async def test_a_system_message_never_comes_back(palaver: Palaver) -> None:
    conversation = await palaver.start()
    for role in ("system", "user", "tool", "assistant"):
        await palaver.append(conversation.id, role, f"figs, said the {role}")
    async with beside(palaver) as agent:
        read = await agent.call("fetch_context", conversationId=conversation.id)
        for role, said in (("user", 1), ("assistant", 1), ("tool", 1), ("system", 0)):
            found = await agent.call("search_conversations", query=role)
            assert [result["role"] for result in found["results"]] == [role] * said
    assert [turn["role"] for turn in read["turns"]] == ["user", "assistant"]


async def test_what_was_erased_is_gone(palaver: Palaver) -> None:
    figs = await said(palaver, "figs", "quinces")
    (message, _) = await palaver.fetch(figs)
    await palaver.redact(figs, message.id)
    async with beside(palaver) as agent:
        read = await agent.call("fetch_context", conversationId=figs)
        assert (await agent.call("search_conversations", query="figs"))["results"] == []
    assert [turn["content"] for turn in read["turns"]] == ["quinces"]


async def test_the_last_ten_turns_unless_others_are_asked_for(palaver: Palaver) -> None:
    counted = await said(palaver, *(f"number {number}" for number in range(1, 31)))
    async with beside(palaver) as agent:

        async def numbers(**arguments: Any) -> list[int]:
            read = await agent.call("fetch_context", conversationId=counted, **arguments)
            assert read["totalTurns"] == 30
            return [turn["turnNumber"] for turn in read["turns"]]

        assert await numbers() == list(range(21, 31))
        assert await numbers(turnRange=None) == list(range(21, 31))
        assert await numbers(turnRange={"from": 5, "to": 17}) == list(range(5, 18))
        assert await numbers(turnRange={"from": 0, "to": 10**40}) == list(range(1, 31))
        assert await numbers(turnRange={"from": 31, "to": 40}) == []


async def test_a_conversation_in_which_nothing_was_said_is_empty(palaver: Palaver) -> None:
    conversation = await palaver.start()
    async with beside(palaver) as agent:
        read = await agent.call("fetch_context", conversationId=conversation.id)
    assert (read["turns"], read["totalTurns"], read["truncated"]) == ([], 0, False)


async def test_a_long_conversation_comes_in_portions(palaver: Palaver) -> None:
    long = await said(palaver, *("x" * 20_000 + f" {number}" for number in range(1, 21)))
    async with beside(palaver) as agent:
        wanted, seen = {"from": 1, "to": 20}, list[int]()
        while wanted:
            read = await agent.call("fetch_context", conversationId=long, turnRange=wanted)
            assert sum(len(turn["content"]) for turn in read["turns"]) <= MAX_SIZE
            assert read["truncated"] is (read["omitted"] is not None)
            seen += [turn["turnNumber"] for turn in read["turns"]]
            wanted = read["omitted"]
        assert seen == list(range(1, 21))
        newest = await agent.call("fetch_context", conversationId=long)
    assert newest["turns"][-1]["turnNumber"] == 20
    assert newest["omitted"] == {"from": 11, "to": newest["turns"][0]["turnNumber"] - 1}


async def test_a_huge_message_is_cut_and_a_large_one_is_not(palaver: Palaver) -> None:
    large = await said(palaver, "y" * 100_000)
    huge = await said(palaver, "z" * 1_000_000, "after")
    async with beside(palaver) as agent:
        (whole,) = (await agent.call("fetch_context", conversationId=large))["turns"]
        read = await agent.call(
            "fetch_context", conversationId=huge, turnRange={"from": 1, "to": 2}
        )
    assert (len(whole["content"]), whole["truncated"]) == (100_000, False)
    assert [turn["truncated"] for turn in read["turns"]] == [True]
    assert len(read["turns"][0]["content"]) < MAX_SIZE
    assert (read["truncated"], read["omitted"]) == (True, {"from": 2, "to": 2})


async def test_a_turn_of_very_many_messages_is_bounded(palaver: Palaver) -> None:
    conversation = await palaver.start()
    messages = [NewMessage(role="assistant", content="ok")] * 2_000
    await palaver.append_many(conversation.id, messages)
    async with beside(palaver) as agent:
        read = await agent.call("fetch_context", conversationId=conversation.id)
        text = await agent.text("fetch_context", conversationId=conversation.id)
    assert read["truncated"] is True
    assert len(text) < 2 * MAX_SIZE


async def test_another_users_conversation_is_as_good_as_none(home: Path, palaver: Palaver) -> None:
    other = library(home / "users" / "usr-other", Clock())
    async with other as elsewhere:
        foreign = await said(elsewhere, "figs")
    async with beside(palaver) as agent:
        refused = await agent.refusal("fetch_context", conversationId=foreign)
        absent = await agent.refusal("fetch_context", conversationId=ABSENT)
        assert (await agent.call("search_conversations", query="figs"))["totalMatches"] == 0
    assert {**refused, "message": refused["message"].replace(foreign, ABSENT)} == absent


async def test_a_match_that_is_erased_meanwhile_is_left_out(
    palaver: Palaver, monkeypatch: pytest.MonkeyPatch
) -> None:
    figs, kept = await said(palaver, "figs"), await said(palaver, "figs")
    search = palaver.search_page

    async def and_erase(*args: Any, **named: Any) -> Any:
        page = await search(*args, **named)
        await palaver.delete(figs)
        return page

    monkeypatch.setattr(palaver, "search_page", and_erase)
    async with beside(palaver) as agent:
        found = await agent.call("search_conversations", query="figs")
    assert [result["conversationId"] for result in found["results"]] == [kept]


def test_dates_do_not_depend_on_the_width_of_a_day() -> None:
    assert recall.spoken_date("2026-03-01T04:05:06.000Z", UTC) == "Sunday 1 March 2026, 04:05"
