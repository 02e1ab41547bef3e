"""The rolling summary: every ten turns, beside compression, and as good as it has to be."""

from __future__ import annotations

import asyncio
from functools import partial
from itertools import pairwise

import pytest

from palaver.app import Palaver
from palaver.context.builder import ContextBuilder
from palaver.digest.summarizing import Summarizing
from palaver.ledger.lines import event, meta, turn
from palaver.settings import Settings
from tests.digest.careless import Careless
from tests.digest.dialogue import talk, turns
from tests.digest.summaries import every, newest, with_little_room
from tests.library import Clock

DECIDED = "We decided to take the blue tiles, order 4711-B."
SECRET = "We decided on the xylophone, 12 of them."
REMIND = "Remind me to renew the passport."


def rolling_of(palaver: Palaver) -> Summarizing:
    return palaver._context.rolling  # pyright: ignore[reportPrivateUsage]


async def run(palaver: Palaver, conversation_id: str) -> int:
    return await rolling_of(palaver).run_if_due(conversation_id)


async def compress(palaver: Palaver, conversation_id: str) -> int:
    return await palaver._context.compression.run_if_due(conversation_id)  # pyright: ignore[reportPrivateUsage]


summary = partial(newest, kind="rolling_summary")
events = partial(every, kind="rolling_summary")


def with_maker(palaver: Palaver, text: str) -> None:
    rolling_of(palaver)._condenser = Careless(text)  # pyright: ignore[reportPrivateUsage]


@pytest.fixture
def small(kept: Settings) -> Settings:
    """A small budget, so that conversations are compressed, too."""
    return with_little_room(kept)


# -- when it is due ------------------------------------------------------------------------------


async def test_there_is_one_at_every_tenth_turn_but_for_the_last_three(palaver: Palaver) -> None:
    conversation = await talk(palaver, DECIDED, "Noted.")
    made: dict[int, int] = {}
    for number in range(2, 34):
        await talk(palaver, *turns(1, number), conversation_id=conversation)
        if await run(palaver, conversation):
            made[number] = (await summary(palaver, conversation)).through
    assert made == {10: 7, 20: 17, 30: 27}
    first, *_ = await events(palaver, conversation)
    assert first.data["key"] == f"rolling_summary:{conversation}:7"
    assert first.data["through"] == 7
    assert first.data["by"] == "offline"
    assert first.data["receipt"]["turns"] == {"from": 0, "to": 7}
    assert DECIDED in (await summary(palaver, conversation)).text


async def test_a_long_history_that_somebody_goes_on_with_is_summarized_in_steps(
    palaver: Palaver,
) -> None:
    conversation = await talk(palaver, *turns(200), DECIDED, "Yes.", *turns(400))
    assert await run(palaver, conversation) == 2
    assert [line.data["through"] for line in await events(palaver, conversation)] == [399, 598]
    assert DECIDED in (await summary(palaver, conversation)).text


async def test_the_continuous_conversation_has_none(palaver: Palaver) -> None:
    ledger = palaver._ledger  # pyright: ignore[reportPrivateUsage]
    name = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
    drafts = [turn(name, ("user", "assistant")[n % 2], t) for n, t in enumerate(turns(30))]
    await ledger.append([meta(name, user="local", channel="web", mode="continuous"), *drafts])
    assert await run(palaver, name) == 0


async def test_it_follows_replies_and_no_history_that_is_brought_in(palaver: Palaver) -> None:
    conversation = await talk(palaver, *turns(12))
    await palaver.append(conversation, "user", "One more.")
    await palaver.append(conversation, "assistant", "Noted.")
    await palaver.settle()
    assert await events(palaver, conversation) == []
    await palaver.send("And one for you.", conversation_id=conversation)
    await palaver.settle()
    assert [line.data["through"] for line in await events(palaver, conversation)] == [14 - 3]


async def test_two_processes_write_one(kept: Settings, clock: Clock) -> None:
    async with (
        Palaver.open(settings=kept, clock=clock, index_vectors=False) as one,
        Palaver.open(settings=kept, clock=clock, index_vectors=False) as other,
    ):
        conversation = await talk(one, DECIDED, "Noted.", *turns(12))
        await asyncio.gather(run(one, conversation), run(other, conversation))
        assert len(await events(one, conversation)) == 1


