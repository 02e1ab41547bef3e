"""What happened on a day of the continuous conversation, told without a model."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from palaver.app import Palaver
from palaver.index.records import Message
from palaver.settings import Settings
from tests.library import Clock

FRIDAY = "2026-02-13"


@pytest.fixture
async def palaver(kept: Settings, clock: Clock) -> AsyncIterator[Palaver]:
    """On Friday tea was spoken of, and told in the night; on Saturday, bread."""
    clock.advance(days=-1)
    async with Palaver.open(settings=kept, clock=clock, index_vectors=False) as opened:
        conversation = (await opened.continuous.ensure()).id
        for text in ("We decided to buy green tea from Assam.", "The kettle broke this morning."):
            await opened.append(conversation, "user", text)
            await opened.append(conversation, "assistant", "Noted.")
        clock.advance(days=1)
        await opened.settle()
        await opened.append(conversation, "user", "The rye bread needs two hours.")
        await opened.append(conversation, "assistant", "Noted.")
        yield opened


async def ask(palaver: Palaver, text: str) -> Message:
    conversation = (await palaver.continuous.ensure()).id
    return (await palaver.send(text, conversation_id=conversation)).reply


async def said(palaver: Palaver, text: str) -> Message:
    conversation = (await palaver.continuous.ensure()).id
    every = (await palaver.messages(conversation)).messages
    return next(one for one in every if one.content == text)


@pytest.mark.parametrize(
    "question",
    [
        "What did we do yesterday?",
        "what did we talk about on 13 February",
        "What happened last Friday?",
        "Was haben wir gestern gemacht?",
        "Summarise yesterday.",
    ],
)
async def test_a_day_is_told_by_its_summary_and_its_words(palaver: Palaver, question: str) -> None:
    reply = await ask(palaver, question)
    tea = await said(palaver, "We decided to buy green tea from Assam.")
    assert "[Friday, 13 February 2026](/continuous/2026-02-13)" in reply.content
    assert (
        "\n\n**Decisions**\n\n- We decided to buy green tea from Assam. "
        f"(You, [13 February 2026, 09:00](/continuous/2026-02-13#{tea.id}))"
    ) in reply.content
    assert "bread" not in reply.content
    assert tea.id in {one.message_id for one in reply.sources or ()}


async def test_a_day_is_told_in_the_words_of_its_owner(palaver: Palaver) -> None:
    await palaver.continuous.edit(FRIDAY, "## Summary\nA **fine** day.")
    reply = await ask(palaver, "What did we do yesterday?")
    tea = await said(palaver, "We decided to buy green tea from Assam.")
    assert "\n\n**Summary**\n\n- A \\*\\*fine\\*\\* day.\n\nThese are words" in reply.content
    assert f"(/continuous/2026-02-13#{tea.id})" in reply.content


async def test_a_day_without_a_summary_is_told_by_its_words(palaver: Palaver) -> None:
    reply = await ask(palaver, "What did we do today?")
    bread = await said(palaver, "The rye bread needs two hours.")
    assert "This was said on [Saturday, 14 February 2026](/continuous/2026-02-14):" in reply.content
    assert f"(/continuous/2026-02-14#{bread.id})" in reply.content
    assert "What did we do" not in reply.content


@pytest.mark.parametrize(
    ("question", "there"),
    [
        ("What did we decide yesterday?", "These look like decisions"),
        ("What did I say yesterday about the kettle?", "The kettle broke this morning."),
        ("What did we do on 3 January?", "No model is connected"),
    ],
)
async def test_other_questions_are_answered_as_everywhere(
    palaver: Palaver, question: str, there: str
) -> None:
    reply = await ask(palaver, question)
    assert there in reply.content
    assert "what tells of" not in reply.content


async def test_what_was_erased_is_not_told_any_more(palaver: Palaver) -> None:
    reply = await ask(palaver, "What did we do yesterday?")
    tea = await said(palaver, "We decided to buy green tea from Assam.")
    await palaver.redact(tea.conversation_id, tea.id)
    every = (await palaver.messages(tea.conversation_id)).messages
    assert not [one for one in every if "Assam" in one.content]
    assert next(one for one in every if one.id == reply.id).status == "redacted"
    assert "Assam" not in (await ask(palaver, "What did we do yesterday?")).content


async def test_elsewhere_it_is_looked_for_in_all_conversations(palaver: Palaver) -> None:
    sent = await palaver.send("What did we do yesterday?", new=True)
    assert "what tells of" not in sent.reply.content
    assert "Assam" in sent.reply.content


async def test_elsewhere_the_continuous_conversation_goes_by_its_name(palaver: Palaver) -> None:
    reply = (await palaver.send("What did we say about the kettle?", new=True)).reply
    assert "You said on 13 February 2026, 09:00, in [Continuous conversation](" in reply.content
