"""S2's packet: every field of its contract, from state, summary and history."""

from __future__ import annotations

from palaver.app import Palaver
from tests.context.makers import FixedState, FixedSummaries, Item, State, builder_of, summary, talk

STATE = State(
    covers=4,
    status="awaiting_clarification",
    active_topics=["boat-repair", "insurance"],
    open_loops=[Item("Remind me to call the yard.", "msg-7", 3)],
    pending_clarifications=[Item("Which yard do you mean?", "msg-8", 4)],
    active_job_refs=[Item("the survey", "msg-9", 2, "job-17"), Item("task 4", "msg-9", 2)],
    resolved_entities={"that task": Item("job-17")},
    last_response_type="question",
)


async def test_a_packet_has_every_field_of_the_contract(palaver: Palaver) -> None:
    conversation = await palaver.conversation(
        await talk(palaver, "My boat leaks.", "Since when?", "Since June. " * 40, "I see.")
    )
    ports = {
        "states": FixedState(STATE),
        "summaries": FixedSummaries([summary("The boat leaks.", 2)]),
    }
    packet = (await builder_of(palaver, ports=ports).build(conversation, "What now?")).to_json()
    messages, sections = packet.pop("messages"), packet.pop("sections")
    assert packet == {
        "conversationId": conversation.id,
        "conversationStatus": "awaiting_clarification",
        "recentTurnSummaries": [
            {"turnNumber": 1, "text": "My boat leaks. → Since when?"},
            {"turnNumber": 2, "text": f"{'Since June. ' * 10}".rstrip() + "… → I see."},
        ],
        "rollingSummary": "The boat leaks.",
        "activeTopics": ["boat-repair", "insurance"],
        "activeJobRefs": ["job-17", "task 4"],
        "pendingClarifications": [
            {"text": "Which yard do you mean?", "turnNumber": 4, "messageId": "msg-8"}
        ],
        "openLoops": [
            {"text": "Remind me to call the yard.", "turnNumber": 3, "messageId": "msg-7"}
        ],
        "resolvedEntities": {"that task": "job-17"},
        "lastResponseType": "question",
        "contextCompiledAt": "2026-02-14T09:00:01.000Z",
        "memories": [],
        "tokens": sum(section["tokens"] for section in sections),
        "budget": 8000,
        "truncatedMessages": 0,
        "leftOut": [],
    }
    assert [section["name"] for section in sections] == ["state", "history"]
    assert messages[0]["role"] == "system"
    assert "> Remind me to call the yard." in messages[0]["content"]


async def test_the_whole_transcript_is_never_injected(palaver: Palaver) -> None:
    conversation = await talk(palaver, *(f"{n} " + "word " * 100 for n in range(90)))
    packet = await palaver.context(conversation)
    assert len(packet.messages) < 60
    assert len(packet.recent_turn_summaries) == 5


async def test_an_empty_conversation_has_an_empty_packet(palaver: Palaver) -> None:
    packet = await palaver.context((await palaver.start()).id)
    assert (packet.messages, packet.tokens, packet.conversation_status) == ([], 0, "active")
