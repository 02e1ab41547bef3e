"""Commands are answered at once, are no turns, and can be repeated."""

from __future__ import annotations

from contextlib import aclosing

import pytest

from palaver.app import Palaver
from palaver.conversation.records import Change
from palaver.conversation.steps import ReplyFinished
from palaver.errors import KeyReused
from palaver.ledger.lines import Line, event
from tests.conversation.scripted import Gate, Scripted, answer_by


async def events(palaver: Palaver, conversation_id: str) -> list[Line]:
    return [line for line in await palaver.lines(conversation_id) if line.event == "command"]


async def test_a_command_is_one_event_and_no_turn(palaver: Palaver):
    script = answer_by(palaver, Scripted(["Hi!"]))
    sent = await palaver.send("Hello")
    answered = await palaver.send("/HELP", conversation_id=sent.conversation_id)
    assert (answered.conversation_id, answered.turn_number) == (sent.conversation_id, None)
    reply = answered.reply
    assert (reply.role, reply.status, reply.turn_number) == ("assistant", "complete", 0)
    assert "/forget" in reply.content
    (event,) = await events(palaver, sent.conversation_id)
    assert (event.data["name"], event.data["text"]) == ("help", "/HELP")
    assert event.data["answer"] == reply.content
    assert len((await palaver.messages(sent.conversation_id)).messages) == 2
    assert (await palaver.conversation(sent.conversation_id)).turn_count == 1
    assert len(script.tasks) == 1
    packet = await palaver.context(sent.conversation_id, "Next")
    assert [one["content"] for one in packet.messages] == ["Hello", "Hi!", "Next"]
    found = await palaver.search("forget")  # its meaning may be like that of what was said
    assert not any(hit.highlights for hit in found)


async def test_a_path_goes_to_the_assistant(palaver: Palaver):
    answer_by(palaver, Scripted(["Close it."]))
    assert (await palaver.send("/etc/passwd is open")).turn_number == 1
    assert (await palaver.send(" /help")).turn_number == 2


async def test_an_unknown_command_is_answered_with_the_list(palaver: Palaver):
    answered = await palaver.send("/hlep me")
    assert answered.turn_number is None
    assert "Did you mean `/help`?" in answered.reply.content


async def test_a_command_can_be_streamed(palaver: Palaver):
    async with aclosing(palaver.stream("/help")) as steps:
        (finished,) = [step async for step in steps]
    assert isinstance(finished, ReplyFinished)
    assert "/forget" in finished.turn.content


async def test_new_begins_a_conversation_with_the_same_model(palaver: Palaver):
    sent = await palaver.send("Hello", model="opus")
    answered = await palaver.send("/new", conversation_id=sent.conversation_id, key="k")
    (event,) = await events(palaver, sent.conversation_id)
    name = event.data["conversationId"]
    assert f"(/c/{name})" in answered.reply.content
    begun = await palaver.conversation(name)
    assert (begun.model, begun.turn_count) == ("opus", 0)
    again = await palaver.send("/new", conversation_id=sent.conversation_id, key="k")
    assert again == answered
    assert len((await palaver.conversations()).conversations) == 2


async def test_new_with_a_text_says_it_there(palaver: Palaver):
    answer_by(palaver, Scripted(["In spring."]))
    answered = await palaver.send("/new When should I go to Rome?", key="k")
    (event,) = await events(palaver, answered.conversation_id)
    await palaver._agent.turns.replies.settle()  # pyright: ignore[reportPrivateUsage]
    said = (await palaver.messages(event.data["conversationId"])).messages
    assert [one.content for one in said] == ["When should I go to Rome?", "In spring."]
    assert await palaver.send("/new When should I go to Rome?", key="k") == answered
    assert len(await palaver.lines(event.data["conversationId"])) == 3


async def test_title_names_the_conversation(palaver: Palaver):
    sent = await palaver.send("Hello")
    await palaver.send("/title A trip\nto Rome", conversation_id=sent.conversation_id)
    named = await palaver.conversation(sent.conversation_id)
    assert (named.title, named.manually_named) == ("A trip to Rome", True)
    for text in ("/title", f"/title {'x' * 256}"):
        await palaver.send(text, conversation_id=sent.conversation_id)
    assert (await palaver.conversation(sent.conversation_id)).title == "A trip to Rome"


