"""`memory_search` and `memory_add`, as the agent uses them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from palaver.agent.language import Said, ToolCall
from palaver.agent.loop import Agent
from palaver.agent.prompt import SystemPrompt
from palaver.agent.toolbox import Caller, Output
from palaver.agent.tools.making import recall_tools
from palaver.agent.tools.past import Past
from palaver.app import Palaver
from palaver.errors import Forbidden, SecretRefused
from palaver.index.records import Message
from tests.agent.answering import OneModel
from tests.agent.scripted import Scripted
from tests.conversation.scripted import answer_by
from tests.library import Clock

ALL = frozenset({"recall", "memory:read", "memory:write"})


async def asked(palaver: Palaver, text: str) -> Message:
    return await palaver.append((await palaver.start()).id, "user", text)


async def used(palaver: Palaver, name: str, question: Message, **given: object) -> Output:
    past = Past(palaver, palaver.zone, by="Jeeves")
    (tool,) = [one for one in recall_tools(past) if one.name == name]
    where = question.conversation_id
    return await tool.run(dict(given), Caller(where, ALL, message_id=question.id))


def agent(palaver: Palaver, clock: Clock, *calls: ToolCall) -> Scripted:
    """Lets a model answer that uses tools first."""
    model = Scripted([list(calls), [Said("Noted.")]])
    tools = recall_tools(Past(palaver, palaver.zone, by="Jeeves"))
    prompt = SystemPrompt(name="Jeeves", zone=palaver.zone, clock=clock)
    answer_by(palaver, Agent(OneModel(model), tools, prompt))
    return model


async def test_what_is_added_stands_on_the_message_that_is_answered(palaver: Palaver) -> None:
    question = await asked(palaver, "Hello! My sister is called Greta. What is the time?")
    given = {"content": "Has a sister called Greta.", "type": "entity", "category": "family"}
    output = await used(palaver, "memory_add", question, **given)
    (memory,) = await palaver.memories.list()
    assert (memory.by, memory.type, memory.category) == ("Jeeves", "entity", "family")
    assert memory.quote == "My sister is called Greta."
    assert memory.source_message_id == question.id
    assert output.kept == {"memoryId": memory.id, "known": False}
    assert [one.message_id for one in output.sources] == [question.id]
    again = await used(palaver, "memory_add", question, **given)
    assert again.kept == {"memoryId": memory.id, "known": True}


async def test_sensitive_things_need_the_wish_of_the_user(palaver: Palaver) -> None:
    given: dict[str, Any] = {"content": "Has diabetes.", "type": "fact"}
    told = await asked(palaver, "I have diabetes. What can I cook?")
    with pytest.raises(Forbidden, match="sensitive"):
        await used(palaver, "memory_add", told, **given)
    assert await palaver.memories.list() == []
    wished = await asked(palaver, "Please remember that I have diabetes.")
    await used(palaver, "memory_add", wished, **given)
    assert [one.content for one in await palaver.memories.list()] == ["Has diabetes."]


async def test_secrets_are_never_added(palaver: Palaver) -> None:
    question = await asked(palaver, "Please remember my password.")
    content = "The password is hunter2-XQ91-zz."
    with pytest.raises(SecretRefused):
        await used(palaver, "memory_add", question, content=content, type="fact")


async def test_only_ids_are_kept_of_what_was_looked_up(palaver: Palaver, clock: Clock) -> None:
    memory = await palaver.memories.add("The sofa is green.")
    model = agent(palaver, clock, ToolCall("1", "memory_search", {"query": "the sofa"}))
    reply = await palaver.send("Which colour has it?", scopes=ALL)
    (result,) = model.results[1]
    assert json.loads(result.content)["memories"][0]["content"] == "The sofa is green."
    (call,) = reply.reply.tool_calls or []
    assert call["output"] == {"memories": [memory.id]}
    assert call["recalled"] is True
    await palaver.settle()
    counted = await palaver.memories.get(memory.id)
    assert (counted.access_count, bool(counted.last_accessed_at)) == (1, True)


async def test_a_reply_that_adds_does_so_once_and_counts_for_nothing(
    palaver: Palaver, clock: Clock
) -> None:
    given = {"content": "The sofa is green.", "type": "fact"}
    agent(palaver, clock, ToolCall("1", "memory_add", given))
    reply = await palaver.send("We bought a green sofa.", scopes=ALL)
    (memory,) = await palaver.memories.list()
    (call,) = reply.reply.tool_calls or []
    assert call["output"] == {"memoryId": memory.id, "known": False}
    await palaver.settle()
    assert (await palaver.memories.get(memory.id)).access_count == 0


async def test_what_it_was_given_is_kept_in_the_memory_alone(
    palaver: Palaver, clock: Clock
) -> None:
    given = {"content": "The sofa is zinnober.", "type": "fact", "category": "home"}
    agent(palaver, clock, ToolCall("1", "memory_add", given))
    reply = await palaver.send("We bought a red sofa.", scopes=ALL)
    (memory,) = await palaver.memories.every()
    (call,) = reply.reply.tool_calls or []
    assert call["input"] == {"type": "fact", "category": "home"}
    await palaver.memories.forget(memory.id)
    await palaver.settle()
    for file in palaver.home.root.rglob("*"):
        assert not file.is_file() or b"zinnober" not in file.read_bytes(), file


async def test_of_a_secret_that_is_refused_nothing_is_kept(palaver: Palaver, clock: Clock) -> None:
    given = {"content": "The password is hunter2-XQ91-zz.", "type": "fact"}
    model = agent(palaver, clock, ToolCall("1", "memory_add", given))
    reply = await palaver.send("Please remember it.", scopes=ALL)
    assert model.results[1][0].failed
    assert not any(b"hunter2" in line.raw for line in await palaver.lines(reply.conversation_id))


async def test_without_the_scope_it_is_refused(palaver: Palaver, clock: Clock) -> None:
    given = {"content": "The sofa is green.", "type": "fact"}
    model = agent(palaver, clock, ToolCall("1", "memory_add", given))
    await palaver.send("We bought a green sofa.", scopes=frozenset({"recall", "memory:read"}))
    (result,) = model.results[1]
    assert (result.failed, json.loads(result.content)["error"]["code"]) == (True, "forbidden")
    assert await palaver.memories.list() == []


async def test_forgetting_everywhere_takes_the_reply_that_wrote_it_down(
    palaver: Palaver, clock: Clock
) -> None:
    given = {"content": "The sofa is zinnober.", "type": "fact"}
    agent(palaver, clock, ToolCall("1", "memory_add", given))
    await palaver.send("We bought a zinnober sofa.", scopes=ALL)
    (memory,) = await palaver.memories.list()
    await palaver.memories.forget(memory.id, everywhere=True)
    await palaver.settle()
    for file in palaver.home.root.rglob("*.jsonl"):
        assert b"zinnober" not in file.read_bytes()
