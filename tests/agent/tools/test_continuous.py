"""`conversation_search` and `conversation_get`: what they give, keep and refuse."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from palaver.agent.offline.texts import DECIDED
from palaver.agent.toolbox import Caller, Output
from palaver.agent.tools.making import recall_tools
from palaver.agent.tools.past import Past
from palaver.app import Palaver
from palaver.errors import BadCursor, BadId, BadValue, NotFound
from palaver.index.records import Message
from palaver.settings import Settings
from tests.conversation.diary import Diary, source
from tests.library import Clock
from tests.server.mcp.agents import HOSTILE

TUESDAY = "2026-02-03"
ABSENT = "msg-01HQXK5J7G8M3N4P5R6S7T8V9W"
_AFTERNOON = (
    "The clouds are grey over the lake.",
    "My sister rang about the roof.",
    "How long is the way to the harbour?",
    "We will go with the blue boat for 900 euros.",
    "The kettle is on.",
    "It rains again.",
)
_DECIDED = 3
ME = Caller("", frozenset({"recall"}))


async def used(palaver: Palaver, name: str, **given: object) -> Output:
    (tool,) = [one for one in recall_tools(Past(palaver, palaver.zone)) if one.name == name]
    return await tool.run(dict(given), ME)


async def given(palaver: Palaver, name: str, **arguments: object) -> dict[str, Any]:
    return json.loads((await used(palaver, name, **arguments)).content)


@pytest.fixture
async def said(palaver: Palaver, clock: Clock) -> list[Message]:
    diary = Diary(palaver, clock)
    clock.now = datetime(2026, 2, 3, tzinfo=UTC)
    asked, replied = await diary.on(
        "2026-02-03T10:00Z", "Which harbour do we sail to?", "To Kiel, the harbour with cranes."
    )
    await diary.tell(TUESDAY, "- The harbour is Kiel.", replied, [source(replied, 0)])
    return [asked, replied]


async def test_a_search_says_who_said_it_and_when(palaver: Palaver, said: list[Message]) -> None:
    output = await used(palaver, "conversation_search", query="harbour")
    answer = json.loads(output.content)
    assert {one["kind"] for one in answer["results"]} == {"message", "summary"}
    (message,) = [one for one in answer["results"] if one["kind"] == "message"]
    (summary,) = [one for one in answer["results"] if one["kind"] == "summary"]
    assert message["messageId"] == said[0].id
    assert message["dayLabel"] == summary["dayLabel"] == TUESDAY
    assert message["daySegmentId"] == summary["daySegmentId"]
    assert message["date"].startswith("Tuesday 3 February 2026, ")
    assert (message["coveredBySummary"], message["role"] in ("user", "assistant")) == (True, True)
    assert summary["summarySnippet"] == "The harbour is Kiel."
    assert answer["nextCursor"] is None


async def test_what_was_decided_from_two_to_four_is_told_by_one_call(
    kept: Settings, clock: Clock
) -> None:
    """On every engine, with summaries as they are made: nobody says the word "decide"."""
    async with Palaver.open(settings=kept, clock=clock) as palaver:
        diary = Diary(palaver, clock)
        await diary.lives_in("Europe/Berlin")
        await diary.on("2026-02-03T08:00Z", "Let's take the green paint for the door.", "Fine.")
        asked: list[Message] = []
        for minute, text in enumerate(_AFTERNOON):
            asked += (await diary.on(f"2026-02-03T13:{minute * 5:02}Z", text, "I see."))[:1]
        await diary.on("2026-02-03T17:00Z", "We will go with the red car.", "Fine.")
        await palaver.continuous.regenerate(TUESDAY)
        await palaver.settle()
        await diary.on("2026-02-20T09:00Z", "We decided to wait.", "Fine.")
        await palaver.catch_up()
        query = "What did we decide on 3 February between 2 and 4 pm?"
        answer = await given(palaver, "conversation_search", query=query)
        everywhere = await given(palaver, "search_conversations", query=query)
        (hit, *_) = await palaver.search_messages(query)
        sent = [
            await palaver.send(query, conversation_id=conversation_id)
            for conversation_id in (asked[0].conversation_id, (await palaver.start()).id)
        ]
    first, *others = [one for one in answer["results"] if one["kind"] == "message"]
    assert first["messageId"] == asked[_DECIDED].id
    assert first["score"] == 1
    assert {one["messageId"] for one in others} < {one.id for one in asked}
    assert all(one["score"] > 0 for one in answer["results"])
    assert answer["timeWindow"] == {
        "from": "2026-02-03T13:00:00.000Z",
        "to": "2026-02-03T15:00:00.000Z",
    }
    (result,) = everywhere["results"]
    assert (result["score"], result["matchedTurns"][0]) == (1, asked[_DECIDED].turn_number)
    assert (hit.score, hit.message_ids[0]) == (1, asked[_DECIDED].id)
    for one in sent:  # the offline assistant, there and in another conversation
        assert f"{DECIDED}\n\n" in one.reply.content
        assert one.reply.content.count("\n> ") == 1
        assert "> We will go with the blue boat for 900 euros." in one.reply.content
        assert [one.message_id for one in one.reply.sources or ()] == [asked[_DECIDED].id]


async def test_only_ids_are_kept_of_what_was_recalled(
    palaver: Palaver, said: list[Message]
) -> None:
    found = await used(palaver, "conversation_search", query="harbour")
    (day,) = {one["daySegmentId"] for one in json.loads(found.content)["results"]}
    read = await used(palaver, "conversation_get", daySegmentId=day)
    for output in (found, read):
        assert output.recalled
        assert "arbour" not in json.dumps(output.kept)
        assert "Kiel" not in json.dumps(output.kept)
        assert {one.message_id for one in output.sources} == {one.id for one in said}
    assert read.kept == {"messageIds": [one.id for one in said], "daySegmentId": day}


async def test_a_message_and_a_day_are_read_word_for_word(
    palaver: Palaver, said: list[Message]
) -> None:
    around = await given(palaver, "conversation_get", messageId=said[0].id)
    assert [one["content"] for one in around["messages"]] == [one.content for one in said]
    assert around["summary"] is None
    (day,) = {
        one["daySegmentId"]
        for one in (await given(palaver, "conversation_search", query="Kiel"))["results"]
    }
    whole = await given(palaver, "conversation_get", daySegmentId=day, limit=1)
    assert whole["summary"]["summaryMarkdown"] == "- The harbour is Kiel."
    assert [one["messageId"] for one in whole["messages"]] == [said[0].id]
    assert whole["nextAfterMessageId"] == said[0].id
    rest = await given(palaver, "conversation_get", afterMessageId=said[0].id)
    assert [one["messageId"] for one in rest["messages"]] == [said[1].id]


@pytest.mark.parametrize("text", HOSTILE)
async def test_stored_words_cannot_break_out(palaver: Palaver, clock: Clock, text: str) -> None:
    diary = Diary(palaver, clock)
    (message,) = await diary.on("2026-02-03T10:00Z", text)
    await diary.tell(TUESDAY, text.replace("\n", " "), message)
    found = await used(palaver, "conversation_search", query="figs")
    read = await used(palaver, "conversation_get", messageId=message.id)
    for output in (found, read):
        assert "\n" not in output.content
        assert "\x1b" not in output.content
        assert "\u202e" not in output.content
    assert json.loads(read.content)["messages"][0]["content"] == text


async def test_what_cannot_be_meant_is_refused(palaver: Palaver, said: list[Message]) -> None:
    bad: list[tuple[str, dict[str, Any], type[Exception]]] = [
        ("conversation_search", {}, BadValue),
        ("conversation_search", {"query": "?"}, BadValue),
        ("conversation_search", {"query": "x", "limit": 21}, BadValue),
        ("conversation_search", {"query": "x", "recencyDays": -1}, BadValue),
        ("conversation_search", {"query": "x", "minScore": 2}, BadValue),
        ("conversation_search", {"query": "x", "day": "soon"}, BadValue),
        ("conversation_search", {"query": "x", "cursor": "soon"}, BadCursor),
        ("conversation_search", {"query": "x", "user": "other"}, BadValue),
        ("conversation_get", {}, BadValue),
        ("conversation_get", {"messageId": said[0].id, "limit": 31}, BadValue),
        ("conversation_get", {"messageId": "web_1"}, BadId),
        ("conversation_get", {"messageId": ABSENT}, NotFound),
        ("conversation_get", {"daySegmentId": "day-0"}, NotFound),
    ]
    for name, arguments, error in bad:
        with pytest.raises(error):
            await used(palaver, name, **arguments)


async def test_the_question_itself_is_not_found(palaver: Palaver, said: list[Message]) -> None:
    (tool,) = [
        one
        for one in recall_tools(Past(palaver, palaver.zone))
        if one.name == "conversation_search"
    ]
    asked = Caller("", frozenset({"recall"}), asked=said[0].timestamp)
    output = await tool.run({"query": "harbour"}, asked)
    assert {one["kind"] for one in json.loads(output.content)["results"]} == {"summary"}
