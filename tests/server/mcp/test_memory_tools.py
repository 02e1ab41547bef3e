"""`memory_search` and `memory_add` over the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from palaver.app import Palaver
from palaver.memory.records import NewMemory
from tests.library import Clock, library
from tests.server.mcp.agents import HOSTILE, beside, started

READ, WRITE = "memory:read", "memory:write"
SECRET = "My password is hunter2-XQ91-zz."


async def remembered(palaver: Palaver, said: str, content: str) -> str:
    """The id of a memory that stands on a message by Ada."""
    conversation = await palaver.start("email", title="Orchard")
    message = await palaver.append(conversation.id, "user", said, sender="Ada")
    given: dict[str, Any] = {"content": content, "source_message_id": message.id, "quote": said}
    return (await palaver.memories.put(NewMemory(**given)))[0].id


async def test_a_result_says_who_said_it_where_and_when(palaver: Palaver) -> None:
    name = await remembered(palaver, "I grow figs.", "Grows figs.")
    async with beside(palaver, READ) as agent:
        (found,) = (await agent.call("memory_search", query="figs"))["memories"]
    assert (found["memoryId"], found["content"]) == (name, "Grows figs.")
    assert (found["quote"], found["role"], found["sender"]) == ("I grow figs.", "user", "Ada")
    assert found["author"]["kind"] == "owner"
    assert (found["channel"], found["conversationName"]) == ("email", "Orchard")
    assert found["date"].startswith("Saturday 14 February 2026, ")
    assert found["timestamp"].startswith("2026-02-14T09:0")
    assert (found["writtenBy"], found["state"]) == ("user", "kept")


async def test_a_search_keeps_to_type_and_limit(palaver: Palaver) -> None:
    await palaver.memories.add("Grows figs.")
    await palaver.memories.add("Figs go with cheese.", "preference")
    async with beside(palaver, READ) as agent:

        async def found(**arguments: Any) -> list[str]:
            answer = await agent.call("memory_search", query="figs", **arguments)
            return [one["content"] for one in answer["memories"]]

        assert len(await found()) == 2
        assert await found(type="preference") == ["Figs go with cheese."]
        assert len(await found(limit=1)) == 1
        assert await found(type="project") == []
        refused = await agent.refusal("memory_search", query="figs", type="opinion")
    assert refused["code"] == "bad_value"


async def test_something_is_added_once_by_the_name_of_the_agent(palaver: Palaver) -> None:
    async with beside(palaver, READ, WRITE) as agent:
        given = {"content": "Grows figs.", "type": "fact", "category": "garden"}
        first = await agent.call("memory_add", **given)
        again = await agent.call("memory_add", **given)
    assert (first["known"], again["known"]) == (False, True)
    assert first["memory"]["memoryId"] == again["memory"]["memoryId"]
    (memory,) = await palaver.memories.list()
    assert (memory.content, memory.category) == ("Grows figs.", "garden")
    assert memory.by.startswith("mcp")
    assert first["memory"]["writtenBy"] == memory.by != "user"
    assert first["memory"]["role"] is None


async def test_secrets_are_refused(palaver: Palaver) -> None:
    async with beside(palaver, WRITE) as agent:
        refused = await agent.refusal("memory_add", content=SECRET, type="fact")
    assert refused["code"] == "secret_refused"
    assert "hunter2" not in str(refused)
    assert await palaver.memories.list() == []


async def test_only_the_owner_brings_back_what_was_forgotten(palaver: Palaver) -> None:
    memory = await palaver.memories.add("Grows figs.")
    await palaver.memories.forget(memory.id)
    async with beside(palaver, WRITE) as agent:
        refused = await agent.refusal("memory_add", content="Grows figs.", type="fact")
        assert refused["code"] == "forbidden"
    assert await palaver.memories.list() == []
    await palaver.memories.add("Grows figs.")


@pytest.mark.parametrize("scopes", [("recall",), ("recall", READ)])
async def test_without_the_scope_nothing_is_added(
    palaver: Palaver, scopes: tuple[str, ...]
) -> None:
    async with beside(palaver, *scopes) as agent:
        assert "memory_add" not in await agent.tools()
        assert ("memory_search" in await agent.tools()) is (READ in scopes)
        refused = await agent.refusal("memory_add", content="Grows figs.", type="fact")
        assert (refused["code"], refused["remedy"]) == ("forbidden", f"Ask for {WRITE}.")
    assert await palaver.memories.list() == []


@pytest.mark.parametrize("words", HOSTILE, ids=range(len(HOSTILE)))
async def test_hostile_words_come_back_as_data(palaver: Palaver, words: str) -> None:
    memory = await palaver.memories.add(words)
    async with beside(palaver, READ) as agent:
        (found,) = (await agent.call("memory_search", query="figs"))["memories"]
        text = await agent.text("memory_search", query="figs")
    assert found["content"] == memory.content
    assert text.isprintable()
    assert "\n" not in text


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "content is missing."),
        ({"content": "x"}, "type is missing."),
        ({"content": " ", "type": "fact"}, None),
        ({"content": "x" * 2001, "type": "fact"}, "content must have at most 2000 characters."),
        ({"content": "x", "type": "fact", "by": "user"}, "'by' is not an argument of memory_add."),
    ],
)
async def test_a_bad_call_is_refused(
    palaver: Palaver, given: dict[str, Any], sentence: str | None
) -> None:
    async with beside(palaver, WRITE) as agent:
        refused = await agent.refusal("memory_add", **given)
    assert refused["code"] == "bad_value"
    assert sentence in (None, refused["message"])


async def test_a_program_may_write_only_if_it_is_told(home: Path) -> None:
    async with started(home) as agent:
        refused = await agent.refusal("memory_add", content="Grows figs.", type="fact")
        assert "palaver mcp --scope memory:write" in refused["remedy"]
    async with started(home, "--scope", READ, "--scope", WRITE) as agent:
        await agent.call("memory_add", content="Grows figs.", type="fact")
    async with library(home, Clock()) as palaver:
        assert [one.content for one in await palaver.memories.list()] == ["Grows figs."]
