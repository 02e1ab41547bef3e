"""Talking with connected models: the real libraries against the wire protocols."""

from __future__ import annotations

import json
from typing import Any

import pytest

from palaver.agent.language import Said, Spent, Thought, ToolCall, ToolResult, Usage
from palaver.errors import ModelDeclined, ModelError, ModelMalformed
from tests.models.asking import asking, said, spent, until_it_breaks
from tests.models.script import Call, Hold, Stop, Text, Thinking, Used
from tests.models.server import ModelServer

EACH = pytest.mark.parametrize("name", ["anthropic", "openai", "local"])


@EACH
async def test_everything_comes_in_order_and_ends_with_what_it_cost(
    server: ModelServer, name: str
) -> None:
    server.script(
        Thinking("First, "),
        Text("Let me ", "see."),
        Call("search", '{"q": "tea, ünïcode 🫖"}', id="call_a"),
        Call("search", "{}", id="call_b"),
        Used(input=100, output=7, cache_read=40),
    )
    async with asking(server) as models:
        pieces = await models.hear(name)
    assert pieces[:-1] == [
        Thought("First, "),
        Said("Let me "),
        Said("see."),
        ToolCall("call_a", "search", {"q": "tea, ünïcode 🫖"}),
        ToolCall("call_b", "search", {}),
    ]
    assert spent(pieces).usage == Usage(100, 7, cache_read=40)


@EACH
async def test_results_are_told_and_all_that_was_said_stays(server: ModelServer, name: str) -> None:
    server.script(Thinking("Hm.", "sig-1"), Text("Wait."), Call("search", '{"q": "tea"}'))
    server.script(Text("At nine."))
    async with asking(server) as models:
        exchange = models.exchange(name)
        first = [piece async for piece in exchange.step()]
        (call,) = [piece for piece in first if isinstance(piece, ToolCall)]
        second = [piece async for piece in exchange.step([ToolResult(call, "Tea at nine")])]
    assert said(second) == "At nine."
    told = server.asked[1].body["messages"]
    if name == "anthropic":
        reply, result = told[-2:]
        assert reply["content"][0] == {"type": "thinking", "thinking": "Hm.", "signature": "sig-1"}
        assert reply["content"][2]["input"] == {"q": "tea"}
        assert result["content"][0]["tool_use_id"] == "call_1"
        assert "Tea at nine" in json.dumps(result)
        assert result["content"][0]["is_error"] is False
    else:
        reply, result = told[-2:]
        assert reply["content"] == "Wait."
        assert json.loads(reply["tool_calls"][0]["function"]["arguments"]) == {"q": "tea"}
        assert result == {"role": "tool", "tool_call_id": "call_1", "content": "Tea at nine"}


@EACH
async def test_a_call_without_a_result_is_answered_all_the_same(
    server: ModelServer, name: str
) -> None:
    server.script(Call("search", "{}", id="call_a"), Call("search", "{}", id="call_b"))
    async with asking(server) as models:
        exchange = models.exchange(name)
        first = [piece async for piece in exchange.step()]
        (call, _) = [piece for piece in first if isinstance(piece, ToolCall)]
        assert [piece async for piece in exchange.step([ToolResult(call, "no", failed=True)])]
    told = json.dumps(server.asked[1].body["messages"])
    assert told.count('"call_b"') == 2
    assert "It was not used." in told


@EACH
@pytest.mark.parametrize("given", ["call_1", ""])
async def test_calls_with_the_same_id_are_told_apart(
    server: ModelServer, name: str, given: str
) -> None:
    one, other = (Call("search", f'{{"q": "{word}"}}', id=given) for word in ("tea", "milk"))
    server.script(one, other)
    server.script(one)
    async with asking(server) as models:
        exchange = models.exchange(name)
        results: list[ToolResult] = []
        ids: list[str] = []
        for _ in range(2):
            pieces = [piece async for piece in exchange.step(results)]
            made = [piece for piece in pieces if isinstance(piece, ToolCall)]
            ids += [call.id for call in made]
            results = [ToolResult(call, f"found {call.input['q']}") for call in made]
        assert [piece async for piece in exchange.step(results)]
    assert (len(ids), len(set(ids)), all(ids)) == (3, 3, True)
    told = json.dumps(server.asked[2].body["messages"])
    assert [told.count(f"found {word}") for word in ("tea", "milk")] == [2, 1]


@EACH
@pytest.mark.parametrize("arguments", ['{"q": "te', '["tea"]', '{"q": NaN}', '{"q": "\\u0000"}'])
async def test_arguments_that_cannot_be_read_are_told_to_the_model(
    server: ModelServer, name: str, arguments: str
) -> None:
    server.script(Call("search", arguments), Used(10, 2))
    server.script(Call("search", '{"q": "tea"}', id="call_2"), Used(20, 3))
    async with asking(server) as models:
        pieces = await models.hear(name)
    assert pieces[:-1] == [ToolCall("call_2", "search", {"q": "tea"})]
    assert spent(pieces).usage == Usage(30, 5)
    assert "the arguments cannot be read" in json.dumps(server.asked[1].body)


