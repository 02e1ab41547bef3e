"""The last message is said otherwise, a reply is made again; the old ones are kept."""

from __future__ import annotations

import asyncio

import pytest

from palaver.app import Palaver
from palaver.errors import Conflict, EmptyMessage, KeyReused, ModelBusy, NotFound, Outdated
from palaver.index.records import Message
from tests.conversation.scripted import Gate, Scripted, answer_by


async def shown(palaver: Palaver, conversation_id: str) -> list[tuple[int, str, str]]:
    page = await palaver.messages(conversation_id)
    return [(one.turn_number, one.role, one.content) for one in page.messages]


async def status(palaver: Palaver, message: Message) -> str:
    return (await palaver.message(message.conversation_id, message.id)).status


async def test_an_edited_message_is_answered_and_the_old_ones_are_kept(palaver: Palaver):
    script = answer_by(palaver, Scripted(["Blue."]))
    sent = await palaver.send("What collour?")
    assert sent.reply.reply_to
    script.script = ["Red."]
    edited = await palaver.edit(sent.conversation_id, sent.reply.reply_to, "What colour?")
    assert await shown(palaver, sent.conversation_id) == [
        (1, "user", "What colour?"),
        (1, "assistant", "Red."),
    ]
    assert await status(palaver, sent.reply) == "superseded"
    old = await palaver.message(sent.conversation_id, sent.reply.reply_to)
    assert (old.content, old.status) == ("What collour?", "superseded")
    assert edited.turn_number == 1
    assert [one["content"] for one in script.tasks[1].packet.messages] == ["What colour?"]


async def test_only_the_last_message_of_the_user_can_be_edited(palaver: Palaver):
    first = await palaver.send("One")
    await palaver.send("Two", conversation_id=first.conversation_id)
    before = await palaver.lines(first.conversation_id)
    assert first.reply.reply_to
    for message_id in (first.reply.reply_to, first.reply.id):
        with pytest.raises(Conflict):
            await palaver.edit(first.conversation_id, message_id, "Three")
    with pytest.raises(NotFound):
        await palaver.edit(first.conversation_id, "msg-01", "Three")
    assert await palaver.lines(first.conversation_id) == before


async def test_an_edit_that_is_refused_stops_no_reply(palaver: Palaver):
    gate = answer_by(palaver, Gate())
    conversation = (await palaver.start()).id
    first = asyncio.create_task(palaver.send("One", conversation_id=conversation))
    await gate.waiting.wait()
    (one,) = (await palaver.messages(conversation)).messages
    with pytest.raises(EmptyMessage):
        await palaver.edit(conversation, one.id, " ")
    second = asyncio.create_task(palaver.send("Two", conversation_id=conversation))
    while len((await palaver.messages(conversation)).messages) < 2:
        pass
    with pytest.raises(Conflict):
        await palaver.edit(conversation, one.id, "Three")
    gate.open.set()
    assert [(await each).reply.content for each in (first, second)] == ["Re: One", "Re: Two"]


async def test_an_edit_that_cannot_be_taken_changes_nothing(palaver: Palaver):
    sent = await palaver.send("One")
    assert sent.reply.reply_to
    before = await palaver.lines(sent.conversation_id)
    with pytest.raises(EmptyMessage):
        await palaver.edit(sent.conversation_id, sent.reply.reply_to, " ")
    assert await palaver.lines(sent.conversation_id) == before


async def test_an_edit_can_be_repeated_and_edited_again(palaver: Palaver):
    sent = await palaver.send("One")
    assert sent.reply.reply_to
    first = await palaver.edit(sent.conversation_id, sent.reply.reply_to, "Two", key="k")
    assert await palaver.edit(sent.conversation_id, sent.reply.reply_to, "Two", key="k") == first
    assert first.reply.reply_to
    await palaver.edit(sent.conversation_id, first.reply.reply_to, "Three")
    assert [
        text for _, role, text in await shown(palaver, sent.conversation_id) if role == "user"
    ] == ["Three"]


async def test_editing_stops_the_reply_to_the_old_message(palaver: Palaver):
    gate = answer_by(palaver, Gate())
    conversation = await palaver.start()
    send = asyncio.create_task(palaver.send("One", conversation_id=conversation.id))
    await gate.waiting.wait()
    (question,) = (await palaver.messages(conversation.id)).messages
    gate.open.set()
    edited = await palaver.edit(conversation.id, question.id, "Two")
    assert edited.reply.content == "Re: Two"
    await asyncio.gather(send, return_exceptions=True)
    assert await shown(palaver, conversation.id) == [
        (1, "user", "Two"),
        (1, "assistant", "Re: Two"),
    ]


