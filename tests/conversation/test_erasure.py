"""Erasure takes what was said and everything that stands on it, and says so first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import pytest

from palaver.agent.answering import Delta, Frames, ReplyDraft, Task
from palaver.agent.language import Said
from palaver.app import Palaver
from palaver.conversation.records import Change, Receipt
from palaver.errors import Conflict, Erased, NotFound
from palaver.index.records import Message, Source
from palaver.ledger import lines
from palaver.ledger.lines import Draft, Line
from palaver.ledger.port import Appended, Erasure
from tests.conversation.scripted import answer_by
from tests.library import Clock, library

SECRET = "xylophone"


def traces(home: Path, word: str) -> list[str]:
    return [
        str(path.relative_to(home))
        for path in home.rglob("*")
        if path.is_file() and word.encode() in path.read_bytes()
    ]


async def quoting(palaver: Palaver, conversation_id: str, message: Message) -> Message:
    """A reply that quotes `message`."""
    source = Source(message_id=message.id, quote=message.content)
    return await palaver.append(
        conversation_id, "assistant", f"You said: {message.content}", sources=[source]
    )


async def erased(palaver: Palaver, message: Message) -> bool:
    try:
        return (await palaver.message(message.conversation_id, message.id)).status == "redacted"
    except NotFound:
        return True


def done(preview: Receipt) -> Receipt:
    assert preview.preview
    return preview.model_copy(update={"preview": False})


async def test_deleting_a_conversation_takes_what_quotes_it_too(palaver: Palaver):
    conversation, elsewhere, far = [await palaver.start() for _ in range(3)]
    said = await palaver.append(conversation.id, "user", f"The {SECRET} is blue.")
    await palaver.append(conversation.id, "system", "A note.")
    inside = await quoting(palaver, conversation.id, said)
    outside = await quoting(palaver, elsewhere.id, said)
    further = await quoting(palaver, far.id, outside)
    kept = await palaver.append(elsewhere.id, "user", "Something else.")

    preview = await palaver.delete(conversation.id, preview=True)
    assert await palaver.message(conversation.id, said.id) == said
    receipt = await palaver.delete(conversation.id)
    assert receipt == done(preview)

    assert (receipt.conversation_id, receipt.messages) == (conversation.id, 3)
    assert {(one.conversation_id, one.message_id) for one in receipt.dependents} == {
        (elsewhere.id, outside.id),
        (far.id, further.id),
    }
    assert (receipt.rows, receipt.full_text, receipt.pieces) == (6, 4, 4)
    assert receipt.erased == [
        "The conversation, its title and its 3 messages.",
        "2 replies in other conversations that quoted it.",
        "Its entries in the search index, by word and by meaning.",
    ]
    with pytest.raises(NotFound):
        await palaver.conversation(conversation.id)
    assert inside.conversation_id == conversation.id
    assert await erased(palaver, outside)
    assert await erased(palaver, further)
    assert await palaver.message(elsewhere.id, kept.id) == kept
    assert await palaver.search(SECRET) == []
    with pytest.raises(NotFound):
        await palaver.delete(conversation.id)


async def test_redacting_a_message_takes_what_quotes_it_and_nothing_else(palaver: Palaver):
    conversation = await palaver.start()
    said = await palaver.append(conversation.id, "user", f"The {SECRET} is blue.")
    quote = await quoting(palaver, conversation.id, said)
    kept = await palaver.append(conversation.id, "user", "Something else.")

    preview = await palaver.redact(conversation.id, said.id, preview=True)
    assert not await erased(palaver, said)
    receipt = await palaver.redact(conversation.id, said.id)
    assert receipt == done(preview)
    assert receipt.messages == 1
    assert [one.message_id for one in receipt.dependents] == [quote.id]
    assert receipt.erased == [
        "1 message of the conversation.",
        "1 reply in this conversation that quoted it or looked something up for it.",
        "Its entries in the search index, by word and by meaning.",
    ]

    assert await erased(palaver, said)
    assert await erased(palaver, quote)
    assert await palaver.message(conversation.id, kept.id) == kept
    assert kept.turn_number == 2
    assert await palaver.search(SECRET) == []
    assert (await palaver.append(conversation.id, "user", "Next")).turn_number == 3


async def test_what_a_message_said_before_it_was_edited_goes_with_it(palaver: Palaver):
    conversation = await palaver.start()
    versions = [await palaver.append(conversation.id, "user", f"The {SECRET} is blue.")]
    for text in (f"The {SECRET} is green.", "Nothing."):
        reply = await palaver.edit(conversation.id, versions[-1].id, text)
        assert reply.reply.reply_to is not None
        versions.append(await palaver.message(conversation.id, reply.reply.reply_to))

    receipt = await palaver.redact(conversation.id, versions[-1].id)

    assert receipt.messages == 3
    assert receipt.erased[0] == "1 message of the conversation, with 2 earlier versions."
    assert [await erased(palaver, version) for version in versions] == [True] * 3
    await palaver.settle()
    assert await palaver.search(SECRET) == []


async def test_no_file_of_the_home_keeps_the_words(tmp_path: Path, clock: Clock):
    async with library(tmp_path, clock) as palaver:
        first = await palaver.send(f"The {SECRET} is blue.", new=True)
        asked = await palaver.send(f"What colour is the {SECRET}?", new=True)
        assert [source.message_id for source in asked.reply.sources] == [
            (await palaver.messages(first.conversation_id)).messages[0].id
        ]
        assert traces(tmp_path, SECRET)
        await palaver.delete(first.conversation_id)
        assert await erased(palaver, asked.reply)
        await palaver.delete(asked.conversation_id)
        assert traces(tmp_path, SECRET) == []
    assert traces(tmp_path, SECRET) == []
    async with library(tmp_path, clock) as palaver:
        assert await palaver.search(SECRET) == []
        assert [one for one in await palaver.verify() if one.damage] == []


async def test_titles_made_from_a_message_go_with_it(tmp_path: Path, clock: Clock):
    async with library(tmp_path, clock) as palaver:
        conversation = await palaver.start()
        said = await palaver.append(conversation.id, "user", f"The {SECRET} is blue.")
        title = lines.event(
            conversation.id,
            "title_assigned",
            title=f"Blue {SECRET}",
            by="offline",
            sources=[{"messageId": said.id}],
        )
        await palaver._ledger.append([title])  # pyright: ignore[reportPrivateUsage]
        assert (await palaver.conversation(conversation.id)).title == f"Blue {SECRET}"
        receipt = await palaver.redact(conversation.id, said.id)
        assert [one.message_id for one in receipt.dependents] == [None]
        assert "1 title or other record made from it." in receipt.erased
        assert (await palaver.conversation(conversation.id)).title is None
        assert traces(tmp_path, SECRET) == []


async def test_a_pinned_conversation_is_not_deleted(palaver: Palaver):
    conversation = await palaver.start(channel="whatsapp")
    await palaver.update(conversation.id, Change(pinned=True))
    for preview in (True, False):
        with pytest.raises(Conflict) as caught:
            await palaver.delete(conversation.id, preview=preview)
        assert "Unpin" in caught.value.remedy
    await palaver.update(conversation.id, Change(pinned=False))
    assert (await palaver.delete(conversation.id)).messages == 0


class Recalling:
    """Has looked something up before it is erased, and answers after."""

    def __init__(self, found: Message) -> None:
        self.found: Message | None = found
        self.looked = asyncio.Event()
        self.erased = asyncio.Event()

    async def answer(self, task: Task, draft: ReplyDraft, frames: Frames) -> AsyncGenerator[Delta]:
        found, self.found = self.found, None
        draft.content = "I know nothing of that."
        if found is not None:
            self.looked.set()
            await self.erased.wait()
            draft.content = f"You said: {found.content}"
            draft.sources = [Source(message_id=found.id, quote=found.content)]
        yield Said(draft.content)


async def test_a_reply_that_quotes_what_is_being_erased_is_made_again(tmp_path: Path, clock: Clock):
    async with library(tmp_path, clock) as palaver:
        conversation = await palaver.start()
        said = await palaver.append(conversation.id, "user", f"The {SECRET} is blue.")
        responder = Recalling(said)
        answer_by(palaver, responder)
        send = asyncio.create_task(palaver.send("What colour?", new=True))
        await responder.looked.wait()
        await palaver.redact(conversation.id, said.id)
        responder.erased.set()
        assert (await send).reply.content == "I know nothing of that."
        assert traces(tmp_path, SECRET) == []


async def test_a_reply_written_between_the_plan_and_the_erasure_goes_too(
    palaver: Palaver, monkeypatch: pytest.MonkeyPatch
):
    conversation, elsewhere = await palaver.start(), await palaver.start()
    said = await palaver.append(conversation.id, "user", f"The {SECRET} is blue.")
    late: list[Message] = []
    erase = palaver._ledger.erase  # pyright: ignore[reportPrivateUsage]

    async def overtaken(erasure: Erasure) -> list[Line]:
        if not late:
            late.append(await quoting(palaver, elsewhere.id, said))
        return await erase(erasure)

    monkeypatch.setattr(palaver._ledger, "erase", overtaken)  # pyright: ignore[reportPrivateUsage]
    receipt = await palaver.delete(conversation.id)
    assert [one.message_id for one in receipt.dependents] == [late[0].id]
    assert "1 reply in another conversation that quoted it." in receipt.erased
    assert await erased(palaver, late[0])
    assert await palaver.search(SECRET) == []


async def test_a_message_whose_source_is_erased_while_it_is_written_goes_too(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    async with library(tmp_path, clock) as palaver:
        conversation, elsewhere = await palaver.start(), await palaver.start()
        said = await palaver.append(conversation.id, "user", f"The {SECRET} is blue.")
        append = palaver._ledger.append  # pyright: ignore[reportPrivateUsage]

        async def overtaken(drafts: Sequence[Draft]) -> list[Appended]:
            await palaver.redact(conversation.id, said.id)
            return await append(drafts)

        monkeypatch.setattr(palaver._ledger, "append", overtaken)  # pyright: ignore[reportPrivateUsage]
        with pytest.raises(Erased):
            await quoting(palaver, elsewhere.id, said)
        assert traces(tmp_path, SECRET) == []


async def test_a_message_is_erased_once(palaver: Palaver):
    conversation = await palaver.start()
    said = await palaver.append(conversation.id, "user", "Hello")
    await palaver.redact(conversation.id, said.id)
    for preview in (True, False):
        with pytest.raises(Erased):
            await palaver.redact(conversation.id, said.id, preview=preview)
