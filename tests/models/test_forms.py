"""Answers in a given shape: by each provider's own means, or in words where it has none."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from palaver.agent.models import UNWATCHED, Catalogue
from palaver.digest.model.asking import Written
from palaver.errors import BadSetting, ModelError, ModelNotConnected, ModelTimeout, ModelUnknown
from palaver.settings import AgentSettings
from tests.models.asking import NAMES, SECRET, asking
from tests.models.script import Call, Hold, Status, Step, Text, Used
from tests.models.server import Asked, ModelServer

SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}
EACH = pytest.mark.parametrize("name", ["anthropic", "openai", "local"])
HAIKU = "anthropic:claude-haiku-5-5"


async def written(server: ModelServer, name: str, times: int = 1) -> Written:
    async with asking(server, UNWATCHED) as models:
        writer = models.connections.writer(NAMES.get(name, name))
        answers = [await writer.write("Be brief.", "Say a word.", SCHEMA) for _ in range(times)]
    return answers[-1]


def shape_of(body: dict[str, Any]) -> Any:
    if "format" in body.get("output_config", {}):
        return body["output_config"]["format"]["schema"]
    if "response_format" in body:
        return body["response_format"]["json_schema"]["schema"]
    tools = body.get("tools")
    return tools[0]["input_schema"] if tools else None


@EACH
async def test_the_schema_is_sent_as_the_provider_takes_it(server: ModelServer, name: str) -> None:
    server.script(Text('{"wo', 'rd": "tea"}'), Used(20, 4))
    found = await written(server, name)
    assert (found.text, found.input, found.output) == ('{"word": "tea"}', 20, 4)
    (asked,) = server.asked
    assert shape_of(asked.body) == SCHEMA
    assert asked.body.get("max_tokens", asked.body.get("max_completion_tokens")) == 4000
    assert "Be brief." in str(asked.body)


async def test_nobody_thinks_first_who_need_not(server: ModelServer) -> None:
    for name in (HAIKU, "openai"):
        await written(server, name)
    assert server.asked[0].body["thinking"] == {"type": "disabled"}
    assert server.asked[1].body["reasoning_effort"] == "none"


async def test_an_older_model_has_to_call_a_tool(server: ModelServer) -> None:
    server.script(Call("answer", '{"word": "tea"}'))
    found = await written(server, "anthropic:claude-3-5-haiku-of-old")
    assert json.loads(found.text) == {"word": "tea"}
    assert shape_of(server.asked[0].body) == SCHEMA
    assert server.asked[0].body["tool_choice"] == {"type": "any"}


@EACH
@pytest.mark.parametrize("code", [400, 422, 501])
async def test_a_server_that_knows_no_schemas_is_asked_in_words(
    server: ModelServer, name: str, code: int
) -> None:
    def answer(asked: Asked) -> list[Step]:
        known = shape_of(asked.body) is None
        return [Text("tea") if known else Status(code, "invalid_request_error", "What is that?")]

    server.otherwise = answer
    assert (await written(server, name, times=3)).text == "tea"
    assert len(server.asked) == 4, "it is found out once"


async def test_a_server_that_refuses_everything_is_tried_again_later(server: ModelServer) -> None:
    server.otherwise = lambda _: [Status(400, "invalid_request_error", f"No {SECRET}.")]
    async with asking(server, UNWATCHED) as models:
        writer = models.connections.writer(NAMES["local"])
        for _ in range(2):
            with pytest.raises(ModelError) as caught:
                await writer.write("Be brief.", "Say a word.", SCHEMA)
            assert SECRET not in f"{caught.value!r} {caught.value.remedy}"
        assert [shape_of(asked.body) is None for asked in server.asked] == [False, True] * 2


@pytest.mark.parametrize("status", [Status(401, "x"), Status(429, "x"), Status(529, "x")])
async def test_nothing_is_asked_twice_that_is_not_about_the_shape(
    server: ModelServer, status: Status
) -> None:
    server.otherwise = lambda _: [status]
    with pytest.raises(ModelError):
        await written(server, "openai")
    assert len(server.asked) == 1


async def test_text_that_cannot_be_stored_is_replaced(server: ModelServer) -> None:
    server.script(Text("a\ud83e", "\uded6\0b"))
    assert (await written(server, "openai")).text == "a🫖\ufffdb"


async def test_who_is_not_there_cannot_write(server: ModelServer) -> None:
    async with asking(server, providers={}) as models:
        with pytest.raises(ModelNotConnected):
            models.connections.writer("haiku")
        with pytest.raises(ModelUnknown):
            models.connections.writer("nobody")


async def test_the_window_bounds_the_answer_too(server: ModelServer) -> None:
    small = {"small": {"provider": "local", "model": "llama", "window": 4000}}
    async with asking(server, UNWATCHED, models=small) as models:
        await models.connections.writer("small").write("Be brief.", "Say a word.", SCHEMA)
    assert server.asked[0].body["max_tokens"] == 1000


async def test_an_answer_that_comes_too_slowly_ends(server: ModelServer) -> None:
    server.script(Text("{"), Hold())
    async with asking(server, replace(UNWATCHED, whole=0.05, silence=600)) as models:
        with pytest.raises(ModelTimeout):
            await models.connections.writer(HAIKU).write("Be brief.", "Say a word.", SCHEMA)


@EACH
async def test_who_gives_up_leaves_the_model(server: ModelServer, name: str) -> None:
    hold = Hold()
    server.script(Text("{"), hold)
    writing = asyncio.create_task(written(server, name))
    assert await asyncio.to_thread(hold.reached.wait, 30)
    writing.cancel()
    await asyncio.wait([writing])
    assert server.closed.wait(10)


# -- who names and abbreviates conversations -------------------------------------------------------


def digest_model(wanted: str | None, **settings: Any) -> str:
    return Catalogue(AgentSettings.model_validate(settings)).digest_model(wanted)


KEY = {"anthropic": {"apiKey": SECRET}}
OLLAMA = {"ollama": {"baseUrl": "http://localhost:11434/v1"}}
SMALL = {"small": {"provider": "ollama", "model": "llama3.2"}}


@pytest.mark.parametrize(
    ("wanted", "settings", "chosen"),
    [
        (None, {}, "offline"),
        (None, {"providers": KEY}, "haiku"),
        (None, {"providers": OLLAMA}, "offline"),
        (None, {"providers": OLLAMA, "models": {"haiku": SMALL["small"]}}, "haiku"),
        ("offline", {"providers": KEY}, "offline"),
        ("sonnet", {"providers": KEY}, "sonnet"),
        ("small", {"providers": OLLAMA, "models": SMALL}, "small"),
        ("ollama:qwen3", {"providers": OLLAMA}, "ollama:qwen3"),
    ],
)
def test_who_makes_digests(wanted: str | None, settings: dict[str, Any], chosen: str) -> None:
    assert digest_model(wanted, **settings) == chosen


@pytest.mark.parametrize(
    ("wanted", "sentence", "remedy"),
    [
        ("haku", "names 'haku', which is not a model.", "Did you mean haiku?"),
        ("sonnet", "names 'sonnet', which is not connected.", "`agent.providers.anthropic`"),
        ("small", "names 'small', which is not connected.", "`agent.providers.ollama`"),
    ],
)
def test_a_name_that_leads_nowhere(wanted: str, sentence: str, remedy: str) -> None:
    with pytest.raises(BadSetting) as caught:
        digest_model(wanted, models=SMALL)
    assert caught.value.message == f"index.abbreviationModel {sentence}"
    assert remedy in caught.value.remedy