async def test_a_reply_is_made_again(palaver: Palaver):
    script = answer_by(palaver, Scripted(["Blue."]))
    sent = await palaver.send("What colour?")
    replies = [sent.reply]
    for words in ("Red.", "Green."):
        script.script = [words]
        again = await palaver.regenerate(sent.conversation_id, replies[-1].id)
        assert (again.reply.content, again.reply.supersedes) == (words, replies[-1].id)
        replies.append(again.reply)
    assert [reply.key for reply in replies] == [
        f"reply:{sent.reply.reply_to}:{attempt}" for attempt in (1, 2, 3)
    ]
    assert [await status(palaver, reply) for reply in replies] == [
        "superseded",
        "superseded",
        "complete",
    ]
    assert [one["content"] for one in script.tasks[2].packet.messages] == ["What colour?"]
    script.script = ["Never."]
    assert (
        await palaver.regenerate(sent.conversation_id, sent.reply.reply_to or "")
    ).reply.content == "Never."


async def test_a_superseded_reply_is_not_made_again(palaver: Palaver):
    sent = await palaver.send("What colour?")
    await palaver.regenerate(sent.conversation_id, sent.reply.id)
    with pytest.raises(Conflict):
        await palaver.regenerate(sent.conversation_id, sent.reply.id)


async def test_a_good_reply_stays_when_nothing_comes_instead(palaver: Palaver):
    script = answer_by(palaver, Scripted(["Blue."]))
    sent = await palaver.send("What colour?")
    script.script = [ModelBusy()]
    with pytest.raises(ModelBusy):
        await palaver.regenerate(sent.conversation_id, sent.reply.id)
    assert await status(palaver, sent.reply) == "complete"
    gate = answer_by(palaver, Gate())
    again = asyncio.create_task(palaver.regenerate(sent.conversation_id, sent.reply.id))
    await gate.waiting.wait()
    await palaver.stop(sent.conversation_id)
    assert (await again).reply == sent.reply
    assert len(await palaver.lines(sent.conversation_id)) == 3


async def test_a_message_without_a_reply_can_be_given_one(palaver: Palaver):
    answer_by(palaver, Scripted(["Hi!"]))
    conversation = await palaver.start()
    said = await palaver.append(conversation.id, "user", "Hello")
    made = await palaver.regenerate(conversation.id, said.id)
    assert (made.reply.content, made.reply.reply_to) == ("Hi!", said.id)
    alone = await palaver.start()
    greeting = await palaver.append(alone.id, "assistant", "Welcome.")
    with pytest.raises(Conflict):
        await palaver.regenerate(alone.id, greeting.id)


async def test_a_repeated_key_makes_no_other_reply(palaver: Palaver):
    script = answer_by(palaver, Scripted(["Blue."]))
    sent = await palaver.send("What colour?")
    script.script = ["Red."]
    first = await palaver.regenerate(sent.conversation_id, sent.reply.id, key="once more")
    before = await palaver.lines(sent.conversation_id)
    again = await palaver.regenerate(sent.conversation_id, sent.reply.id, key="once more")
    assert (first.reply.content, again) == ("Red.", first)
    assert await palaver.lines(sent.conversation_id) == before
    with pytest.raises(KeyReused):
        await palaver.regenerate(sent.conversation_id, first.reply.id, key="once more")
    with pytest.raises(Conflict):
        await palaver.regenerate(sent.conversation_id, sent.reply.id, key="another")
    assert await palaver.lines(sent.conversation_id) == before


async def test_a_reply_that_was_wanted_and_not_made_is_made_when_it_is_wanted_again(
    palaver: Palaver,
):
    script = answer_by(palaver, Scripted(["Blue."]))
    sent = await palaver.send("What colour?")
    script.script = [ModelBusy()]
    with pytest.raises(ModelBusy):
        await palaver.regenerate(sent.conversation_id, sent.reply.id, key="k")
    script.script = ["Red."]
    made = await palaver.regenerate(sent.conversation_id, sent.reply.id, key="k")
    assert made.reply.content == "Red."
    assert await status(palaver, sent.reply) == "superseded"


async def test_those_who_want_the_same_at_once_get_one_reply(palaver: Palaver):
    script = answer_by(palaver, Scripted(["Blue."]))
    sent = await palaver.send("What colour?")
    script.script = ["Red."]
    made = await asyncio.gather(
        *(palaver.regenerate(sent.conversation_id, sent.reply.id, key="k") for _ in range(4))
    )
    assert len({one.reply.id for one in made}) == 1
    assert len(script.tasks) == 2


async def test_an_edit_stops_the_reply_that_it_has_seen_and_no_other(palaver: Palaver):
    gate = answer_by(palaver, Gate())
    conversation = (await palaver.start()).id
    first = asyncio.create_task(palaver.send("One", conversation_id=conversation))
    await gate.waiting.wait()
    view = await palaver.view(conversation)
    (one,) = view.page.messages
    await palaver.append(conversation, "system", "Be kind.")
    with pytest.raises(Outdated):
        await palaver.edit(conversation, one.id, "Two", version=view.version)
    assert palaver.is_replying
    version = (await palaver.view(conversation)).version
    gate.open.set()
    edited = await palaver.edit(conversation, one.id, "Two", version=version)
    assert edited.reply.content == "Re: Two"
    await asyncio.gather(first, return_exceptions=True)
