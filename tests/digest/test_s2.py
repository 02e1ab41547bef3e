"""S2: what its contracts, its hydration and its autosave ask for, and its list of tests."""

from __future__ import annotations

from pathlib import Path

from palaver.app import Palaver
from palaver.digest.state import STATE_VERSION
from palaver.settings import Settings
from tests.digest.dialogue import talk, turns
from tests.library import Clock


async def test_append_a_turn_and_load_the_conversation(palaver: Palaver) -> None:
    conversation = await talk(palaver, "The boat leaks.", "Since when?")
    await palaver.append(conversation, "user", "Since June.", intent="tell", job_refs=["job-17"])
    (last,) = await palaver.fetch(conversation, first=2, last=2)
    assert (last.content, last.intent, last.job_refs) == ("Since June.", "tell", ["job-17"])
    state = await palaver.state(conversation)
    assert state.turn_count == 2
    assert [job.ref for job in state.active_job_refs] == ["job-17"]


async def test_a_state_has_every_field_of_the_contract(palaver: Palaver) -> None:
    conversation = await talk(palaver, "Book a ferry to Oslo.", "For which day?")
    state = (await palaver.state(conversation)).to_json()
    (asked,) = state.pop("pendingClarifications")
    messages = (await palaver.messages(conversation)).messages
    assert asked == {
        "kind": "clarification",
        "text": "For which day?",
        "messageId": messages[1].id,
        "turnNumber": 1,
        "owedBy": "user",
        "ref": None,
    }
    assert state.pop("activeTopics")
    assert state == {
        "conversationId": conversation,
        "status": "awaiting_clarification",
        "openLoops": [],
        "activeJobRefs": [],
        "resolvedEntities": {},
        "rollingSummary": None,
        "lastIntent": "request",
        "lastResponseType": "clarification",
        "turnCount": 1,
        "covers": 2,
        "provisional": False,
    }


async def test_a_checkpoint_is_all_that_is_needed_to_go_on(kept: Settings, clock: Clock) -> None:
    async with Palaver.open(settings=kept, clock=clock, index_vectors=False) as palaver:
        conversation = await talk(palaver, "Remind me to call Ann.", "I will.", *turns(4))
        await palaver.context(conversation)
        before = await palaver.checkpoint(conversation)
    async with Palaver.open(settings=kept, clock=clock, index_vectors=False) as palaver:
        after = await palaver.checkpoint(conversation)
    assert after.turns == before.turns
    assert [message.turn_number for message in after.turns] == [3, 3, 4, 4, 5, 5]
    left = {"status": after.conversation_state.status}
    assert before.conversation_state.model_copy(update=left) == after.conversation_state
    assert after.conversation_state.status == "shutdown_clean"
    assert after.conversation_state.open_loops[0].text == "Remind me to call Ann."


async def test_how_many_turns_a_checkpoint_has_is_a_setting(tmp_path: Path, clock: Clock) -> None:
    settings = Settings.load(tmp_path, conversations__checkpoint_turns=1)
    async with Palaver.open(settings=settings, clock=clock, index_vectors=False) as palaver:
        conversation = await talk(palaver, *turns(3))
        assert len((await palaver.checkpoint(conversation)).turns) == 2
        empty = await palaver.start()
        assert (await palaver.checkpoint(empty.id)).turns == []


async def test_a_process_that_dies_loses_nothing(kept: Settings, clock: Clock) -> None:
    """Nothing relies on a clean stop: the state is kept after each turn, the tail is folded."""
    async with Palaver.open(settings=kept, clock=clock, index_vectors=False) as palaver:
        conversation = await talk(palaver, "Remind me to call Ann.", "I will.")
        await palaver._context.states.keep(conversation)  # pyright: ignore[reportPrivateUsage]
        await palaver.append(conversation, "user", "I still need to pay Bob.")
        index = palaver._index  # pyright: ignore[reportPrivateUsage]
        read = await index.unfolded(palaver.user, conversation, STATE_VERSION, limit=10)
        assert [message.content for message in read.messages] == ["I still need to pay Bob."]
        state = await palaver.state(conversation)
        assert [item.text for item in state.open_loops] == [
            "Remind me to call Ann.",
            "I still need to pay Bob.",
        ]


async def test_the_packet_is_built_from_state_and_recent_turns(palaver: Palaver) -> None:
    conversation = await talk(palaver, *turns(1), "Remind me to call Ann.", "I will.", *turns(30))
    packet = await palaver.context(conversation, "What now?")
    assert [item.text for item in packet.open_loops] == ["Remind me to call Ann."]
    assert "> Remind me to call Ann." in packet.messages[0]["content"]
    assert len(packet.recent_turn_summaries) == 5
