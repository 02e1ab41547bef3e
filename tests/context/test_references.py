"""A packet is kept without a word of it, shown again, and reached by erasure."""

from __future__ import annotations

from typing import Any

from palaver.app import Palaver
from palaver.context.references import PacketReferences
from tests.context.makers import (
    FixedState,
    FixedSummaries,
    Item,
    State,
    builder_of,
    reader_of,
    summary,
    talk,
)

CALL: dict[str, Any] = {"toolName": "log", "input": {}, "output": "line of secret output\n" * 9000}
TEXTS = [
    "The secret zeppelin leaves at noon.",
    "Noted, secret.",
    *(f"secret {n} " + "word " * 150 for n in range(40)),
]


async def _kept(palaver: Palaver) -> tuple[str, str]:
    """A conversation of which not everything fits, and its packet as it would be stored."""
    conversation = await talk(palaver, "secret hello", "hi", *TEXTS)
    await palaver.append(conversation, "assistant", "Look.", tool_calls=[CALL])
    question = "When does the secret zeppelin leave? " + "secret " * 30
    asked = await palaver.append(conversation, "user", question)
    builder = builder_of(palaver, max_context_tokens=3000)
    packet = await builder.build(await palaver.conversation(conversation), asked)
    assert [section.name for section in packet.sections] == ["rounds", "history"]
    return conversation, packet.references.model_dump_json(by_alias=True)


async def test_a_packet_is_shown_again_as_it_was(palaver: Palaver) -> None:
    conversation = await palaver.conversation(await talk(palaver, "secret hello", "hi", *TEXTS))
    await palaver.append(conversation.id, "assistant", "Look.", tool_calls=[CALL])
    asked = await palaver.append(conversation.id, "user", "When does the zeppelin leave?")
    told = FixedSummaries([summary("A secret summary.", 20)])
    ports = {"states": FixedState(State(open_loops=[Item("secret loop")])), "summaries": told}
    packet = await builder_of(palaver, ports=ports).build(conversation, asked)
    kept = packet.references.model_dump_json(by_alias=True)
    assert "secret" not in kept
    assert "word" not in kept
    await palaver.append(conversation.id, "assistant", "At noon.")  # it changes nothing
    again = await reader_of(palaver, summaries=told).show(
        conversation.id, PacketReferences.model_validate_json(kept)
    )
    state = packet.messages.pop([one.name for one in packet.sections].index("state"))
    assert "secret loop" in state["content"]  # all but the state, which is a fold
    assert again.messages == packet.messages
    assert again.sections == packet.sections
    assert (again.tokens, again.budget) == (packet.tokens, packet.budget)
    assert again.context_compiled_at == packet.context_compiled_at
    assert again.left_out[0].section == "state"


async def test_what_is_erased_is_not_shown_again(palaver: Palaver) -> None:
    conversation, kept = await _kept(palaver)
    references = PacketReferences.model_validate_json(kept)
    before = await reader_of(palaver).show(conversation, references)
    assert "zeppelin leaves" in str(before.messages)
    for message in (await palaver.messages(conversation, limit=200)).messages:
        if "secret" in message.content + str(message.tool_calls):
            await palaver.redact(conversation, message.id)
    after = await reader_of(palaver).show(conversation, references)
    assert "secret" not in str(after.messages)
    assert after.left_out[-1].section == "history"
    assert after.left_out[-1].reason.startswith("Erased since")


async def test_results_are_not_shown_without_their_call(palaver: Palaver) -> None:
    conversation = await talk(palaver, "hello")
    call = await palaver.append(
        conversation, "assistant", "Look.", tool_calls=[{"toolName": "log", "input": {}}]
    )
    await palaver.append(conversation, "tool", "a result")
    await palaver.append(conversation, "user", "and now?")
    kept = (await palaver.context(conversation)).references
    assert [len(block.ids) for block in kept.history] == [1, 2, 1]
    await palaver.redact(conversation, call.id)
    again = await reader_of(palaver).show(conversation, kept)
    assert [one["content"] for one in again.messages] == ["hello", "and now?"]
