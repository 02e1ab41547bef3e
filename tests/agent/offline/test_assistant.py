"""The offline assistant answers with what was said before, and says what it is."""

from __future__ import annotations

import re
from datetime import UTC
from pathlib import Path
from typing import cast

import pytest

from palaver.agent.offline import OfflineAssistant
from palaver.app import Palaver
from palaver.conversation.records import NewMessage
from palaver.errors import IndexDegraded, IndexRebuilding, IndexUnavailable
from palaver.index.port import Index
from palaver.index.records import Message, Source
from palaver.recall.scoring import Weights
from palaver.recall.search import Search
from tests.library import Clock, library


async def told(palaver: Palaver, *new: NewMessage, title: str | None = None) -> list[Message]:
    conversation = await palaver.start(title=title)
    return await palaver.append_many(conversation.id, new)


def user(content: str) -> NewMessage:
    return NewMessage(role="user", content=content)


def assistant(content: str) -> NewMessage:
    return NewMessage(role="assistant", content=content, model="some-model")


async def test_it_quotes_with_who_when_and_where(tmp_path: Path, clock: Clock):
    async with library(tmp_path, clock, timezone="Europe/Berlin") as palaver:
        (said,) = await told(
            palaver,
            user("Lunch was good. The login bug came from the session cookie. More tomorrow."),
            title="Server [trouble]",
        )
        sent = await palaver.send("What was the login bug?", new=True)
    assert sent.reply.content == (
        "No model is connected, so I can only quote what was said before.\n"
        "\n"
        "You said on 14 February 2026, 10:00, in "
        f"[Server \\[trouble\\]](/c/{said.conversation_id}#{said.id}):\n"
        "\n"
        "> The login bug came from the session cookie."
    )
    assert sent.reply.model == "offline"
    assert sent.reply.sources == [
        Source(message_id=said.id, quote="The login bug came from the session cookie.")
    ]


async def test_it_names_the_assistant_and_conversations_without_a_title(palaver: Palaver):
    await told(palaver, user("Which bug?"), assistant("The login bug is in the cookie."))
    reply = (await palaver.send("login bug cookie?", new=True)).reply
    assert "Palaver said on 14 February 2026, 09:00, in [New conversation](" in reply.content


async def test_it_never_quotes_itself_nor_the_message_it_answers(palaver: Palaver):
    first = await palaver.send("Where is the xylophone?", new=True)
    assert first.reply.sources == []
    again = await palaver.send("Where is the xylophone?")
    assert again.reply.sources == []
    (said,) = await told(palaver, user("The xylophone is in the attic."))
    for _ in range(3):
        sent = await palaver.send("Where is the xylophone?")
        assert [source.message_id for source in sent.reply.sources] == [said.id]


async def test_it_prefers_statements_to_questions(palaver: Palaver):
    await told(palaver, user("Do you know where the blue xylophone of my sister is?"))
    (said,) = await told(palaver, user("My sister has the xylophone."))
    sent = await palaver.send("Where is the blue xylophone of my sister?", new=True)
    assert [source.message_id for source in sent.reply.sources] == [said.id]


async def test_it_falls_back_to_a_question_that_asked_more(palaver: Palaver):
    (asked,) = await told(palaver, user("Is the xylophone still in the attic?"))
    sent = await palaver.send("Where is the xylophone?", new=True)
    assert [source.message_id for source in sent.reply.sources] == [asked.id]


async def test_it_quotes_at_most_three_and_none_twice(palaver: Palaver):
    for n in range(5):
        await told(palaver, user(f"The xylophone number {n} is blue."))
    await told(palaver, user("the xylophone  number 4 is BLUE."))
    sent = await palaver.send("What colour is the xylophone?", new=True)
    quotes = [source.quote for source in sent.reply.sources]
    assert len(quotes) == 3
    assert len({" ".join((quote or "").casefold().split()) for quote in quotes}) == 3


async def test_a_statement_is_noted_with_at_most_one_quotation(palaver: Palaver):
    for n in range(3):
        await told(palaver, user(f"The xylophone number {n} is blue."))
    noted = (await palaver.send("The blue xylophone was sold.", new=True)).reply
    assert noted.content.startswith("Noted. No model is connected")
    assert len(noted.sources) == 1
    for asking in ("Tell me about the xylophone", "The xylophone, which colour", "xylophone? Hm"):
        assert len((await palaver.send(asking, new=True)).reply.sources) == 3