async def test_model_shows_and_chooses(palaver: Palaver):
    sent = await palaver.send("Hello")
    shown = await palaver.send("/model")
    assert "`offline`" in shown.reply.content
    unknown = await palaver.send("/model gpt-17")
    assert "gpt-17" in unknown.reply.content
    assert "not connected" in (await palaver.send("/model opus")).reply.content
    assert (await palaver.conversation(sent.conversation_id)).model is None
    await palaver.send("/model offline")
    assert (await palaver.conversation(sent.conversation_id)).model == "offline"


async def test_a_repeated_key_obeys_once(palaver: Palaver):
    sent = await palaver.send("Hello")
    first = await palaver.send("/title One", key="k")
    await palaver.update(sent.conversation_id, Change(title="Two"))
    assert await palaver.send("/title One", key="k") == first
    assert (await palaver.conversation(sent.conversation_id)).title == "Two"
    for other in ("/title Three", "Hello"):
        with pytest.raises(KeyReused):
            await palaver.send(other, key="k")
    assert (await palaver.conversation(sent.conversation_id)).title == "Two"


async def test_a_command_is_answered_while_a_reply_is_made(palaver: Palaver):
    gate = answer_by(palaver, Gate())
    conversation = await palaver.start()
    async with aclosing(palaver.stream("Hello", conversation_id=conversation.id)) as steps:
        await anext(steps)
        await gate.waiting.wait()
        assert (await palaver.send("/help")).turn_number is None
        gate.open.set()
        assert [step async for step in steps][-1].to_json()["turn"]["turnNumber"] == 1


async def test_forget_lists_first_and_erases_when_confirmed(palaver: Palaver):
    answer_by(palaver, Scripted(["Noted."]))
    secret = await palaver.send("The Code is  Zwieback, keep it.", new=True)
    other = await palaver.send("A code is not the code 4712.", new=True)
    listed = await palaver.send("/forget code is Zwieback", conversation_id=other.conversation_id)
    assert secret.reply.reply_to
    assert f"/c/{secret.conversation_id}#{secret.reply.reply_to}" in listed.reply.content
    assert "2026-02-14" in listed.reply.content
    assert "4712" not in listed.reply.content
    assert (await palaver.message(secret.conversation_id, secret.reply.reply_to)).content
    done = await palaver.send("/forget YES", conversation_id=other.conversation_id, key="k")
    assert "Erased for good: 1 message" in done.reply.content
    gone = await palaver.message(secret.conversation_id, secret.reply.reply_to)
    assert (gone.content, gone.status) == ("", "redacted")
    for conversation in (secret.conversation_id, other.conversation_id):
        assert not [one for one in await palaver.lines(conversation) if b"Zwieback" in one.raw]
    again = await palaver.send("/forget yes", conversation_id=other.conversation_id)
    assert "Nothing is listed" in again.reply.content
    repeated = await palaver.send("/forget YES", conversation_id=other.conversation_id, key="k")
    assert repeated == done


async def test_a_list_goes_with_the_words_of_a_title_in_it(palaver: Palaver):
    answer_by(palaver, Scripted(["Noted."]))
    baked = await palaver.send("We baked Zwieback.", new=True)
    words, there = [{"messageId": baked.reply.reply_to}], baked.conversation_id
    named = event(there, "title_assigned", title="Zwieback", turn=1, by="offline", sources=words)
    await palaver._ledger.append([named])  # pyright: ignore[reportPrivateUsage]
    await palaver.send("The oven is too hot.", conversation_id=there)
    listed = await palaver.send("/forget oven", new=True)
    assert "[Zwieback]" in listed.reply.content
    await palaver.redact(there, baked.reply.reply_to or "")
    for conversation in (there, listed.conversation_id):
        assert not [one for one in await palaver.lines(conversation) if b"Zwieback" in one.raw]


@pytest.mark.parametrize("text", ["/forget xylophone", "/forgett xylophone", "/title"])
async def test_a_command_that_comes_to_nothing_keeps_no_words(palaver: Palaver, text: str):
    first = await palaver.send(text, new=True, key="k")
    assert await palaver.send(text, conversation_id=first.conversation_id, key="k") == first
    assert not [one for one in await palaver.lines(first.conversation_id) if b"xyl" in one.raw]


async def test_a_refused_command_keeps_no_words(palaver: Palaver):
    refused = await palaver.send("/forget Zwieback", new=True, scopes=frozenset({"chat"}))
    assert not [
        one for one in await palaver.lines(refused.conversation_id) if b"Zwieback" in one.raw
    ]


