"""Whoever changes a conversation has seen all of it that is shown, and what is not shown is no
reason to refuse them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from palaver.app import Palaver
from palaver.conversation.records import Change
from palaver.conversation.seen import UNSEEN
from palaver.errors import NotFound, Outdated
from palaver.ledger import lines
from palaver.settings import Settings
from tests.library import Clock

ACTS = ["update", "edit", "redact", "delete", "preview"]


@pytest.fixture
async def palaver(kept: Settings, clock: Clock) -> AsyncIterator[Palaver]:
    opening = Palaver.open(settings=kept, clock=clock, index_vectors=False, digests=False)
    async with opening as opened:
        yield opened


async def happen(palaver: Palaver, conversation: str, event: str, **fields: Any) -> None:
    ledger = palaver._ledger  # pyright: ignore[reportPrivateUsage]
    await ledger.append([lines.event(conversation, event, **fields)])


async def do(palaver: Palaver, act: str, conversation: str, message: str, version: int) -> None:
    match act:
        case "update":
            await palaver.update(conversation, Change(title="Mine"), version=version)
        case "edit":
            await palaver.edit(conversation, message, "Otherwise.", version=version)
        case "redact":
            await palaver.redact(conversation, message, version=version)
        case _:
            preview = act == "preview"
            await palaver.delete(conversation, preview=preview, version=version)


@pytest.mark.parametrize("act", ACTS)
async def test_what_is_not_shown_is_no_change(palaver: Palaver, act: str):
    sent = await palaver.send("Hello", new=True)
    before = await palaver.view(sent.conversation_id)
    for event in sorted(UNSEEN):
        await happen(palaver, sent.conversation_id, event, summary="They greet.")
    after = await palaver.view(sent.conversation_id)
    assert (after.conversation, after.page) == (before.conversation, before.page)
    await do(palaver, act, sent.conversation_id, sent.reply.reply_to or "", before.version)


@pytest.mark.parametrize("act", ACTS)
async def test_what_may_be_shown_is_one(palaver: Palaver, act: str):
    sent = await palaver.send("Hello", new=True)
    for event in ("title_assigned", "abbreviation", "archived", "unheard_of"):
        version = (await palaver.view(sent.conversation_id)).version
        await happen(palaver, sent.conversation_id, event, title="Greeting", text="- They greet.")
        await happen(palaver, sent.conversation_id, "rolling_summary", summary="They greet.")
        stored = await palaver.lines(sent.conversation_id)
        with pytest.raises(Outdated):
            await do(palaver, act, sent.conversation_id, sent.reply.reply_to or "", version)
        assert await palaver.lines(sent.conversation_id) == stored


@pytest.mark.parametrize("act", ACTS)
async def test_a_version_that_never_was_is_none(palaver: Palaver, act: str):
    sent = await palaver.send("Hello", new=True)
    await happen(palaver, sent.conversation_id, "rolling_summary", summary="They greet.")
    now = (await palaver.view(sent.conversation_id)).version
    for version in (now - 1, now + 1, 1):
        with pytest.raises(Outdated):
            await do(palaver, act, sent.conversation_id, sent.reply.reply_to or "", version)
    with pytest.raises(NotFound):
        await do(palaver, act, "conv-1", "msg-1", now)


async def test_an_edit_sees_replies_to_what_was_said_before(palaver: Palaver):
    """The replies to two messages come in one go: one of them goes with the edit."""
    conversation = (await palaver.start()).id
    first = await palaver.append(conversation, "user", "One")
    second = await palaver.append(conversation, "user", "Two")
    version = (await palaver.view(conversation)).version
    ledger = palaver._ledger  # pyright: ignore[reportPrivateUsage]
    for asked in (first, second):
        reply = lines.turn(
            conversation,
            "assistant",
            f"Re: {asked.content}",
            replyTo=asked.id,
            turnNumber=asked.turn_number,
        )
        await ledger.append([reply])
    with pytest.raises(Outdated):
        await palaver.edit(conversation, second.id, "Three", version=version)