# -- as good as it has to be ---------------------------------------------------------------------


async def test_each_one_carries_on_what_the_one_before_kept(palaver: Palaver) -> None:
    conversation = await talk(palaver, DECIDED, "Noted.", REMIND, "I will.", *turns(8))
    quotes: list[set[str]] = []
    for number in range(6):
        assert await run(palaver, conversation) == 1
        found = await summary(palaver, conversation)
        quotes.append({source.quote or "" for source in found.sources})
        assert {DECIDED, REMIND} <= quotes[-1]
        await talk(palaver, *turns(10, 10 * number), conversation_id=conversation)
    for earlier, later in pairwise(quotes):
        assert len(earlier & later) >= 0.8 * len(earlier)


@pytest.mark.parametrize("text", [" ", "They talked."])
async def test_a_worse_one_never_takes_the_place_of_a_better_one(
    palaver: Palaver, text: str
) -> None:
    conversation = await talk(palaver, *turns(12))
    assert await run(palaver, conversation) == 1
    before = await summary(palaver, conversation)
    await talk(palaver, *turns(12, 100), conversation_id=conversation)
    with_maker(palaver, text)
    assert await run(palaver, conversation) == 0
    assert await summary(palaver, conversation) == before


async def test_a_worse_one_does_not_take_the_place_of_a_compression_either(
    small: Settings, clock: Clock
) -> None:
    async with Palaver.open(settings=small, clock=clock, index_vectors=False) as palaver:
        conversation = await talk(palaver, *turns(40))
        assert await compress(palaver, conversation) == 1
        before = (await palaver.state(conversation)).rolling_summary
        await talk(palaver, *turns(1, 100), conversation_id=conversation)
        with_maker(palaver, "They talked.")
        assert await run(palaver, conversation) == 0
        assert (await palaver.state(conversation)).rolling_summary == before


async def test_what_must_not_be_missing_is_added_word_for_word(palaver: Palaver) -> None:
    conversation = await talk(palaver, DECIDED, "Noted.", REMIND, "I will.", *turns(10))
    with_maker(palaver, "They talked about the weather.")
    assert await run(palaver, conversation) == 1
    found = await summary(palaver, conversation)
    assert {source.quote for source in found.sources} == {DECIDED, REMIND}


async def test_after_a_refusal_some_turns_pass_before_another_attempt(palaver: Palaver) -> None:
    conversation = await talk(palaver, *turns(10))
    with_maker(palaver, " ")
    assert await run(palaver, conversation) == 0
    with_maker(palaver, "They talked.")
    await talk(palaver, *turns(9, 10), conversation_id=conversation)
    assert await run(palaver, conversation) == 0
    await talk(palaver, *turns(1, 20), conversation_id=conversation)
    assert await run(palaver, conversation) == 1


# -- changes and erasure -------------------------------------------------------------------------


async def test_what_is_edited_is_told_in_its_new_words(palaver: Palaver) -> None:
    conversation = await talk(palaver, SECRET, "Yes.", *turns(12))
    asked = (await palaver.fetch(conversation, first=1, last=1))[0]
    await run(palaver, conversation)
    draft = event(conversation, "edited", messageId=asked.id, content=DECIDED)
    await palaver._ledger.append([draft])  # pyright: ignore[reportPrivateUsage]
    assert (await palaver.state(conversation)).rolling_summary is None
    assert await run(palaver, conversation) == 1
    text = (await summary(palaver, conversation)).text
    assert "xylophone" not in text
    assert DECIDED in text


async def test_erasing_reaches_it_and_it_is_due_again(palaver: Palaver) -> None:
    conversation = await talk(palaver, SECRET, "Yes.", *turns(12))
    asked = (await palaver.fetch(conversation, first=1, last=1))[0]
    await run(palaver, conversation)
    assert "xylophone" in (await summary(palaver, conversation)).text
    await palaver.redact(conversation, asked.id)
    assert not [line for line in await palaver.lines(conversation) if b"xylophone" in line.raw]
    assert await run(palaver, conversation) == 1
    assert "xylophone" not in (await summary(palaver, conversation)).text


