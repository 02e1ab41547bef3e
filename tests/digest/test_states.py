"""States are kept, taken up where they were left, and never far behind."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from palaver.app import Palaver
from palaver.conversation.records import Change
from palaver.digest import states
from palaver.digest.state import STATE_VERSION, State, fold_all
from palaver.digest.states import States
from palaver.errors import NotFound
from palaver.index.port import Unfolded
from palaver.index.records import Message
from palaver.ledger.lines import turn
from palaver.settings import Settings
from tests.digest.dialogue import talk, turns
from tests.library import Clock, library

REMIND = "Remind me to renew the passport."
WANTED = "Remind me to buy a xylophone."


def states_of(palaver: Palaver) -> States:
    return palaver._context.states  # pyright: ignore[reportPrivateUsage]


async def unfolded(palaver: Palaver, conversation_id: str) -> Unfolded:
    index = palaver._index  # pyright: ignore[reportPrivateUsage]
    return await index.unfolded(palaver.user, conversation_id, STATE_VERSION, limit=200)


def traces(home: Path, word: bytes) -> list[Path]:
    return [path for path in home.rglob("*") if path.is_file() and word in path.read_bytes()]


async def caught_up(palaver: Palaver) -> None:
    """Waits until nothing is folded in the background."""
    for task in list(states_of(palaver)._catching_up.values()):  # pyright: ignore[reportPrivateUsage]
        await task


async def test_a_look_keeps_what_it_has_folded(palaver: Palaver) -> None:
    conversation = await talk(palaver, REMIND, "I will.")
    state = await palaver.state(conversation)
    assert [item.text for item in state.open_loops] == [REMIND]
    read = await unfolded(palaver, conversation)
    assert read.kept is not None
    assert (read.kept.covers, read.messages) == (state.covers, [])


async def test_the_state_is_that_of_all_messages_however_it_was_folded(palaver: Palaver) -> None:
    texts = [REMIND, "I will.", *turns(130), "What does the ferry cost?", "I do not know."]
    conversation = await talk(palaver, *texts[:100])
    await palaver.state(conversation)
    await talk(palaver, *texts[100:], conversation_id=conversation)
    state = await palaver.state(conversation)
    assert not state.provisional
    messages = (await palaver.fetch(conversation, first=0, last=10_000)) or []
    whole = fold_all(messages)
    assert [item.text for item in state.open_loops] == [item.text for item in whole.open_loops]
    assert (state.covers, state.active_topics) == (whole.covers, whole.active_topics)


async def test_an_edit_near_the_end_folds_only_a_little_again(palaver: Palaver) -> None:
    conversation = await talk(palaver, *turns(40))
    for number in range(40, 60):
        await talk(palaver, *turns(1, number), conversation_id=conversation)
        await states_of(palaver).keep(conversation)
    last = (await palaver.messages(conversation, limit=1)).messages[0]
    ledger = palaver._ledger  # pyright: ignore[reportPrivateUsage]
    await ledger.append([turn(conversation, "assistant", "Another one.", supersedes=last.id)])
    assert len((await unfolded(palaver, conversation)).messages) <= 16
    assert (await palaver.state(conversation)).covers == last.seq + 1


async def test_what_is_erased_is_in_no_state(tmp_path: Path, clock: Clock) -> None:
    async with library(tmp_path, clock) as palaver:
        conversation = await talk(palaver, "Hello", "Hi.", WANTED, "Yes.")
        await palaver.state(conversation)
        other = await talk(palaver, WANTED, "I will.")
        await palaver.state(other)
        asked = (await palaver.messages(conversation)).messages[2]
        assert "xylophone" in (await palaver.state(conversation)).open_loops[0].text
        await palaver.redact(conversation, asked.id)
        await palaver.delete(other)
        assert (await palaver.state(conversation)).open_loops == ()
        assert traces(tmp_path, b"xylophone") == []


async def test_what_is_far_behind_is_answered_at_once_and_folded_meanwhile(
    palaver: Palaver,
) -> None:
    conversation = await talk(palaver, REMIND, "I will.", *turns(300), "Is it late?")
    first = await palaver.state(conversation)
    assert first.provisional
    assert REMIND not in {item.text for item in first.open_loops}
    await caught_up(palaver)
    second = await palaver.state(conversation)
    assert not second.provisional
    assert REMIND in {item.text for item in second.open_loops}
    assert second.covers == first.covers


async def test_packets_fold_a_few_messages_and_keep_nothing_themselves(
    palaver: Palaver, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = await talk(palaver, REMIND, "I will.")
    await palaver.update(conversation, Change(title="Passport"))  # no title is made
    await talk(palaver, *turns(300), conversation_id=conversation)
    counts: list[int] = []
    kept_by: list[asyncio.Task[Any] | None] = []
    index: Any = palaver._index  # pyright: ignore[reportPrivateUsage]
    keep = index.keep

    def counted(messages: Sequence[Message], state: State | None = None) -> State:
        counts.append(len(messages))
        return fold_all(messages, state)

    async def watched(*given: Any) -> bool:
        kept_by.append(asyncio.current_task())
        return await keep(*given)

    monkeypatch.setattr(states, "fold_all", counted)
    monkeypatch.setattr(index, "keep", watched)
    for _ in range(3):
        await palaver.context(conversation, "And now?")
    assert counts[0] <= 8
    assert max(counts) <= 8
    assert counts.count(counts[0]) == 1
    await caught_up(palaver)
    counts.clear()
    packet = await palaver.context(conversation, "And now?")
    assert counts == []
    assert REMIND in {item.text for item in packet.open_loops}
    assert asyncio.current_task() not in kept_by


async def test_a_state_that_was_parsed_is_not_shown_after_an_erasure(palaver: Palaver) -> None:
    conversation = await talk(palaver, WANTED, "I will.", *turns(30))
    await states_of(palaver).keep(conversation)
    for _ in range(2):
        assert (await palaver.context(conversation, "What now?")).open_loops
    asked = (await palaver.fetch(conversation, first=1, last=1))[0]
    await palaver.redact(conversation, asked.id)
    assert not (await palaver.context(conversation, "What now?")).open_loops


async def test_a_rebuild_makes_the_states_again(palaver: Palaver) -> None:
    conversation = await talk(palaver, REMIND, "I will.")
    state = await palaver.state(conversation)
    await palaver.rebuild()
    assert (await unfolded(palaver, conversation)).kept is None
    assert await palaver.state(conversation) == state


async def test_what_is_open_is_told_of_one_conversation_or_of_all(palaver: Palaver) -> None:
    first = await talk(palaver, REMIND, "I will.")
    second = await talk(
        palaver, "Remind me to call Ann.", "Yes.", "I still need to pay Bob.", "Ok."
    )
    known = states_of(palaver)
    everything = await known.open(None, limit=10)
    assert [(one.conversation_id, one.text) for one in everything] == [
        (second, "I still need to pay Bob."),
        (second, "Remind me to call Ann."),
        (first, REMIND),
    ]
    assert everything[0].timestamp == "2026-02-14T09:00:04.000Z"
    assert [one.text for one in await known.open(first, limit=10)] == [REMIND]
    assert len(await known.open(None, limit=1)) == 1
    with pytest.raises(NotFound):
        await known.open("conv-nowhere", limit=10)


# -- statuses ------------------------------------------------------------------------------------


async def status(palaver: Palaver, conversation_id: str) -> str:
    return (await palaver.state(conversation_id)).status


async def test_a_conversation_is_resumed_until_somebody_replies(
    kept: Settings, clock: Clock
) -> None:
    async with Palaver.open(settings=kept, clock=clock, index_vectors=False) as palaver:
        conversation = await talk(palaver, "Hello", "Hi.")
        assert (await palaver.context(conversation, "More")).conversation_status == "resuming"
        await states_of(palaver).keep(conversation)
        assert (await palaver.context(conversation, "More")).conversation_status == "active"
        fresh = await talk(palaver, "Good morning")
        assert (await palaver.context(fresh)).conversation_status == "active"
    async with Palaver.open(settings=kept, clock=clock, index_vectors=False) as palaver:
        assert await status(palaver, conversation) == "shutdown_clean"
        assert await status(palaver, fresh) == "shutdown_clean"
        await palaver.append(conversation, "user", "Are you there?")
        assert (await palaver.context(conversation)).conversation_status == "resuming"
        assert await status(palaver, conversation) == "resuming"
        await palaver.append(conversation, "assistant", "Yes.")
        assert (await palaver.context(conversation, "Good")).conversation_status == "active"


async def test_what_was_not_left_cleanly_does_not_say_so(kept: Settings, clock: Clock) -> None:
    async with Palaver.open(settings=kept, clock=clock, index_vectors=False) as palaver:
        conversation = await talk(palaver, "Hello", "Hi.")
        await palaver.context(conversation)
    async with Palaver.open(settings=kept, clock=clock, index_vectors=False) as palaver:
        await palaver.append(conversation, "user", "One more thing.")  # and it was killed here
        assert await status(palaver, conversation) == "active"


async def test_a_silent_conversation_is_paused(palaver: Palaver, clock: Clock) -> None:
    conversation = await talk(palaver, "Hello", "Hi.")
    clock.advance(minutes=9)
    assert await status(palaver, conversation) == "active"
    clock.advance(minutes=2)
    assert await status(palaver, conversation) == "paused"
    await palaver.append(conversation, "user", "I am back.")
    assert await status(palaver, conversation) == "active"


async def test_a_question_back_waits_however_long(palaver: Palaver, clock: Clock) -> None:
    conversation = await talk(palaver, "Book a table.", "For how many people?")
    clock.advance(days=2)
    assert await status(palaver, conversation) == "awaiting_clarification"
