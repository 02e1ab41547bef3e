"""The whole way: a message, its context, a connected model with tools, and what is kept of it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from palaver import BadValue, Caller, Output, Palaver, ReplyFinished, Settings, Tool
from palaver.index.records import Json
from palaver.telemetry import ContextLoaded, Event, ModelAnswered, TurnEnded
from tests.library import Clock
from tests.models.asking import NAMES, SECRET
from tests.models.script import Call, Status, Text, Thinking, Used
from tests.models.server import ModelServer


class Told:
    """Telemetry that a test can look at."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def tell(self, event: Event) -> None:
        self.events.append(event)


class Lamp:
    """Something that a tool with an effect can change."""

    def __init__(self) -> None:
        self.switched: list[Json] = []

    @property
    def tool(self) -> Tool:
        schema = {"type": "object", "properties": {"on": {"type": "boolean"}}}
        return Tool("switch_lamp", "Switches the lamp.", schema, self._run, effect="write")

    async def _run(self, given: Json, caller: Caller) -> Output:
        self.switched.append(given)
        return Output("The lamp is on.", {"on": True})


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture(params=["anthropic", "openai", "local"])
def settings(tmp_path: Path, server: ModelServer, request: pytest.FixtureRequest) -> Settings:
    name = NAMES[request.param]
    return Settings.load(
        tmp_path,
        user__timezone="UTC",
        agent__model=name,
        agent__providers__anthropic__api_key=SECRET,
        agent__providers__anthropic__base_url=server.anthropic_url,
        agent__providers__openai__api_key=SECRET,
        agent__providers__openai__base_url=server.openai_url,
        agent__providers__local__base_url=server.openai_url,
    )


@pytest.fixture
def lamp() -> Lamp:
    return Lamp()


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
async def palaver(settings: Settings, lamp: Lamp, told: Told) -> AsyncGenerator[Palaver]:
    async with Palaver.open(
        settings=settings, clock=Clock(), index_vectors=False, telemetry=told, tools=[lamp.tool]
    ) as opened:
        yield opened


async def test_a_model_looks_back_and_answers(palaver: Palaver, server: ModelServer) -> None:
    earlier = await palaver.start(title="Boats")
    said = await palaver.append(earlier.id, "user", "The boat is called Aurora.")
    await palaver.settle()
    server.script(
        Thinking("I should look."),
        Call("search_conversations", '{"query": "boat called"}'),
        Used(input=100, output=10),
    )
    server.script(Text("It is ", "the Aurora."), Used(input=150, output=5))
    reply = (await palaver.send("What is my boat called?", new=True)).reply
    assert (reply.content, reply.status) == ("It is the Aurora.", "complete")
    assert reply.usage == {"input": 250, "output": 15}
    assert [source.message_id for source in reply.sources] == [said.id]
    (call,) = reply.tool_calls or []
    assert call["toolName"] == "search_conversations"
    assert said.id in str(call["output"])
    assert "Aurora" not in str(call["output"])
    assert "Aurora" in str(server.asked[1].body["messages"][-1])


async def test_what_was_recalled_is_not_in_the_next_packet(
    palaver: Palaver, server: ModelServer
) -> None:
    server.script(Call("search_conversations", '{"query": "boat"}'))
    server.script(Text("Nothing was said."))
    first = await palaver.send("What is my boat called?")
    assert first.reply.content == "Nothing was said."
    server.script(Text("Gladly."))
    # Without the right to look back there are no tools, so no call may stand in the history.
    await palaver.send("Never mind.", scopes=frozenset({"chat"}))
    asked = server.asked[2].body
    assert "search_conversations" not in str(asked)
    assert [one["role"] for one in asked["messages"] if one["role"] != "system"] == [
        "user",
        "assistant",
        "user",
    ]


async def test_a_tool_with_an_effect_is_used_once_and_recorded(
    palaver: Palaver, server: ModelServer, lamp: Lamp
) -> None:
    server.script(Call("switch_lamp", '{"on": true}'))
    server.script(Text("Done."))
    reply = await palaver.send("Light, please.")
    assert lamp.switched == [{"on": True}]
    lines = await palaver.lines(reply.conversation_id)
    assert [line.event for line in lines if line.event] == ["tool_started", "tool_finished"]
    server.script(Text("You are welcome."))
    await palaver.send("Thanks.")
    assert "switch_lamp" in str(server.asked[2].body["messages"])