async def test_what_new_has_said_is_erased_everywhere(palaver: Palaver):
    answer_by(palaver, Scripted(["Noted."]))
    here = await palaver.send("Hello")
    told = await palaver.send("/new The code is Zwieback.", key="k")
    assert await palaver.send("/new The code is Zwieback.", key="k") == told
    (event,) = [one for one in await palaver.lines(here.conversation_id) if one.event == "command"]
    begun = event.data["conversationId"]
    await palaver._agent.turns.replies.settle()  # pyright: ignore[reportPrivateUsage]
    said = (await palaver.messages(begun)).messages[0]
    await palaver.redact(begun, said.id)
    for place in (here.conversation_id, begun):
        assert not [one for one in await palaver.lines(place) if b"Zwieback" in one.raw]


async def test_what_new_has_said_is_answered_with_what_its_sender_may_do(palaver: Palaver):
    only = frozenset({"chat"})
    gate = answer_by(palaver, Gate())
    told = await palaver.send("/new Hello", new=True, scopes=only)
    await gate.waiting.wait()
    (event,) = [one for one in await palaver.lines(told.conversation_id) if one.event == "command"]
    turns = [one for one in await palaver.lines(event.data["conversationId"]) if one.type == "turn"]
    assert turns[0].data["scopes"] == ["chat"]


async def test_what_was_remembered_after_the_list_is_told(palaver: Palaver):
    await palaver.memories.add("My boat is called Zwieback.")
    await palaver.send("/forget Zwieback", new=True)
    await palaver.memories.add("I bake Zwieback on Sundays.")
    done = (await palaver.send("/forget yes")).reply.content
    assert "1 memory" in done
    assert "1 more memory is about these words" in done
    assert [one.content for one in await palaver.memories.list()] == ["I bake Zwieback on Sundays."]


@pytest.mark.parametrize("between", ["Never mind", "/help", "/forget"])
async def test_anything_in_between_cancels(palaver: Palaver, between: str):
    answer_by(palaver, Scripted(["Noted."]))
    sent = await palaver.send("The code is Zwieback.")
    assert sent.reply.reply_to
    await palaver.send("/forget Zwieback")
    await palaver.send(between)
    assert "Nothing is listed" in (await palaver.send("/forget yes")).reply.content
    kept = await palaver.message(sent.conversation_id, sent.reply.reply_to)
    assert kept.content == "The code is Zwieback."


async def test_what_is_confirmed_elsewhere_is_not_erased(palaver: Palaver):
    answer_by(palaver, Scripted(["Noted."]))
    await palaver.send("The code is Zwieback.")
    await palaver.send("/forget Zwieback")
    other = await palaver.send("Hello", new=True)
    elsewhere = await palaver.send("/forget yes", conversation_id=other.conversation_id)
    assert "Nothing is listed" in elsewhere.reply.content


async def test_at_most_twenty_are_listed_and_erased(palaver: Palaver):
    conversation = await palaver.start()
    for number in range(25):
        await palaver.append(conversation.id, "user", f"Plan {number} for the xylophone")
    listed = await palaver.send("/forget xylophone", conversation_id=conversation.id)
    assert "20 messages with these words" in listed.reply.content
    assert "5 more messages" in listed.reply.content
    await palaver.send("/forget yes", conversation_id=conversation.id)
    page = await palaver.messages(conversation.id, limit=200)
    assert [one.content for one in page.messages if one.content] == [
        f"Plan {number} for the xylophone" for number in range(5)
    ]


async def test_what_is_not_there_is_not_listed(palaver: Palaver):
    await palaver.send("Hello")
    assert "No message" in (await palaver.send("/forget xylophone")).reply.content


async def test_whoever_may_only_chat_erases_nothing(palaver: Palaver):
    answer_by(palaver, Scripted(["Noted."]))
    sent = await palaver.send("The code is Zwieback.")
    only = frozenset({"chat"})
    for text in ("/forget Zwieback", "/title Mine"):
        answered = await palaver.send(text, scopes=only)
        assert "needs the scope `write`" in answered.reply.content
    assert (
        "Zwieback"
        not in (await palaver.send("/forget Zwieback", scopes=only | {"write"})).reply.content
    )
    assert (await palaver.conversation(sent.conversation_id)).title is None
