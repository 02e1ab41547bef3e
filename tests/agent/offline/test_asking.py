"""What else the offline assistant can be asked: what is open, what was decided, to sum up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from palaver.app import Palaver
from palaver.conversation.records import NewMessage
from palaver.digest.state import fold_all
from palaver.digest.states import Opening
from palaver.index.records import Message, Source
from tests.agent.answering import Desk, offline
from tests.library import Clock


@dataclass(slots=True)
class Folded:
    """Knows what is open in some conversations, by folding them."""

    palaver: Palaver
    conversations: list[str] = field(default_factory=list[str])

    async def open(self, conversation_id: str | None, *, limit: int) -> Sequence[Opening]:
        wanted = [conversation_id] if conversation_id else reversed(self.conversations)
        return [one for name in wanted for one in await self._of(name)][:limit]

    async def _of(self, name: str) -> list[Opening]:
        said = {one.id: one for one in (await self.palaver.messages(name)).messages}
        return [
            Opening(
                text=item.text,
                kind=item.kind,
                turn=item.turn,
                message_id=item.message_id,
                conversation_id=name,
                timestamp=said[item.message_id].timestamp,
            )
            for item in reversed(fold_all(said.values()).open_items)
        ]


@pytest.fixture
def openings(palaver: Palaver) -> Folded:
    return Folded(palaver)


@pytest.fixture
def desk(palaver: Palaver, clock: Clock, openings: Folded) -> Desk:
    return offline(palaver, clock, openings)


async def told(
    palaver: Palaver, *contents: str, title: str | None = None, day: str = "2026-02-13"
) -> list[Message]:
    """A conversation: what the user says, and what the assistant says, by turns."""
    conversation = await palaver.start(title=title)
    new = [
        NewMessage(
            role="assistant" if n % 2 else "user",
            content=content,
            model="some-model" if n % 2 else None,
            timestamp=f"{day}T12:{n:02}:00Z",
        )
        for n, content in enumerate(contents)
    ]
    return await palaver.append_many(conversation.id, new)


@pytest.mark.parametrize(
    "question",
    [
        "What is open?",
        "Which open questions are there?",
        "What's still open?",
        "Was ist noch offen?",
    ],
)
async def test_it_lists_what_is_open(palaver: Palaver, desk: Desk, openings: Folded, question: str):
    said = await told(palaver, "I still have to call the plumber by Friday.", "Good.", title="Home")
    openings.conversations.append(said[0].conversation_id)
    reply = await desk.send(question)
    assert reply.content == (
        "No model is connected. This is what your recent conversations leave open.\n\n"
        "- Task: I still have to call the plumber by Friday. (You, [13 February 2026, 12:00]"
        f"(/c/{said[0].conversation_id}#{said[0].id}), in Home)"
    )
    quote = "I still have to call the plumber by Friday."
    assert reply.sources == [Source(message_id=said[0].id, quote=quote)]


async def test_it_tells_what_is_open_here_without_the_question_itself(
    palaver: Palaver, desk: Desk, openings: Folded
):
    elsewhere = await told(palaver, "I still have to call the plumber by Friday.", "Good.")
    here = await told(palaver, "I still have to pay the rent by Monday.", "Good.")
    openings.conversations += [one[0].conversation_id for one in (elsewhere, here)]
    reply = await desk.send("What is open in this conversation?", here[0].conversation_id)
    assert [source.message_id for source in reply.sources] == [here[0].id]
    assert reply.content.startswith("No model is connected. This is what this conversation")


async def test_it_tells_what_is_open_about_something(
    palaver: Palaver, desk: Desk, openings: Folded
):
    for text in (
        "I still have to call the plumber by Friday.",
        "I have to pay the rent by Monday.",
    ):
        said = await told(palaver, text, "Good.")
        openings.conversations.append(said[0].conversation_id)
    reply = await desk.send("What is still open about the rent?")
    assert [source.quote for source in reply.sources] == ["I have to pay the rent by Monday."]


async def test_a_question_that_only_sounds_like_it_is_looked_up(palaver: Palaver, desk: Desk):
    said = await told(palaver, "The museum is closed on Mondays.", "Good to know.")
    reply = await desk.send("What museum is open on Mondays?")
    assert [source.message_id for source in reply.sources] == [said[0].id]


async def test_it_says_that_nothing_is_open(desk: Desk):
    reply = await desk.send("What is open?")
    assert reply.content.endswith("As far as my rules can tell, nothing is open.")


async def test_without_the_tool_it_tells_what_the_packet_knows(palaver: Palaver, desk: Desk):
    desk.scopes = frozenset()
    assert "nothing is open" in (await desk.send("What is open?")).content


@pytest.mark.parametrize(
    "question",
    ["What did I decide yesterday?", "Was habe ich gestern entschieden?", "Decisions yesterday?"],
)
async def test_it_finds_what_was_decided_then(palaver: Palaver, desk: Desk, question: str):
    said = await told(
        palaver,
        "I looked at both offers. We decided to take the blue carpet.",
        "Noted.",
        "We have not decided about the curtains yet.",
        "That can wait.",
    )
    await told(palaver, "We decided to sell the car.", "Good.", day="2026-01-05")
    reply = await desk.send(question)
    assert reply.content.startswith("No model is connected, so I can only quote. These look like")
    assert reply.sources == [
        Source(message_id=said[0].id, quote="We decided to take the blue carpet.")
    ]


async def test_it_finds_what_was_decided_about_something(palaver: Palaver, desk: Desk):
    said = await told(palaver, "For the kitchen we went with oak.", "Good.")
    await told(palaver, "We decided to sell the car.", "Good.")
    reply = await desk.send("What did we decide about the kitchen?")
    assert [source.message_id for source in reply.sources] == [said[0].id]


async def test_it_says_when_nothing_looks_like_a_decision(palaver: Palaver, desk: Desk):
    said = await told(palaver, "The kitchen is too dark.", "I see.")
    reply = await desk.send("What did we decide about the kitchen?")
    assert reply.content.startswith("No model is connected, and I found nothing that looks like")
    assert [source.message_id for source in reply.sources] == [said[0].id]


@pytest.mark.parametrize(
    "question",
    [
        "Summarise this conversation",
        "Can you sum this up?",
        "Give me a short summary of our conversation so far.",
        "Fass das Gespräch bitte zusammen",
        "Eine Zusammenfassung bitte",
    ],
)
async def test_it_sums_up_this_conversation(palaver: Palaver, desk: Desk, question: str):
    said = await told(
        palaver,
        "The kitchen needs a new floor. Money is no object.",
        "Oak or tiles?",
        "We decided to take oak.",
        "Noted.",
        "I still have to call the carpenter by Friday.",
        "I have it on the list.",
    )
    reply = await desk.send(question, said[0].conversation_id)
    assert reply.content.startswith("No model is connected, so this is no summary of mine")
    assert "It began like this. You said on 13 February 2026, 12:00" in reply.content
    assert "\n- We decided to take oak. (You, [13 February 2026, 12:02](" in reply.content
    assert "\n- Task: I still have to call the carpenter by Friday." in reply.content
    assert reply.content.index("> The kitchen needs") < reply.content.index("> I have it on")
    assert {said[0].id, said[2].id, said[4].id, said[5].id} == {
        source.message_id for source in reply.sources
    }


async def test_it_says_what_it_read_of_a_long_conversation(palaver: Palaver, desk: Desk):
    said = await told(palaver, *(f"Number {n}." for n in range(58)))
    for n in range(30):
        await palaver.append(said[0].conversation_id, "user", f"More {n}.")
    reply = await desk.send("Summarise this conversation", said[0].conversation_id)
    assert "first 40 turns and its last ones, out of 60." in reply.content
    assert "> More 29." in reply.content


async def test_an_empty_conversation_cannot_be_summed_up(desk: Desk):
    reply = await desk.send("Summarise this conversation")
    assert reply.content.endswith("there is nothing in this conversation to sum up yet.")


async def test_a_summary_of_something_is_looked_up(palaver: Palaver, desk: Desk):
    said = await told(palaver, "The kitchen is too dark.", "I see.")
    reply = await desk.send("Summarise what was said about the kitchen")
    assert said[0].id in {source.message_id for source in reply.sources}


@pytest.mark.parametrize("question", ["What can you do?", "help", "Wer bist du?", "Was kannst du?"])
async def test_it_says_what_it_can_and_cannot_and_how_to_connect_a_model(desk: Desk, question: str):
    content = (await desk.send(question)).content
    assert "I can:" in content
    assert "I cannot" in content
    assert "agent.providers.anthropic.apiKey" in content


@pytest.mark.parametrize(
    "order",
    ["Write a poem about the sea.", "Please translate this.", "Schreib mir bitte einen Brief."],
)
async def test_it_never_pretends_to_do_what_it_cannot(desk: Desk, order: str):
    content = (await desk.send(order)).content
    assert content.startswith("No model is connected, so I cannot do that")
    assert "agent.providers.anthropic.apiKey" in content


async def test_to_list_what_is_open_closes_nothing(palaver: Palaver, desk: Desk, openings: Folded):
    said = await told(palaver, "The tea is green.", "Nice.", "Which milk goes with oolong tea?")
    here = said[0].conversation_id
    openings.conversations.append(here)
    for question in ("Summarise this conversation", "What is open here?", "What is open here?"):
        reply = await desk.send(question, here)
        assert "Question: Which milk goes with oolong tea?" in reply.content
    messages = (await palaver.messages(here)).messages
    assert [one.text for one in fold_all(messages).open_items] == [said[2].content]
    assert "connected" not in fold_all(messages).active_topics
