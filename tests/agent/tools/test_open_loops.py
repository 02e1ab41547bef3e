"""`open_loops`: what is open, with who left it so, where and when."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from palaver.agent.toolbox import Caller, Output
from palaver.agent.tools.making import recall_tools
from palaver.agent.tools.past import Past
from palaver.agent.tools.table import TOOLS
from palaver.app import Palaver
from palaver.digest.states import Opening
from palaver.errors import BadId, BadValue, NotFound
from palaver.index.records import Message, Source

ABSENT = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
ME = Caller("", frozenset({"recall"}))


@dataclass(frozen=True, slots=True)
class Known:
    """Knows of one thing that is open."""

    item: Opening

    async def open(self, conversation_id: str | None, *, limit: int) -> Sequence[Opening]:
        return [self.item] * limit if conversation_id in (None, self.item.conversation_id) else []


async def said(palaver: Palaver, content: str) -> Message:
    conversation = await palaver.start("email", title="Orchard")
    return await palaver.append(conversation.id, "user", content)


async def used(palaver: Palaver, message: Message, text: str, **given: object) -> Output:
    item = Opening(
        text=text,
        kind="question",
        turn=1,
        message_id=message.id,
        conversation_id=message.conversation_id,
        timestamp=message.timestamp,
    )
    past = Past(palaver, palaver.zone)
    (tool,) = [one for one in recall_tools(past, Known(item)) if one.name == "open_loops"]
    return await tool.run(dict(given), ME)


async def test_it_says_what_is_open_where_and_since_when(palaver: Palaver):
    message = await said(palaver, "Figs! Who waters the figs?")
    output = await used(palaver, message, "Who waters the figs?", limit=1)
    assert json.loads(output.content)["openLoops"] == [
        {
            "text": "Who waters the figs?",
            "kind": "question",
            "role": "user",
            "turn": 1,
            "messageId": message.id,
            "conversationId": message.conversation_id,
            "conversationName": "Orchard",
            "channel": "email",
            "date": "Saturday 14 February 2026, 09:00",
            "timestamp": message.timestamp,
        }
    ]
    assert output.sources == [Source(message_id=message.id)]
    assert "figs" not in str(output.kept)
    assert message.id in str(output.kept)


async def test_what_it_quotes_stands_in_the_message(palaver: Palaver):
    message = await said(palaver, "Figs! " + "x" * 500)
    (loop,) = json.loads((await used(palaver, message, "figs, in short", limit=1)).content)[
        "openLoops"
    ]
    assert loop["text"] in message.content


async def test_what_was_erased_meanwhile_is_left_out(palaver: Palaver):
    message = await said(palaver, "Who waters the figs?")
    await palaver.delete(message.conversation_id)
    output = await used(palaver, message, "Who waters the figs?")
    assert json.loads(output.content) == {"openLoops": []}


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"conversationId": ABSENT}, NotFound),
        ({"conversationId": "x"}, BadId),
        ({"limit": 51}, BadValue),
        ({"day": "today"}, BadValue),
    ],
)
async def test_a_bad_call_is_refused(
    palaver: Palaver, given: dict[str, object], error: type[Exception]
):
    message = await said(palaver, "Who waters the figs?")
    with pytest.raises(error):
        await used(palaver, message, "Who waters the figs?", **given)


def test_without_somebody_who_knows_there_is_no_such_tool(palaver: Palaver):
    tools = recall_tools(Past(palaver, palaver.zone))
    assert [tool.name for tool in tools] == [tool.name for tool in TOOLS]
    assert all(tool.main_only and tool.scope for tool in tools)
