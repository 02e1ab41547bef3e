"""The loop: what a reply becomes, step by step, and what becomes of the tools it calls."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

import pytest

from palaver.agent.answering import Frame, ReplyDraft, ToolDone
from palaver.agent.language import Cited, Piece, Said, Spent, Thought, ToolCall, Usage
from palaver.agent.loop import MAX_STEPS
from palaver.agent.toolbox import Caller, Output, Tool
from palaver.agent.tools.making import recall_tools
from palaver.agent.tools.past import Past
from palaver.app import Palaver
from palaver.errors import (
    ModelBusy,
    ModelError,
    ModelMalformed,
    NotFound,
    StorageFailed,
)
from palaver.index.records import Json, Message, Source
from tests.agent.answering import Desk, Notes
from tests.agent.scripted import Scripted, Step


@dataclass(slots=True)
class Pen:
    """A tool with an effect: it remembers what it wrote."""

    written: list[Json] = field(default_factory=list[Json])
    error: Exception | None = None

    async def __call__(self, given: Json, _: Caller) -> Output:
        self.written.append(given)
        if self.error:
            raise self.error
        return Output("written", {"number": len(self.written)})

    @property
    def tool(self) -> Tool:
        return Tool("write", "Writes.", {"type": "object"}, self, effect="write")


def call(name: str = "write", number: str = "1", **given: Any) -> ToolCall:
    return ToolCall(number, name, given)


def desk(palaver: Palaver, *steps: Step, tools: Sequence[Tool] = ()) -> tuple[Desk, Scripted]:
    model = Scripted(steps)
    return Desk(palaver, model, tools), model


@pytest.fixture
async def question(palaver: Palaver) -> Message:
    conversation = await palaver.start()
    return await palaver.append(conversation.id, "user", "What is it?")


async def test_a_reply_is_what_the_model_says(palaver: Palaver, question: Message):
    spent = Spent(Usage(10, 5, 3, 1), 0.25)
    at, model = desk(palaver, [Thought("Hm"), Thought("."), Said("It is "), Said("a fig."), spent])
    draft = await at.draft(question)
    assert draft == ReplyDraft(
        model="scripted",
        content="It is a fig.",
        thinking="Hm.",
        usage=Usage(10, 5, 3, 1),
        cost=0.25,
    )
    assert at.deltas == [Thought("Hm"), Thought("."), Said("It is "), Said("a fig.")]
    (request,) = model.requests
    assert request.packet.messages[-1] == {"role": "user", "content": "What is it?"}
    assert request.system.startswith("You are Palaver")


async def test_steps_are_paragraphs_and_their_costs_add_up(palaver: Palaver, question: Message):
    pen = Pen()
    at, model = desk(
        palaver,
        [Thought("a"), Said("Let me see.\n"), call(word="x"), Spent(Usage(1, 2), 0.5)],
        [
            Thought("b"),
            Said("\n\n"),
            Said("\nDone"),
            Said(".\n"),
            Spent(Usage(3, 4), 0.25, cut=True),
        ],
        tools=[pen.tool],
    )
    draft = await at.draft(question)
    assert (draft.content, draft.thinking) == ("Let me see.\n\nDone.\n", "a\n\nb")
    assert (draft.usage, draft.cost, draft.cut) == (Usage(4, 6), 0.75, True)
    said = "".join(one.text for one in at.deltas if isinstance(one, Said))
    assert said == draft.content
    assert draft.tool_calls == [
        {"toolName": "write", "input": {"word": "x"}, "output": {"number": 1}}
    ]
    assert [one.content for one in model.results[1]] == ["written"]
    assert [one for one in at.deltas if isinstance(one, ToolCall | ToolDone)] == [
        call(word="x"),
        ToolDone(call(word="x"), failed=False),
    ]


async def test_a_cost_that_is_not_known_makes_the_whole_unknown(
    palaver: Palaver, question: Message
):
    at, _ = desk(palaver, [call(), Spent(cost=1.0)], [Said("x"), Spent()], tools=[Pen().tool])
    assert (await at.draft(question)).cost is None


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (call("nothing"), "not_found"),
        (call("search_conversations", query=3), "bad_value"),
        (call("search_conversations"), "bad_value"),
        (call("fetch_context", conversationId="conv-../x"), "bad_id"),
        (call("fetch_context", conversationId="conv-01HQXK5J7G8M3N4P5R6S7T8V9W"), "not_found"),
    ],
)
async def test_what_goes_wrong_is_told_to_the_model(
    palaver: Palaver, question: Message, made: ToolCall, code: str
):
    tools = recall_tools(Past(palaver, palaver.zone))
    at, model = desk(palaver, [made], [Said("Well.")], tools=tools)
    draft = await at.draft(question)
    (result,) = model.results[1]
    assert result.failed
    error = json.loads(result.content)["error"]
    assert error["code"] == code
    assert error["remedy"]
    assert draft.tool_calls[0]["output"] == {"error": error}
    assert draft.content == "Well."


async def test_what_nobody_foresaw_is_told_and_logged_without_its_words(
    palaver: Palaver, question: Message, caplog: pytest.LogCaptureFixture
):
    pen = Pen(error=RuntimeError("secret"))
    at, model = desk(palaver, [call()], [Said("Well.")], tools=[pen.tool])
    with caplog.at_level(logging.ERROR):
        draft = await at.draft(question)
    assert "secret" not in str([model.results, draft, caplog.text])
    assert "The tool write failed: RuntimeError at " in caplog.text
    assert "not known" in model.results[1][0].content
    assert at.notes == Notes([call()])  # begun, and nobody knows whether it was done


async def test_a_reply_ends_with_words_however_often_tools_are_called(
    palaver: Palaver, question: Message
):
    pen = Pen()
    at, model = desk(palaver, [Said("Again."), call()], tools=[pen.tool])
    draft = await at.draft(question)
    assert len(pen.written) == MAX_STEPS
    assert len(model.results) == MAX_STEPS + 2
    assert "No more tools can be used" in model.results[-1][0].content
    assert len(draft.tool_calls) == MAX_STEPS + 2
    assert all(one["output"] for one in draft.tool_calls)


@pytest.mark.parametrize("pieces", [[], [Said(" \n")], [Thought("Hm")]])
async def test_a_model_that_says_nothing_has_failed(
    palaver: Palaver, question: Message, pieces: list[Piece]
):
    at, _ = desk(palaver, pieces)
    with pytest.raises(ModelError, match="said nothing"):
        await at.draft(question)


async def test_a_model_that_was_cut_while_it_thought_is_told_how_to_go_on(
    palaver: Palaver, question: Message
):
    at, _ = desk(palaver, [Thought("Hm"), Spent(cut=True)])
    with pytest.raises(ModelError, match="thought for so long") as caught:
        await at.draft(question)
    assert "maxTokens" in caught.value.remedy


async def test_what_came_before_a_failure_stays(palaver: Palaver, question: Message):
    at, model = desk(palaver, [Said("It is "), ModelBusy()])
    draft = ReplyDraft()
    with pytest.raises(ModelBusy):
        async for _ in at.agent().answer(await at.task(question), draft, at.notes):
            pass
    assert draft.content == "It is "
    assert model.closed == 1


async def test_closing_stops_the_model(palaver: Palaver, question: Message):
    at, model = desk(palaver, [Said("It is "), Said("a fig.")])
    draft = ReplyDraft()
    async with aclosing(at.agent().answer(await at.task(question), draft, at.notes)) as deltas:
        assert await anext(deltas) == Said("It is ")
    assert draft.content == "It is "
    assert model.closed == 1


async def test_what_no_line_can_hold_is_not_said(palaver: Palaver, question: Message):
    at, _ = desk(palaver, [Said("a\0b\ud800c")])
    assert (await at.draft(question)).content == "a\ufffdb?c"
    at, _ = desk(palaver, [call("search_conversations", query="a\0")])
    with pytest.raises(ModelMalformed):
        await at.draft(question)


# -- tools with an effect ----------------------------------------------------------------------


@dataclass(slots=True)
class Watching(Notes):
    """Notes that look at what was written by the time a tool is begun."""

    pen: Pen = field(default_factory=Pen)
    before: list[int] = field(default_factory=list[int])

    async def started(self, call: ToolCall) -> None:
        self.before.append(len(self.pen.written))
        self.started_calls.append(call)


class Full(Notes):
    """Notes that cannot be taken."""

    async def started(self, call: ToolCall) -> None:
        raise StorageFailed


async def test_a_tool_with_an_effect_is_framed(palaver: Palaver, question: Message):
    pen = Pen()
    at, _ = desk(palaver, [call(word="x")], [Said("Done.")], tools=[pen.tool])
    notes = at.notes = Watching(pen=pen)
    await at.draft(question)
    assert (notes.before, len(pen.written)) == ([0], 1)
    assert notes.started_calls == [call(word="x")]
    assert notes.finished_calls == [(call(word="x"), Output("written", {"number": 1}))]


async def test_it_is_not_used_when_its_beginning_cannot_be_stored(
    palaver: Palaver, question: Message
):
    pen = Pen()
    at, _ = desk(palaver, [call()], [Said("Done.")], tools=[pen.tool])
    at.notes = Full()
    with pytest.raises(StorageFailed):
        await at.draft(question)
    assert pen.written == []


async def test_a_known_failure_is_its_end(palaver: Palaver, question: Message):
    pen = Pen(error=NotFound("There is no such pen."))
    at, _ = desk(palaver, [call()], [Said("Well.")], tools=[pen.tool])
    await at.draft(question)
    ((_, output),) = at.notes.finished_calls
    assert output.kept["error"]["message"] == "There is no such pen."


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        (Frame(call(number="9", b=[1], a="ü"), {"number": 7}, finished=True), '{"number": 7}'),
        (Frame(call(number="9", b=[1], a="ü"), "written", finished=True), "written"),
        (Frame(call(number="9", b=[1], a="ü")), "whether it was finished is not known"),
    ],
)
async def test_what_an_earlier_attempt_has_begun_is_never_repeated(
    palaver: Palaver, question: Message, frame: Frame, told: str
):
    pen = Pen()
    at, model = desk(
        palaver,
        [call(a="ü", b=[1])],
        [call(a="ü", b=[1])],
        [call(a="u", b=[1]), Said("Done.")],
        [Said("Done.")],
        tools=[pen.tool],
    )
    await at.draft(question, [frame])
    assert pen.written == [{"a": "u", "b": [1]}]
    assert told in model.results[1][0].content
    assert told in model.results[2][0].content
    assert [one.input["a"] for one in at.notes.started_calls] == ["u"]


# -- who may look back -------------------------------------------------------------------------


@pytest.mark.parametrize(("scopes", "main"), [({"recall"}, False), ({"chat", "read"}, True)])
async def test_recall_is_neither_offered_nor_given(
    palaver: Palaver, question: Message, scopes: set[str], main: bool
):
    tools = recall_tools(Past(palaver, palaver.zone))
    at, model = desk(palaver, [call(tool.name) for tool in tools], [Said("Well.")], tools=tools)
    at.scopes, at.main = frozenset(scopes), main
    draft = await at.draft(question)
    assert list(model.requests[0].tools) == []
    assert "You have no tools" in model.requests[0].system
    codes = [json.loads(one.content)["error"]["code"] for one in model.results[1]]
    assert codes == ["forbidden"] * len(tools)
    assert draft.sources == []


async def test_recall_is_given_to_the_agent_itself(palaver: Palaver, question: Message):
    tools = recall_tools(Past(palaver, palaver.zone))
    at, model = desk(
        palaver, [call("search_conversations", query="what")], [Said("Well.")], tools=tools
    )
    draft = await at.draft(question)
    recall = [tool.name for tool in tools if tool.scope == "recall"]
    assert [one.name for one in model.requests[0].tools] == recall
    assert "search_conversations" in model.requests[0].system
    assert not model.results[1][0].failed
    assert draft.sources == [Source(message_id=question.id)]
    assert question.content not in str(draft.tool_calls)


async def test_a_model_that_cites_knows_best_what_it_stands_on(palaver: Palaver, question: Message):
    tools = recall_tools(Past(palaver, palaver.zone))
    looked = call("search_conversations", query="what")
    cited = Source(message_id=question.id, quote="What")
    for pieces, sources in (([Cited()], []), ([Cited([cited])], [cited])):
        at, _ = desk(palaver, [looked], [*pieces, Said("Well.")], tools=tools)
        assert (await at.draft(question)).sources == sources