# -- beside compression, in the context ----------------------------------------------------------


async def test_the_newer_of_both_is_shown(small: Settings, clock: Clock) -> None:
    async with Palaver.open(settings=small, clock=clock, index_vectors=False) as palaver:
        conversation = await talk(palaver, DECIDED, "Noted.", *turns(39))
        assert await compress(palaver, conversation) == 1
        assert await run(palaver, conversation) == 1  # it tells as much, and is later
        rolled = await summary(palaver, conversation)
        assert rolled.through == 37
        assert (await events(palaver, conversation))[0].data["receipt"]["messages"] == 0
        assert await shown(palaver, conversation) == rolled.text
        await talk(palaver, "We decided on 9 chairs.", "Yes.", conversation_id=conversation)
        await talk(palaver, *turns(35, 50), conversation_id=conversation)
        assert await compress(palaver, conversation) == 1
        compressed = await shown(palaver, conversation)
        assert DECIDED in compressed
        assert "9 chairs" in compressed
        await talk(palaver, "We decided on 17 lamps.", "Good.", conversation_id=conversation)
        await talk(palaver, *turns(3, 90), conversation_id=conversation)
        assert await run(palaver, conversation) == 1
        assert await shown(palaver, conversation) == (await summary(palaver, conversation)).text
        assert "17 lamps" in (await summary(palaver, conversation)).text


async def shown(palaver: Palaver, conversation_id: str) -> str:
    """The summary as everybody gives it."""
    meta = await palaver.conversation(conversation_id)
    # Not as somebody who has a model of their own: replies would be followed up meanwhile.
    packet = await palaver._context.builder.build(meta, "Which order was it?")  # pyright: ignore[reportPrivateUsage]
    state = await palaver.state(conversation_id)
    checkpoint = await palaver.checkpoint(conversation_id)
    assert packet.rolling_summary == state.rolling_summary == checkpoint.summary
    for section in packet.sections:
        assert section.tokens <= section.budget
    assert packet.tokens <= packet.budget
    return packet.rolling_summary or ""


async def test_as_long_as_nothing_is_missing_it_takes_no_room(palaver: Palaver) -> None:
    conversation = await talk(palaver, DECIDED, "Noted.", *turns(11))
    await run(palaver, conversation)
    packet = await palaver.context(conversation, "Which order was it?")
    assert packet.rolling_summary
    assert "summary" not in {section.name for section in packet.sections}


async def test_with_summarize_it_stands_for_what_it_covers(palaver: Palaver) -> None:
    conversation = await talk(palaver, "Hello", "Hi.", DECIDED, "Noted.", *turns(10))
    await run(palaver, conversation)
    builder: ContextBuilder = palaver._context.builder  # pyright: ignore[reportPrivateUsage]
    builder._settings = builder._settings.model_copy(  # pyright: ignore[reportPrivateUsage]
        update={"context_strategy": "summarize"}
    )
    packet = await palaver.context(conversation, "Which order was it?")
    assert DECIDED in str(packet.messages)
    history = next(section for section in packet.sections if section.name == "history")
    raw = await palaver.fetch(conversation, first=10, last=12)
    first = (await palaver.fetch(conversation, first=1, last=1))[0]
    assert {one.message_id for one in history.sources} == {first.id, *(one.id for one in raw)}


async def test_what_a_reply_was_made_from_can_be_shown_with_it(
    small: Settings, clock: Clock
) -> None:
    async with Palaver.open(settings=small, clock=clock, index_vectors=False) as palaver:
        conversation = await talk(palaver, "Hello", "Hi.", DECIDED, "Noted.", *turns(40))
        await run(palaver, conversation)
        found = await summary(palaver, conversation)
        reply = await palaver.send("Which order was it?", conversation_id=conversation)
        packet = await palaver.context(conversation, turn=reply.turn_number)
        assert [one.seq for one in packet.references.sections if one.name == "summary"] == [
            found.seq
        ]
        assert DECIDED in str(packet.messages)
