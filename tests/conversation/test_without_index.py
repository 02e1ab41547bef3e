"""Messages are taken and answered while there is no index; it is made again when it can be."""

from __future__ import annotations

from pathlib import Path

import pytest

from palaver.conversation.records import Change
from palaver.errors import IndexDegraded, KeyReused, ReadOnly
from tests.library import Clock, library


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def blocked(tmp_path: Path) -> Path:
    """A home whose index cannot be made: a folder stands in its place."""
    (tmp_path / "conversations" / "conversations.db").mkdir(parents=True)
    return tmp_path


def unblock(home: Path) -> None:
    (home / "conversations" / "conversations.db").rmdir()


def block(home: Path) -> None:
    for path in home.glob("conversations/conversations.db*"):
        path.unlink()
    (home / "conversations" / "conversations.db").mkdir()


async def test_messages_are_taken_once_and_found_later(blocked: Path, clock: Clock):
    async with library(blocked, clock) as palaver:
        assert palaver.health().status == "degraded"
        conversation = await palaver.start(title="Colours")
        first = await palaver.append(conversation.id, "user", "The xylophone is blue.", key="k")
        again = await palaver.append(conversation.id, "user", "The xylophone is blue.", key="k")
        assert again == first
        with pytest.raises(KeyReused):
            await palaver.append(conversation.id, "user", "Something else", key="k")
    unblock(blocked)
    async with library(blocked, clock) as palaver:
        await palaver.settle()
        assert palaver.health().status == "ok"
        (result,) = await palaver.search("xylophone")
        assert result.message_ids == [first.id]
        assert await palaver.message(conversation.id, first.id) == first


async def test_messages_are_answered_once_all_the_same(blocked: Path, clock: Clock):
    async with library(blocked, clock) as palaver:
        sent = await palaver.send("Where is the xylophone?", new=True, key="k")
        assert sent.reply.content.startswith("No model is connected, and I cannot look back")
        assert await palaver.send("Where is the xylophone?", new=True, key="k") == sent
        assert len(await palaver.lines(sent.conversation_id)) == 3


async def test_what_needs_the_index_says_so_and_changes_nothing(blocked: Path, clock: Clock):
    async with library(blocked, clock) as palaver:
        conversation = await palaver.start()
        said = await palaver.append(conversation.id, "user", "Hello")
        before = await palaver.lines(conversation.id)
        for call in (
            palaver.search("hello"),
            palaver.conversations(),
            palaver.send("In which conversation?"),
            palaver.update(conversation.id, Change(title="Named")),
            palaver.delete(conversation.id),
            palaver.redact(conversation.id, said.id),
        ):
            with pytest.raises(IndexDegraded) as caught:
                await call
            assert caught.value.remedy
        assert await palaver.lines(conversation.id) == before


async def test_a_channel_keeps_its_conversation_to_itself(tmp_path: Path, clock: Clock):
    async with library(tmp_path, clock) as palaver:
        pinned, other = [await palaver.start(channel="whatsapp") for _ in range(2)]
        await palaver.update(pinned.id, Change(pinned=True))
    block(tmp_path)
    async with library(tmp_path, clock) as palaver:
        with pytest.raises(ReadOnly):
            await palaver.append(pinned.id, "user", "Hello")
        assert (await palaver.append(other.id, "user", "Hello")).channel == "whatsapp"
