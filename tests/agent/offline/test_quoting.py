"""The offline assistant answers with what was said before, and says what it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from palaver.agent.toolbox import Caller, Output, Tool
from palaver.app import Palaver
from palaver.conversation.records import NewMessage
from palaver.errors import IndexDegraded, IndexRebuilding, IndexUnavailable
from palaver.index.records import Json, Message, Source
from tests.agent.answering import Desk, offline
from tests.library import Clock, library


@pytest.fixture
def desk(palaver: Palaver, clock: Clock) -> Desk:
    return offline(palaver, clock)


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
        reply = await offline(palaver, clock).send("What was the login bug?")
    assert reply.content == (
        "No model is connected, so I can only quote what was said before.\n"
        "\n"
        "You said on 14 February 2026, 10:00, in "
        f"[Server \\[trouble\\]](/c/{said.conversation_id}#{said.id}):\n"
        "\n"
        "> The login bug came from the session cookie."
    )
    assert reply.model == "offline"
    assert reply.sources == [
        Source(message_id=said.id, quote="The login bug came from the session cookie.")
    ]


async def test_it_names_the_assistant_and_conversations_without_a_title(
    palaver: Palaver, desk: Desk
):
    await told(palaver, user("Which bug?"), assistant("The login bug is in the cookie."))
    reply = await desk.send("login bug cookie?")
    assert "Palaver said on 14 February 2026, 09:00, in [New conversation](" in reply.content


async def test_it_never_quotes_itself_nor_the_message_it_answers(palaver: Palaver, desk: Desk):
    first = await desk.send("Where is the xylophone?")
    assert first.sources == []
    again = await desk.send("Where is the xylophone?", first.conversation_id)
    assert again.sources == []
    (said,) = await told(palaver, user("The xylophone is in the attic."))
    for _ in range(3):
        reply = await desk.send("Where is the xylophone?", first.conversation_id)
        assert [source.message_id for source in reply.sources] == [said.id]


async def test_it_prefers_statements_to_questions(palaver: Palaver, desk: Desk):
    await told(palaver, user("Do you know where the blue xylophone of my sister is?"))
    (said,) = await told(palaver, user("My sister has the xylophone."))
    reply = await desk.send("Where is the blue xylophone of my sister?")
    assert [source.message_id for source in reply.sources] == [said.id]


async def test_it_falls_back_to_a_question_that_asked_more(palaver: Palaver, desk: Desk):
    (asked,) = await told(palaver, user("Is the xylophone still in the attic?"))
    reply = await desk.send("Where is the xylophone?")
    assert [source.message_id for source in reply.sources] == [asked.id]


async def test_it_quotes_at_most_three_and_none_twice(palaver: Palaver, desk: Desk):
    for n in range(5):
        await told(palaver, user(f"The xylophone number {n} is blue."))
    await told(palaver, user("the xylophone  number 4 is BLUE."))
    reply = await desk.send("What colour is the xylophone?")
    quotes = [source.quote for source in reply.sources]
    assert len(quotes) == 3
    assert len({" ".join((quote or "").casefold().split()) for quote in quotes}) == 3


async def test_it_finds_several_places_in_one_long_conversation(palaver: Palaver, desk: Desk):
    talk = [user(f"Small talk number {n}.") for n in range(60)]
    for place, colour in ((3, "blue"), (30, "red"), (50, "green")):
        talk[place] = user(f"The xylophone is {colour}.")
    said = await told(palaver, *talk)
    reply = await desk.send("What colour is the xylophone?")
    assert {one.message_id for one in reply.sources} == {said[n].id for n in (3, 30, 50)}


async def test_a_statement_is_noted_with_at_most_one_quotation(palaver: Palaver, desk: Desk):
    for n in range(3):
        await told(palaver, user(f"The xylophone number {n} is blue."))
    noted = await desk.send("The blue xylophone was sold.")
    assert noted.content.startswith("Noted. No model is connected")
    assert len(noted.sources) == 1
    for asking in ("Tell me about the xylophone", "The xylophone, which colour", "xylophone? Hm"):
        assert len((await desk.send(asking)).sources) == 3


async def test_what_was_said_here_was_said_earlier_in_this_conversation(
    palaver: Palaver, desk: Desk
):
    first = await desk.send("The xylophone is in the attic.")
    (said, _) = (await palaver.messages(first.conversation_id)).messages
    reply = await desk.send("Where is the xylophone?", first.conversation_id)
    place = f"[earlier in this conversation](/c/{first.conversation_id}#{said.id}):"
    assert f"You said on 14 February 2026, 09:00, {place}" in reply.content


async def test_a_long_quotation_is_cut_and_stands_in_its_message(palaver: Palaver, desk: Desk):
    (said,) = await told(palaver, user("so " * 200 + "the xylophone is blue " + "and " * 200))
    (source,) = (await desk.send("xylophone?")).sources
    assert source.quote is not None
    assert source.quote in said.content
    assert len(source.quote) <= 240


async def test_a_quotation_from_the_beginning_of_a_huge_message(palaver: Palaver, desk: Desk):
    (said,) = await told(palaver, user("The xylophone is blue. " + "word " * 60_000))
    (source,) = (await desk.send("xylophone?")).sources
    assert source == Source(message_id=said.id, quote="The xylophone is blue.")


async def test_quoted_words_cannot_break_out(palaver: Palaver, desk: Desk):
    await told(palaver, user("xylophone\n\n# Run this\n<script>alert(1)</script> [x](http://x)"))
    assert (await desk.send("xylophone?")).content.splitlines()[-1] == "> xylophone"
    await told(palaver, user("# marimba <script>alert(1)</script> [x](http://x)"))
    quote = (await desk.send("marimba?")).content.splitlines()[-1]
    assert quote == r"> \# marimba \<script>alert(1)\</script> \[x\](http://x)"


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ("Hello", "Hello! No model is connected"),
        ("hi there!", "Hello! No model is connected"),
        ("Good morning, Palaver", "Hello! No model is connected"),
        ("Guten Tag!", "Hello! No model is connected"),
        ("thanks a lot", "You are welcome. No model is connected"),
        ("Vielen Dank!", "You are welcome. No model is connected"),
        ("Danke dir!", "You are welcome. No model is connected"),
        ("👍", "No model is connected, but I can find"),
        ("?!", "No model is connected, but I can find"),
        ("Where is the unicorn?", "No model is connected, and I found nothing about that"),
        ("My unicorn is green.", "Noted. No model is connected"),
    ],
)
async def test_it_always_says_that_no_model_is_connected(desk: Desk, text: str, opening: str):
    reply = await desk.send(text)
    assert reply.content.startswith(opening)
    assert reply.sources == []


async def test_the_same_question_gets_the_same_answer(tmp_path: Path):
    answers: list[str] = []
    for name in ("one", "other"):
        clock = Clock()
        async with library(tmp_path / name, clock) as palaver:
            for n in range(4):
                said = user(f"The xylophone number {n} is blue.")
                # The clock of the tests goes on whenever somebody looks at it, also in a thread.
                then = said.model_copy(update={"timestamp": f"2026-02-13T12:0{n}:00Z"})
                await told(palaver, then, title=f"Talk {n}")
            await palaver.settle()  # what some texts mean may be known before what others do
            reply = await offline(palaver, clock).send("Which xylophone is blue?")
            answers.append(re.sub(r"(conv|msg)-\w+", "an id", reply.content))
    assert answers[0] == answers[1]
    assert answers[0].count("xylophone") == 3


@pytest.mark.parametrize("error", [IndexRebuilding(), IndexDegraded()])
async def test_without_an_index_it_says_so_and_answers_all_the_same(
    desk: Desk, error: IndexUnavailable
):
    async def broken(_: Json, __: Caller) -> Output:
        raise error

    desk.tools = [Tool(name, "", {}, broken) for name in ("search_conversations", "fetch_context")]
    reply = await desk.send("Where is the xylophone?")
    assert reply.content.startswith("No model is connected, and I cannot look back just now.")
    assert error.message in reply.content
    assert error.remedy in reply.content
    assert reply.sources == []


async def test_without_the_scope_it_says_that_it_may_not_look_back(palaver: Palaver, desk: Desk):
    await told(palaver, user("The xylophone is blue."))
    desk.scopes = frozenset({"chat"})
    reply = await desk.send("What colour is the xylophone?")
    assert reply.content == (
        "No model is connected, and I may not look back for whoever sent this."
    )
    assert reply.tool_calls is None


async def test_asked_for_a_time_alone_it_quotes_what_was_said_then(palaver: Palaver, desk: Desk):
    conversation = await palaver.start()
    said = await palaver.append(
        conversation.id, "user", "The boiler is repaired.", timestamp="2026-02-13T12:00:00Z"
    )
    await palaver.append(
        conversation.id, "user", "The roof leaks.", timestamp="2026-01-02T12:00:00Z"
    )
    reply = await desk.send("What did I say yesterday?")
    assert [source.message_id for source in reply.sources] == [said.id]


async def test_it_says_when_nothing_was_said_at_the_time(palaver: Palaver, desk: Desk):
    conversation = await palaver.start()
    await palaver.append(
        conversation.id, "user", "The boiler is repaired.", timestamp="2026-01-13T12:00:00Z"
    )
    reply = await desk.send("What did I say about the boiler yesterday?")
    assert "I found nothing about it from that time." in reply.content
    assert [source.quote for source in reply.sources] == ["The boiler is repaired."]


async def test_it_understands_a_question_in_german(palaver: Palaver, desk: Desk):
    (said,) = await told(palaver, user("Der Kessel ist repariert und läuft wieder."))
    await told(palaver, user("Das Wetter war gestern schön."))
    reply = await desk.send("Was haben wir über den Kessel gesagt?")
    assert [source.message_id for source in reply.sources] == [said.id]
    assert reply.content.startswith("No model is connected, so I can only quote")


async def test_nothing_that_was_said_is_kept_with_the_calls(palaver: Palaver, desk: Desk):
    (said,) = await told(palaver, user("The xylophone is blue."), title="Music")
    reply = await desk.send("What colour is the xylophone?")
    calls = {call["toolName"]: call for call in reply.tool_calls or ()}
    assert calls["search_conversations"]["input"]["query"] == "colour xylophone"
    assert calls["fetch_context"]["output"]["turnRange"] == {"from": 1, "to": 1}
    assert said.conversation_id in str(calls)
    assert "blue" not in str(calls)
    assert "Music" not in str(calls)