async def test_what_was_said_here_was_said_earlier_in_this_conversation(palaver: Palaver):
    first = await palaver.send("The xylophone is in the attic.", new=True)
    (said, _) = (await palaver.messages(first.conversation_id)).messages
    reply = (await palaver.send("Where is the xylophone?")).reply
    place = f"[earlier in this conversation](/c/{first.conversation_id}#{said.id}):"
    assert f"You said on 14 February 2026, 09:00, {place}" in reply.content


async def test_a_long_quotation_is_cut_and_stands_in_its_message(palaver: Palaver):
    (said,) = await told(palaver, user("so " * 200 + "the xylophone is blue " + "and " * 200))
    sent = await palaver.send("xylophone?", new=True)
    (source,) = sent.reply.sources
    assert source.quote is not None
    assert source.quote in said.content
    assert len(source.quote) <= 240


async def test_quoted_words_cannot_break_out(palaver: Palaver):
    await told(palaver, user("xylophone\n\n# Run this\n<script>alert(1)</script> [x](http://x)"))
    content = (await palaver.send("xylophone?", new=True)).reply.content
    quote = content.splitlines()[-1]
    assert quote == "> xylophone"
    await told(palaver, user("# marimba <script>alert(1)</script> [x](http://x)"))
    content = (await palaver.send("marimba?", new=True)).reply.content
    assert content.splitlines()[-1] == r"> \# marimba \<script>alert(1)\</script> \[x\](http://x)"


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ("Hello", "Hello! No model is connected"),
        ("hi there!", "Hello! No model is connected"),
        ("Good morning, Palaver", "Hello! No model is connected"),
        ("thanks a lot", "You are welcome. No model is connected"),
        ("👍", "No model is connected, but I can find"),
        ("?!", "No model is connected, but I can find"),
        ("Where is the unicorn?", "No model is connected, and I found nothing about that"),
        ("My unicorn is green.", "Noted. No model is connected"),
    ],
)
async def test_it_always_says_that_no_model_is_connected(palaver: Palaver, text: str, opening: str):
    reply = (await palaver.send(text)).reply
    assert reply.content.startswith(opening)
    assert reply.sources == []


async def test_the_same_question_gets_the_same_answer(tmp_path: Path):
    answers: list[str] = []
    for name in ("one", "other"):
        async with library(tmp_path / name, Clock()) as palaver:
            for n in range(4):
                await told(palaver, user(f"The xylophone number {n} is blue."), title=f"Talk {n}")
            reply = (await palaver.send("Which xylophone is blue?", new=True)).reply
            answers.append(re.sub(r"(conv|msg)-\w+", "an id", reply.content))
    assert answers[0] == answers[1]
    assert answers[0].count("xylophone") == 3


class Unavailable:
    """An index that cannot answer."""

    def __init__(self, error: IndexUnavailable) -> None:
        self.error = error

    async def languages(self, user: str) -> list[str]:
        raise self.error

    async def vector(self, text: str) -> None: ...


@pytest.mark.parametrize("error", [IndexRebuilding(), IndexDegraded()])
async def test_without_an_index_it_says_so_and_answers_all_the_same(
    palaver: Palaver, error: IndexUnavailable
):
    (said,) = await told(palaver, user("Where is the xylophone?"))
    index = cast("Index", Unavailable(error))
    search = Search(index, "local", zone=UTC, clock=Clock(), ranking=Weights())
    answer = await OfflineAssistant(search, name="Palaver", zone=UTC).reply(said)
    assert answer.content.startswith("No model is connected, and I cannot look back just now.")
    assert error.message in answer.content
    assert error.remedy in answer.content
    assert answer.sources == ()


async def test_asked_for_a_time_alone_it_quotes_what_was_said_then(palaver: Palaver):
    conversation = await palaver.start()
    said = await palaver.append(
        conversation.id, "user", "The boiler is repaired.", timestamp="2026-02-13T12:00:00Z"
    )
    await palaver.append(
        conversation.id, "user", "The roof leaks.", timestamp="2026-01-02T12:00:00Z"
    )
    sent = await palaver.send("What did I say yesterday?", new=True)
    assert [source.message_id for source in sent.reply.sources] == [said.id]
