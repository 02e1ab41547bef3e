"""Compression: when it is due, what a summary keeps, and what becomes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from palaver.app import Palaver
from palaver.context.builder import ContextBuilder
from palaver.digest.fullness import cost
from palaver.digest.summarizing import Summarizing
from palaver.index.records import Message
from palaver.ledger.lines import event, meta, turn
from palaver.settings import Settings
from tests.digest.careless import Careless
from tests.digest.dialogue import talk, turns
from tests.digest.summaries import every, newest, with_little_room
from tests.library import Clock

DECIDED = "We decided to take the blue tiles, order 4711-B."
SECRET = "We decided on the xylophone, 12 of them."
REMIND = "Remind me to renew the passport."


@pytest.fixture
def kept(kept: Settings) -> Settings:
    """A small budget, so that little has to be said."""
    return with_little_room(kept)


def compression_of(palaver: Palaver) -> Summarizing:
    return palaver._context.compression  # pyright: ignore[reportPrivateUsage]


async def run(palaver: Palaver, conversation_id: str) -> int:
    return await compression_of(palaver).run_if_due(conversation_id)


summary = partial(newest, kind="compression")
events = partial(every, kind="compression")


async def test_a_full_window_is_compressed_but_for_the_last_turns(palaver: Palaver) -> None:
    conversation = await talk(palaver, *turns(10))
    assert await run(palaver, conversation) == 0
    before = [line.raw for line in await palaver.lines(conversation)]
    await talk(
        palaver, DECIDED, "Noted.", REMIND, "I will.", *turns(30), conversation_id=conversation
    )
    assert await run(palaver, conversation) == 1
    found = await summary(palaver, conversation)
    assert found.through == 42 - 3
    assert f"- Turn 11: {DECIDED}" in found.text.splitlines()
    assert f"- Turn 12: {REMIND}" in found.text.splitlines()
    assert await run(palaver, conversation) == 0
    lines = await palaver.lines(conversation)
    assert [line.raw for line in lines][: len(before)] == before
    (made,) = [line for line in lines if line.event == "compression"]
    assert made.data["key"] == f"compression:{conversation}:39"
    assert made.data["by"] == "offline"
    receipt = made.data["receipt"]
    assert receipt["turns"] == {"from": 0, "to": 39}
    assert receipt["messages"] == 78
    assert receipt["tokensAfter"] < 200 < receipt["tokensBefore"]
    assert receipt["kept"] + receipt["dropped"] >= 78 / 2
    assert receipt["carriedOn"] == {"kept": 0, "of": 0}


async def test_every_line_stands_word_for_word_in_its_message(palaver: Palaver) -> None:
    conversation = await talk(palaver, DECIDED, "Noted, 4711-B it is.", *turns(40))
    await run(palaver, conversation)
    found = await summary(palaver, conversation)
    messages = {m.id: m for m in await palaver.fetch(conversation, first=0, last=1000)}
    assert found.sources
    for source in found.sources:
        assert source.quote
        assert source.quote in messages[source.message_id].content
        assert messages[source.message_id].turn_number == source.turn
        assert source.quote in found.text


async def test_the_next_summary_carries_on_what_the_one_before_kept(palaver: Palaver) -> None:
    conversation = await talk(palaver, DECIDED, "Noted.", REMIND, "I will.", *turns(30))
    kept_notes: list[set[str]] = []
    for number in range(6):
        await talk(palaver, *turns(30, 30 * number), conversation_id=conversation)
        assert await run(palaver, conversation) == 1
        found = await summary(palaver, conversation)
        assert DECIDED in found.text
        assert REMIND in found.text
        kept_notes.append({source.quote or "" for source in found.sources})
    for earlier, later in pairwise(kept_notes):
        assert len(earlier & later) >= 0.8 * len(earlier)


async def test_what_is_closed_need_not_be_kept(palaver: Palaver) -> None:
    conversation = await talk(palaver, REMIND, "I will.", *turns(40))
    await run(palaver, conversation)
    assert "## Open" in (await summary(palaver, conversation)).text
    await talk(palaver, "I have renewed the passport.", "Good.", conversation_id=conversation)
    await talk(palaver, *turns(40), conversation_id=conversation)
    assert await run(palaver, conversation) == 1
    assert "## Open" not in (await summary(palaver, conversation)).text


async def test_a_long_history_is_compressed_in_several_steps(palaver: Palaver) -> None:
    conversation = await talk(palaver, *turns(200), DECIDED, "Yes.", *turns(400))
    assert await run(palaver, conversation) == 2
    assert [line.data["compressedThrough"] for line in await events(palaver, conversation)] == [
        399,
        598,
    ]
    assert DECIDED in (await summary(palaver, conversation)).text


async def test_the_continuous_conversation_has_none(palaver: Palaver) -> None:
    ledger = palaver._ledger  # pyright: ignore[reportPrivateUsage]
    name = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
    drafts = [turn(name, ("user", "assistant")[n % 2], t) for n, t in enumerate(turns(60))]
    await ledger.append([meta(name, user="local", channel="web", mode="continuous"), *drafts])
    assert await run(palaver, name) == 0


# -- one of them, and as good as it has to be ----------------------------------------------------


async def test_two_processes_write_one(kept: Settings, clock: Clock) -> None:
    async with (
        Palaver.open(settings=kept, clock=clock, index_vectors=False) as one,
        Palaver.open(settings=kept, clock=clock, index_vectors=False) as other,
    ):
        conversation = await talk(one, DECIDED, "Noted.", *turns(40))
        await asyncio.gather(run(one, conversation), run(other, conversation))
        assert len(await events(one, conversation)) == 1


def with_maker(palaver: Palaver, text: str) -> None:
    compression_of(palaver)._condenser = Careless(text)  # pyright: ignore[reportPrivateUsage]


async def test_what_must_not_be_missing_is_added_word_for_word(palaver: Palaver) -> None:
    conversation = await talk(palaver, DECIDED, "Noted.", REMIND, "I will.", *turns(40))
    with_maker(palaver, "They talked about the weather.")
    assert await run(palaver, conversation) == 1
    found = await summary(palaver, conversation)
    assert found.text.startswith("They talked about the weather.")
    assert DECIDED in found.text
    assert REMIND in found.text
    assert {source.quote for source in found.sources} == {DECIDED, REMIND}


async def test_an_empty_summary_is_refused(palaver: Palaver) -> None:
    conversation = await talk(palaver, *turns(40))
    with_maker(palaver, " ")
    assert await run(palaver, conversation) == 0
    assert await events(palaver, conversation) == []


async def test_a_summary_that_forgets_the_one_before_is_refused(palaver: Palaver) -> None:
    conversation = await talk(palaver, *turns(40))
    await run(palaver, conversation)
    before = await summary(palaver, conversation)
    await talk(palaver, *turns(40, 100), conversation_id=conversation)
    with_maker(palaver, "They talked.")
    assert await run(palaver, conversation) == 0
    assert await summary(palaver, conversation) == before


async def test_after_a_refusal_some_turns_pass_before_another_attempt(palaver: Palaver) -> None:
    conversation = await talk(palaver, *turns(40))
    with_maker(palaver, " ")
    assert await run(palaver, conversation) == 0
    with_maker(palaver, "They talked.")
    await talk(palaver, *turns(9, 40), conversation_id=conversation)
    assert await run(palaver, conversation) == 0
    await talk(palaver, *turns(1, 49), conversation_id=conversation)
    assert await run(palaver, conversation) == 1


async def test_each_turn_is_counted_once(palaver: Palaver, monkeypatch: pytest.MonkeyPatch) -> None:
    conversation = await talk(palaver, *turns(20))
    assert await run(palaver, conversation) == 0
    await talk(palaver, *turns(1, 20), conversation_id=conversation)
    index: Any = palaver._index  # pyright: ignore[reportPrivateUsage]
    asked: list[tuple[int, int]] = []
    read = index.turns

    async def counted(user: str, name: str, first: int, last: int) -> Any:
        asked.append((first, last))
        return await read(user, name, first, last)

    monkeypatch.setattr(index, "turns", counted)
    assert await run(palaver, conversation) == 0
    assert asked == [(18, 21)]


# -- changes and erasure --------------------------------------------------------------------------


async def edit(palaver: Palaver, conversation_id: str, message_id: str, content: str) -> None:
    draft = event(conversation_id, "edited", messageId=message_id, content=content)
    await palaver._ledger.append([draft])  # pyright: ignore[reportPrivateUsage]


async def test_what_is_edited_is_told_in_its_new_words(palaver: Palaver) -> None:
    conversation = await talk(palaver, SECRET, "Yes.", *turns(500))
    asked = (await palaver.fetch(conversation, first=1, last=1))[0]
    assert await run(palaver, conversation) == 2
    await edit(palaver, conversation, asked.id, DECIDED)
    shown = await palaver.context(conversation, "What did we decide?")
    assert "xylophone" not in str(shown.messages)
    assert await run(palaver, conversation) == 2
    text = (await summary(palaver, conversation)).text
    assert "xylophone" not in text
    assert DECIDED in text


async def test_what_is_edited_while_a_summary_is_made_is_not_in_it(palaver: Palaver) -> None:
    conversation = await talk(palaver, SECRET, "Yes.", *turns(45))
    asked = (await palaver.fetch(conversation, first=1, last=1))[0]
    compression = compression_of(palaver)
    write: Any = compression._write  # pyright: ignore[reportPrivateUsage]

    async def edit_first(*given: Any) -> bool:
        compression._write = write  # type: ignore[method-assign]
        await edit(palaver, conversation, asked.id, DECIDED)
        return await write(*given)

    compression._write = edit_first  # type: ignore[method-assign]
    assert await run(palaver, conversation) == 0
    assert await run(palaver, conversation) == 1
    assert "xylophone" not in (await summary(palaver, conversation)).text


async def test_erasing_reaches_the_summary_which_is_then_due_again(
    palaver: Palaver,
) -> None:
    conversation = await talk(palaver, SECRET, "Yes.", *turns(45))
    asked = (await palaver.fetch(conversation, first=1, last=1))[0]
    await run(palaver, conversation)
    assert "xylophone" in (await summary(palaver, conversation)).text
    await palaver.redact(conversation, asked.id)
    index = palaver._index  # pyright: ignore[reportPrivateUsage]
    assert await index.summary(palaver.user, conversation, "compression") is None
    assert await run(palaver, conversation) == 1
    assert "xylophone" not in (await summary(palaver, conversation)).text


async def test_what_is_erased_while_a_summary_is_made_is_not_in_it(
    tmp_path: Path, clock: Clock
) -> None:
    settings = Settings.load(tmp_path, conversations__max_context_tokens=800)
    async with Palaver.open(settings=settings, clock=clock, index_vectors=False) as palaver:
        conversation = await talk(palaver, SECRET, "Yes.", *turns(45))
        asked = (await palaver.fetch(conversation, first=1, last=1))[0]
        compression = compression_of(palaver)
        write: Any = compression._write  # pyright: ignore[reportPrivateUsage]

        async def erase_first(*given: Any) -> bool:
            await palaver.redact(conversation, asked.id)
            return await write(*given)

        compression._write = erase_first  # type: ignore[method-assign]
        assert await run(palaver, conversation) == 0
    assert found_in(tmp_path, b"xylophone") == []


def found_in(home: Path, word: bytes) -> Sequence[Path]:
    return [path for path in home.rglob("*") if path.is_file() and word in path.read_bytes()]


# -- in the context ------------------------------------------------------------------------------


async def test_the_summary_is_shown_when_something_is_missing(palaver: Palaver) -> None:
    conversation = await talk(palaver, "Hello", "Hi.", DECIDED, "Noted.", *turns(40))
    await run(palaver, conversation)
    packet = await palaver.context(conversation, "Which order was it?")
    (shown,) = [section for section in packet.sections if section.name == "summary"]
    assert DECIDED in "\n".join(str(one["content"]) for one in packet.messages)
    assert shown.tokens <= shown.budget
    assert not [one for one in packet.left_out if one.section == "summary"]
    assert packet.rolling_summary == (await summary(palaver, conversation)).text
    checkpoint = await palaver.checkpoint(conversation)
    assert checkpoint.summary == packet.rolling_summary
    assert [message.turn_number for message in checkpoint.turns] == [40, 40, 41, 41, 42, 42]


async def test_with_summarize_the_summary_stands_for_what_it_covers(palaver: Palaver) -> None:
    conversation = await talk(palaver, "Hello", "Hi.", DECIDED, "Noted.", *turns(40))
    await run(palaver, conversation)
    builder: ContextBuilder = palaver._context.builder  # pyright: ignore[reportPrivateUsage]
    builder._settings = builder._settings.model_copy(  # pyright: ignore[reportPrivateUsage]
        update={"context_strategy": "summarize"}
    )
    packet = await palaver.context(conversation, "Which order was it?")
    history = next(section for section in packet.sections if section.name == "history")
    found = await palaver.fetch(conversation, first=40, last=42)
    first = (await palaver.fetch(conversation, first=1, last=1))[0]
    assert {source.message_id for source in history.sources} == {
        first.id,
        *(message.id for message in found),
    }


def test_the_notice_of_a_failure_takes_no_room() -> None:
    said = Message(
        id="msg-1",
        conversation_id="conv-1",
        seq=1,
        role="assistant",
        content="The model did not answer in time.",
        timestamp="2026-02-14T09:00:00.000Z",
        turn_number=1,
    )
    assert cost(said, len) > 0
    assert cost(said.model_copy(update={"status": "failed"}), len) == 0
