"""Without a model, what is remembered of the user answers them, and says since when and where."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from palaver.app import Palaver
from palaver.index.records import Message
from palaver.settings import Settings
from tests.library import Clock

OSLO, REX, TEA = "I live in Oslo.", "My dog is called Rex.", "I prefer green tea to coffee."
BEASTS = ("aardvark", "badger", "camel", "dingo", "egret", "ferret", "gecko", "heron", "ibis")
OTHERS = ("jackal", "koala")


@pytest.fixture
async def palaver(kept: Settings, clock: Clock) -> AsyncIterator[Palaver]:
    async with Palaver.open(settings=kept, clock=clock, index_vectors=False) as opened:
        yield opened


async def learn(palaver: Palaver, *texts: str) -> list[Message]:
    """What the user says of themselves, read for what is worth remembering."""
    conversation = await palaver.start()
    said = [await palaver.append(conversation.id, "user", text) for text in texts]
    await palaver.memories.extract(conversation.id)
    assert len(await palaver.memories.list()) == len(texts)
    return said


async def ask(palaver: Palaver, text: str) -> Message:
    return (await palaver.send(text)).reply


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where do I live?", OSLO),
        ("What is my dog called?", REX),
        ("which tea do I prefer?", TEA),
    ],
)
async def test_a_question_is_answered_with_a_memory(
    palaver: Palaver, question: str, answer: str
) -> None:
    said = {one.content: one for one in await learn(palaver, OSLO, REX, TEA)}
    reply = await ask(palaver, question)
    told, source = reply.content.splitlines(), said[answer]
    assert told[0].endswith("what I remember of you.")
    place = f"/c/{source.conversation_id}#{source.id}"
    assert len(told) == 3
    assert told[2].startswith(f"- {answer} (")
    assert told[2].endswith(f"since [14 February 2026]({place}))")
    assert [one.message_id for one in reply.sources] == [source.id]
    used = [one.access_count for one in await palaver.memories.list() if one.content == answer]
    assert used == [1]


@pytest.mark.parametrize(
    "question", ["What do you know about me?", "Was weißt du über mich?", "Who am I?"]
)
async def test_everything_is_told_to_whoever_asks_for_it(palaver: Palaver, question: str) -> None:
    said = await learn(palaver, OSLO, REX, TEA)
    waiting = await palaver.memories.add("I own a boat.")
    await palaver.memories.edit(waiting.id, archived=True)
    reply = await ask(palaver, question)
    assert all(one in reply.content for one in (OSLO, REX, TEA))
    assert "boat" not in reply.content
    assert {one.message_id for one in reply.sources} == {one.id for one in said}


async def test_what_is_pinned_comes_first_and_how_many_more_there_are(palaver: Palaver) -> None:
    await palaver.memories.add(OSLO, pinned=True)
    for beast in (*OTHERS, *BEASTS):
        await palaver.memories.add(f"Our {beast}.")
    reply = await ask(palaver, "What do you know about me?")
    told = [one for one in reply.content.splitlines() if one.startswith("- ")]
    assert len(told) == 10
    assert told[0].startswith(f"- {OSLO}")
    assert "ibis" in told[1], "then the newest"
    assert reply.content.endswith("And 2 more: all of them stand in [Memories](/memories).")
    assert not (await ask(palaver, "Where do I live?")).content.endswith("(/memories).")


@pytest.mark.parametrize(
    ("known", "said", "command"),
    [
        ("I like tea.", "Forget that I like tea", "/forget tea"),
        ("My dentist is Dr Bram.", "please forget all about my dentist!", "/forget dentist"),
        ("Ich mag Kaffee.", "Vergiss, dass ich Kaffee mag.", "/forget Kaffee"),
        ("J'aime le thé.", "Oublie que j'aime le thé", "/forget thé"),
        ("Vivo en Lugo.", "Olvida que vivo en Lugo", "/forget Lugo"),
    ],
)
async def test_it_tells_what_would_be_forgotten_and_how(
    palaver: Palaver, known: str, said: str, command: str
) -> None:
    memory = await palaver.memories.add(known)
    reply = await ask(palaver, said)
    assert f"\n\n- {known} (" in reply.content
    assert f"`{command}` lists it" in reply.content
    assert f"(/memories?memory={memory.id})" in reply.content
    assert await palaver.memories.get(memory.id), "nothing goes by a plain word"
    listed = await palaver.send(command, conversation_id=reply.conversation_id)
    assert known.rstrip(".") in listed.reply.content.replace("\\", "")


async def test_to_forget_something_leaves_what_is_only_worded_alike(palaver: Palaver) -> None:
    for known in ("I like tea.", "I don't like coffee at all.", "I adore cats.", "I adore milk."):
        await palaver.memories.add(known)
    reply = await ask(palaver, "forget that I like tea")
    assert "- I like tea. (" in reply.content
    assert "`/forget tea`" in reply.content
    assert "coffee" not in reply.content
    reply = await ask(palaver, "forget about cats, which I adore")
    assert "`/forget cats`" in reply.content
    assert "milk" not in reply.content
    reply = await ask(palaver, "forget what I like")
    assert "coffee" in reply.content
    assert "`/forget " not in reply.content, "no word names what is to go"


async def test_it_says_that_nothing_is_known_of_what_is_to_be_forgotten(palaver: Palaver) -> None:
    reply = await ask(palaver, "Forget that I own a boat")
    assert reply.content.startswith("I remember nothing of that.")


async def test_whoever_is_not_known_is_told_so(palaver: Palaver) -> None:
    reply = await ask(palaver, "What do you know about me?")
    assert "I remember nothing of you yet" in reply.content


async def test_what_was_said_is_quoted_all_the_same(palaver: Palaver) -> None:
    await learn(palaver, OSLO)
    await palaver.append((await palaver.start()).id, "user", "The boiler in Oslo leaks at valve 4.")
    for question in ("What did I say about the boiler?", "What about my boiler?"):
        reply = await ask(palaver, question)
        assert "quote" in reply.content
        assert "valve 4" in reply.content


async def test_the_answer_goes_with_what_it_stands_on(palaver: Palaver) -> None:
    (said,) = await learn(palaver, OSLO)
    reply = await ask(palaver, "Where do I live?")
    assert OSLO in reply.content
    await palaver.redact(said.conversation_id, said.id)
    left = await palaver.message(reply.conversation_id, reply.id)
    assert left.status == "redacted"
    assert await palaver.memories.list() == []


async def test_a_memory_without_a_source_is_told_without_a_link(palaver: Palaver) -> None:
    await palaver.memories.add("I live [here](https://evil.example) in Oslo.")
    reply = await ask(palaver, "Where do I live?")
    assert "- I live \\[here\\](https://evil.example) in Oslo. (fact, since 14" in reply.content
    assert reply.sources == []


@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        (("I live in Lisbon.", "I moved to Oslo."), "Where do I live?", "I moved to Oslo."),
        (("I work at Acme.", "I quit my job."), "Where do I work?", "I quit my job."),
    ],
)
async def test_what_is_so_now_answers_and_not_what_was(
    palaver: Palaver, told: tuple[str, ...], question: str, answer: str
) -> None:
    conversation = await palaver.start()
    for text in told:
        await palaver.append(conversation.id, "user", text)
    await palaver.memories.extract(conversation.id)
    reply = await ask(palaver, question)
    assert reply.content.splitlines()[2].startswith(f"- {answer} (")
    assert told[0] not in reply.content