async def test_a_failure_is_told_and_can_be_tried_again(
    palaver: Palaver, server: ModelServer, told: Told
) -> None:
    server.script(Status(401, "authentication_error", f"{SECRET} is no key"))
    failed = (await palaver.send("Hello?")).reply
    assert failed.status == "failed"
    assert failed.custom_payload["error"]["code"] == "model_key_refused"
    assert failed.suggested_actions == [{"type": "regenerate", "label": "Try again"}]
    assert SECRET not in str(failed)
    server.script(Text("Hello."))
    again = (await palaver.regenerate(failed.conversation_id, failed.id)).reply
    assert (again.content, again.turn_number) == ("Hello.", 1)
    shown = (await palaver.messages(failed.conversation_id)).messages
    assert [one.id for one in shown][1:] == [again.id]
    answered = [one for one in told.events if isinstance(one, ModelAnswered)]
    assert [(one.outcome, one.error_code) for one in answered] == [
        ("failed", "model_key_refused"),
        ("complete", None),
    ]


async def test_telemetry_is_told_of_context_model_and_turn(
    palaver: Palaver, server: ModelServer, told: Told
) -> None:
    server.script(Text("Hel", "lo."), Used(input=30, output=2))
    await palaver.send("Hello?")
    await palaver.send("/help")
    context, model, turn, command = told.events
    assert isinstance(context, ContextLoaded)
    assert isinstance(model, ModelAnswered)
    assert (model.deltas, model.input_tokens, model.output_tokens) == (2, 30, 2)
    assert [one.outcome for one in (turn, command) if isinstance(one, TurnEnded)] == [
        "complete",
        "command",
    ]


async def test_a_reply_can_be_seen_as_it_was_asked_for(
    palaver: Palaver, server: ModelServer
) -> None:
    server.script(Text("One."))
    first = await palaver.send("First")
    server.script(Text("Two."))
    await palaver.send("Second")
    sent = await palaver.context(first.conversation_id, turn=2)
    assert [one["content"] for one in sent.messages] == ["First", "One.", "Second"]


async def test_a_long_conversation_is_compressed_after_a_reply(
    settings: Settings, server: ModelServer
) -> None:
    little = settings.conversations.model_copy(update={"max_context_tokens": 700})
    small = settings.model_copy(update={"conversations": little})
    async with Palaver.open(settings=small, clock=Clock(), index_vectors=False) as palaver:
        first = await palaver.send("We decided to order the pump P-4711 on Friday.")
        for number in range(12):
            await palaver.send(f"Tell me more about part {number} of the boat, " + "please " * 30)
        await palaver.settle()
        packet = await palaver.context(first.conversation_id, "Which pump?")
    assert packet.rolling_summary is not None
    assert "P-4711" in packet.rolling_summary
    assert packet.tokens <= 700


async def test_new_with_words_goes_on_in_the_new_conversation(
    palaver: Palaver, server: ModelServer
) -> None:
    server.script(Text("Welcome."))
    steps = [step async for step in palaver.stream("/new Hello there")]
    command, *_, last = [step for step in steps if isinstance(step, ReplyFinished)]
    assert command.new_conversation_id == last.conversation_id
    assert (last.turn.content, last.turn.turn_number) == ("Welcome.", 1)


async def test_a_tool_that_gives_nonsense_ends_no_reply(
    settings: Settings, server: ModelServer
) -> None:
    async def nonsense(given: Json, caller: Caller) -> Any:
        return "no output"

    tool = Tool("nonsense", "Nonsense.", {"type": "object"}, nonsense)
    server.script(Call("nonsense"))
    server.script(Text("It failed."))
    async with Palaver.open(settings=settings, index_vectors=False, tools=[tool]) as palaver:
        assert (await palaver.send("Do it.")).reply.content == "It failed."
    for wrong in ({"name": "two words"}, {"effect": "both"}):
        with pytest.raises(BadValue):
            replace(tool, **wrong)


async def test_replies_of_a_model_of_ones_own_are_compressed_too(settings: Settings) -> None:
    little = settings.conversations.model_copy(update={"max_context_tokens": 700})
    small = settings.model_copy(update={"conversations": little})
    async with Palaver.open(settings=small, clock=Clock(), index_vectors=False) as palaver:
        conversation, brought = await palaver.start(), await palaver.start()
        for number in range(15):
            await palaver.append(conversation.id, "user", f"We decided on pump P-{4700 + number}.")
            await palaver.context(conversation.id)
            await palaver.append(conversation.id, "assistant", "I see. " + "It is so. " * 30)
            await palaver.settle()
        packet = await palaver.context(conversation.id, "Which pump?")
        assert "P-4703" in (packet.rolling_summary or "")
        for _ in range(30):  # a history that is brought in
            await palaver.append(brought.id, "assistant", "It is so. " * 30)
        await palaver.settle()
        events = [line.event for line in await palaver.lines(brought.id)]
        assert "compression" not in events