@EACH
async def test_of_two_calls_the_one_that_can_be_read_is_made(
    server: ModelServer, name: str
) -> None:
    server.script(Call("search", "{", id="call_a"), Call("search", "{}", id="call_b"))
    async with asking(server) as models:
        exchange = models.exchange(name)
        first = [piece async for piece in exchange.step()]
        (call,) = [piece for piece in first if isinstance(piece, ToolCall)]
        assert call.id == "call_b"
        assert said([piece async for piece in exchange.step([ToolResult(call, "x")])]) == "Hello."
    assert "the arguments cannot be read" in json.dumps(server.asked[1].body)


async def test_who_never_learns_is_given_up(server: ModelServer) -> None:
    server.otherwise = lambda _: [Call("search", "{")]
    async with asking(server) as models:
        with pytest.raises(ModelMalformed):
            await models.hear("openai")
    assert len(server.asked) == 3


@EACH
async def test_a_reply_that_may_not_be_longer_is_cut(server: ModelServer, name: str) -> None:
    server.script(Text("So lo"), Call("search", '{"q'), Stop("length"))
    async with asking(server) as models:
        pieces = await models.hear(name)
    assert said(pieces) == "So lo"
    assert spent(pieces).cut
    assert not [piece for piece in pieces if isinstance(piece, ToolCall)]


@EACH
async def test_a_refusal_is_an_error_after_what_was_said(server: ModelServer, name: str) -> None:
    server.script(Text("I "), Stop("refusal"))
    async with asking(server) as models:
        heard, error = await until_it_breaks(models.exchange(name))
    assert heard == [Said("I ")]
    assert isinstance(error, ModelDeclined)


@EACH
async def test_closing_a_step_stops_the_model(server: ModelServer, name: str) -> None:
    server.script(Text("One ", "two "), Hold(), Text("three."))
    async with asking(server) as models:
        step = models.exchange(name).step()
        assert await anext(step) == Said("One ")
        await step.aclose()
        assert server.closed.wait(10)


@EACH
async def test_pieces_come_as_they_are_sent(server: ModelServer, name: str) -> None:
    hold = Hold()
    server.script(Text("One "), hold, Text("two."))
    async with asking(server) as models:
        step = models.exchange(name).step()
        assert await anext(step) == Said("One ")
        hold.release()
        assert await anext(step) == Said("two.")
        assert [piece async for piece in step]


async def test_an_answer_without_a_word_is_only_paid_for(server: ModelServer) -> None:
    server.script(Used(5, 0))
    async with asking(server) as models:
        assert await models.hear("local") == [Spent(Usage(5, 0))]


async def test_halves_of_a_character_are_joined(server: ModelServer) -> None:
    server.script(Text("a\ud83e", "\uded6b\0", "\ud83e"))
    async with asking(server) as models:
        assert said(await models.hear("openai")) == "a🫖b\ufffd\ufffd"


@pytest.mark.parametrize(
    ("thinking", "sent"),
    [
        (None, {"thinking": {"type": "adaptive", "display": "summarized"}}),
        ("low", {"output_config": {"effort": "low"}}),
    ],
)
async def test_how_long_a_model_thinks(
    server: ModelServer, thinking: str | None, sent: dict[str, Any]
) -> None:
    entry = {"provider": "anthropic", "model": "claude-sonnet-5-5", "thinking": thinking}
    async with asking(server, models={"mine": {**entry, "maxTokens": 99}}) as models:
        await models.hear("mine")
    body = server.asked[0].body
    assert body["max_tokens"] == 99
    assert body.items() >= sent.items()


async def test_what_is_always_the_same_is_cached(server: ModelServer) -> None:
    section = {"role": "system", "content": "What happened last."}
    async with asking(server) as models:
        await models.hear("anthropic", [section, {"role": "user", "content": "Hello?"}])
    body = server.asked[0].body
    prompt, what_changes = body["system"]
    assert prompt["text"].startswith("You are Ada.")
    assert "cache_control" in prompt
    assert what_changes == {"type": "text", "text": "What happened last."}
    assert "cache_control" in body["tools"][-1]
    assert "cache_control" not in json.dumps(body["messages"])


async def test_a_model_is_named_as_its_provider_names_it(server: ModelServer) -> None:
    async with asking(server) as models:
        assert models.connections.model("opus").name == "claude-opus-5-5"


async def test_a_wrong_address_is_an_error_of_the_model(server: ModelServer) -> None:
    async with asking(server, providers={"local": {"baseUrl": "http://127.0.0.1:1/v1"}}) as models:
        with pytest.raises(ModelError) as caught:
            await models.hear("local")
    assert caught.value.code == "model_unreachable"
