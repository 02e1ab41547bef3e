"""A message is stored at once and answered once, in order."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from palaver.app import Palaver
from palaver.conversation.records import Change, Reply
from palaver.conversation.turn import reply_in
from palaver.errors import BadValue, EmptyMessage, Erased, KeyReused, NotFound
from tests.conversation.scripted import Gate, answer_by
from tests.library import Clock, library


async def said(palaver: Palaver, conversation_id: str) -> list[tuple[int, str, str]]:
    page = await palaver.messages(conversation_id, limit=200)
    return [(one.turn_number, one.role, one.content) for one in page.messages]


async def test_a_message_and_its_reply_share_a_turn(palaver: Palaver):
    sent = await palaver.send("Hello", new=True)
    page = await palaver.messages(sent.conversation_id)
    question, reply = page.messages
    assert sent == Reply(conversation_id=question.conversation_id, turn_number=1, reply=reply)
    assert (question.turn_number, reply.turn_number) == (1, 1)
    assert (reply.reply_to, reply.key, reply.model) == (
        question.id,
        f"reply:{question.id}:1",
        "offline",
    )
    line = (await palaver.lines(sent.conversation_id))[1]
    assert line.data["awaitsReply"] is True


async def test_the_turn_of_a_message_tells_the_reply_that_the_index_gives(palaver: Palaver):
    sent = await palaver.send("Hello", new=True)
    name, index, user = sent.conversation_id, palaver._index, palaver.user  # pyright: ignore[reportPrivateUsage]
    question = (await palaver.messages(name)).messages[0]
    waiting = await palaver.append(name, "user", "And now?")
    for _ in range(2):
        turns = await index.turns(user, name, 1, 2)
        given = await index.reply_to(user, question.id)
        assert given is not None
        assert reply_in(turns, question) == given
        assert reply_in(turns, waiting) is await index.reply_to(user, waiting.id) is None
        await palaver.redact(name, given.id)
        await palaver.regenerate(name, question.id)


async def test_a_conversation_begins_with_its_first_message_in_one_commit(palaver: Palaver):
    sent = await palaver.send("Hello", new=True)
    meta, question, _ = await palaver.lines(sent.conversation_id)
    assert meta.data["at"] == question.data["at"]
    assert meta.pos + 1 == question.pos


async def test_a_model_is_chosen_in_the_commit_of_its_message(palaver: Palaver):
    sent = await palaver.send("Hello", new=True, model="sonnet")
    meta, chosen, question, _ = await palaver.lines(sent.conversation_id)
    assert (chosen.event, chosen.data["model"]) == ("model_changed", "sonnet")
    assert meta.data["at"] == chosen.data["at"] == question.data["at"]
    assert [chosen.pos, question.pos] == [meta.pos + 1, meta.pos + 2]
    assert (await palaver.conversation(sent.conversation_id)).model == "sonnet"


@pytest.mark.parametrize("new", [True, False])
async def test_a_retry_does_not_choose_the_model_again(palaver: Palaver, new: bool):
    first = await palaver.send("Hello", new=new, key="k", model="sonnet")
    await palaver.update(first.conversation_id, Change(model="opus"))
    before = await palaver.lines(first.conversation_id)
    assert await palaver.send("Hello", new=new, key="k", model="sonnet") == first
    assert await palaver.lines(first.conversation_id) == before
    assert (await palaver.conversation(first.conversation_id)).model == "opus"
    assert len((await palaver.conversations()).conversations) == 1


@pytest.mark.parametrize(("first", "second"), [(None, "opus"), ("opus", "haiku"), ("opus", None)])
async def test_a_key_with_another_model_is_refused(
    palaver: Palaver, first: str | None, second: str | None
):
    sent = await palaver.send("Hello", new=True, key="k", model=first)
    before = await palaver.lines(sent.conversation_id)
    with pytest.raises(KeyReused):
        await palaver.send("Hello", new=True, key="k", model=second)
    assert await palaver.lines(sent.conversation_id) == before
    assert len((await palaver.conversations()).conversations) == 1


@pytest.mark.parametrize("model", ["", "x" * 256])
async def test_a_refused_model_stores_nothing(palaver: Palaver, model: str):
    with pytest.raises(BadValue, match="1 to 255"):
        await palaver.send("Hello", model=model)
    assert (await palaver.conversations()).conversations == []


async def test_sending_continues_the_latest_conversation(palaver: Palaver):
    first = await palaver.send("One")
    assert (await palaver.send("Two")).conversation_id == first.conversation_id
    second = await palaver.send("Three", new=True)
    assert second.conversation_id != first.conversation_id
    assert (await palaver.send("Four")).conversation_id == second.conversation_id
    back = await palaver.send("Five", conversation_id=first.conversation_id)
    assert (back.conversation_id, back.turn_number) == (first.conversation_id, 3)
    assert (await palaver.send("Six")).conversation_id == first.conversation_id


async def test_the_first_messages_sent_at_once_begin_one_conversation(palaver: Palaver):
    replies = await asyncio.gather(*(palaver.send(f"Message {n}") for n in range(4)))
    assert len({reply.conversation_id for reply in replies}) == 1


async def test_an_archived_conversation_comes_back_when_it_is_written_to(palaver: Palaver):
    first = await palaver.send("One")
    await palaver.update(first.conversation_id, Change(archived=True))
    assert (await palaver.send("Two")).conversation_id != first.conversation_id
    await palaver.send("Three", conversation_id=first.conversation_id)
    assert not (await palaver.conversation(first.conversation_id)).archived


@pytest.mark.parametrize("new", [True, False])
async def test_what_cannot_be_taken_begins_no_conversation(palaver: Palaver, new: bool):
    with pytest.raises(EmptyMessage):
        await palaver.send("  ", new=new)
    assert (await palaver.conversations()).conversations == []


async def test_a_new_conversation_cannot_have_an_old_id(palaver: Palaver):
    sent = await palaver.send("Hello")
    with pytest.raises(BadValue):
        await palaver.send("Hello", conversation_id=sent.conversation_id, new=True)


async def test_messages_sent_meanwhile_are_stored_at_once_and_answered_after(palaver: Palaver):
    gate = answer_by(palaver, Gate())
    conversation = await palaver.start()
    await palaver.append(conversation.id, "system", "Be brief.")
    sends = [
        asyncio.create_task(palaver.send(text, conversation_id=conversation.id))
        for text in ("One", "Two", "Three")
    ]
    await gate.waiting.wait()
    # A commit of its own, behind theirs: once it is stored, so are they.
    await palaver.update(conversation.id, Change(title="Behind them"))
    assert (await said(palaver, conversation.id))[1:] == [
        (1, "user", "One"),
        (2, "user", "Two"),
        (3, "user", "Three"),
    ]
    assert gate.asked == ["One"]
    gate.open.set()
    replies = await asyncio.gather(*sends)
    assert gate.asked == ["One", "Two", "Three"]
    assert [(one.turn_number, one.reply.content) for one in replies] == [
        (1, "Re: One"),
        (2, "Re: Two"),
        (3, "Re: Three"),
    ]
    assert (await said(palaver, conversation.id))[4:] == [
        (1, "assistant", "Re: One"),
        (2, "assistant", "Re: Two"),
        (3, "assistant", "Re: Three"),
    ]


async def test_conversations_do_not_wait_for_each_other(palaver: Palaver):
    gate = answer_by(palaver, Gate(expected=2))
    one, other = await palaver.start(), await palaver.start()
    sends = [
        asyncio.create_task(palaver.send("Hello", conversation_id=stream))
        for stream in (one.id, other.id)
    ]
    await gate.waiting.wait()
    gate.open.set()
    await asyncio.gather(*sends)


async def test_a_retry_gives_the_first_result_with_its_reply(tmp_path: Path, clock: Clock):
    async with library(tmp_path, clock) as palaver:
        first = await palaver.send("Hello", key="k")
        assert await palaver.send("Hello", key="k") == first
        assert await palaver.send("Hello", new=True, key="k") == first
        assert await palaver.send("Hello", conversation_id=first.conversation_id, key="k") == first
    async with library(tmp_path, clock) as palaver:
        assert await palaver.send("Hello", key="k") == first
        with pytest.raises(KeyReused):
            await palaver.send("Another", key="k")
        assert len(await said(palaver, first.conversation_id)) == 2
        assert len((await palaver.conversations()).conversations) == 1


async def test_a_retry_finds_its_message_when_another_conversation_is_the_latest(
    palaver: Palaver,
):
    first = await palaver.send("Hello", key="k")
    second = await palaver.send("Other", new=True)
    assert await palaver.send("Hello", key="k") == first
    with pytest.raises(KeyReused):
        await palaver.send("Hello", conversation_id=second.conversation_id, key="k")


async def test_a_retry_at_the_same_time_is_answered_once(palaver: Palaver):
    conversation = await palaver.start()
    replies = await asyncio.gather(
        *(palaver.send("Hello", conversation_id=conversation.id, key="k") for _ in range(5))
    )
    assert all(reply == replies[0] for reply in replies)
    assert len(await said(palaver, conversation.id)) == 2


async def test_a_retry_makes_the_reply_that_is_missing(palaver: Palaver):
    gate = answer_by(palaver, Gate())
    send = asyncio.create_task(palaver.send("Hello", new=True, key="k"))
    await gate.waiting.wait()
    send.cancel()
    with pytest.raises(asyncio.CancelledError):
        await send
    gate.open.set()
    again = await palaver.send("Hello", new=True, key="k")
    assert again.reply.content == "Re: Hello"
    assert await said(palaver, again.conversation_id) == [
        (1, "user", "Hello"),
        (1, "assistant", "Re: Hello"),
    ]


async def test_an_erased_message_is_not_sent_again_and_an_erased_reply_is_made_again(
    palaver: Palaver,
):
    first = await palaver.send("Hello", key="k")
    await palaver.redact(first.conversation_id, first.reply.id)
    second = await palaver.send("Hello", key="k")
    assert second.reply.id != first.reply.id
    assert second.reply.key == f"reply:{second.reply.reply_to}:2"
    assert second.reply.reply_to is not None
    await palaver.redact(first.conversation_id, second.reply.reply_to)
    with pytest.raises(Erased):
        await palaver.send("Hello", key="k")


async def test_a_reply_to_a_deleted_conversation_has_nowhere_to_go(palaver: Palaver):
    gate = answer_by(palaver, Gate())
    conversation = await palaver.start()
    send = asyncio.create_task(palaver.send("Hello", conversation_id=conversation.id))
    await gate.waiting.wait()
    await palaver.delete(conversation.id)
    gate.open.set()
    with pytest.raises(NotFound):
        await send


async def test_two_processes_answer_a_message_once(tmp_path: Path, clock: Clock):
    async with library(tmp_path, clock) as one, library(tmp_path, clock) as other:
        gate, elsewhere = answer_by(one, Gate()), answer_by(other, Gate())
        elsewhere.open.set()
        conversation = await one.start()
        send = asyncio.create_task(one.send("Hello", conversation_id=conversation.id, key="k"))
        await gate.waiting.wait()
        again = asyncio.create_task(other.send("Hello", conversation_id=conversation.id, key="k"))
        gate.open.set()
        assert await send == await again
        assert (gate.asked, elsewhere.asked) == (["Hello"], [])
        assert len(await said(one, conversation.id)) == 2
