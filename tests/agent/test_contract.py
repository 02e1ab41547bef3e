"""What every language model promises to whoever asks it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing

import pytest

from palaver.agent.language import (
    LanguageModel,
    Piece,
    Request,
    Said,
    Spent,
    ToolCall,
    ToolResult,
)
from palaver.agent.offline import OfflineModel
from palaver.agent.tools.making import recall_tools
from palaver.agent.tools.past import Past
from palaver.agent.tools.wording import as_text, failure
from palaver.app import Palaver
from palaver.errors import IndexDegraded
from tests.agent.scripted import Scripted
from tests.library import Clock

ASKED = "Where is the xylophone?"
FOUND = as_text({"results": [], "totalMatches": 0, "timeWindow": None, "emptyWindow": None})


def _offline(palaver: Palaver) -> LanguageModel:
    return OfflineModel(name="Palaver", zone=palaver.zone, clock=Clock())


def _scripted(_: Palaver) -> LanguageModel:
    looked = ToolCall("call-1", "search_conversations", {"query": "xylophone"})
    return Scripted([[Said("Let me see."), looked], [Said("I do "), Said("not know.")]])


@pytest.fixture(params=[_offline, _scripted])
def model(request: pytest.FixtureRequest, palaver: Palaver) -> LanguageModel:
    """A model that looks something up before it answers."""
    make: Callable[[Palaver], LanguageModel] = request.param
    return make(palaver)


@pytest.fixture
async def asked(palaver: Palaver) -> Request:
    conversation = await palaver.start()
    await palaver.append(conversation.id, "user", ASKED)
    tools = recall_tools(Past(palaver, palaver.zone))
    packet = await palaver.context(conversation.id)
    return Request("You are kind.", packet, [tool.spec for tool in tools])


async def steps(model: LanguageModel, asked: Request, result: str, *, failed: bool = False):
    """The pieces of each step, when every tool gives `result`."""
    exchange, results, taken = model.exchange(asked), list[ToolResult](), list[list[Piece]]()
    while not taken or results:
        pieces = [piece async for piece in exchange.step(results)]
        taken.append(pieces)
        calls = [piece for piece in pieces if isinstance(piece, ToolCall)]
        results = [ToolResult(call, result, failed) for call in calls]
    return taken


def text_of(taken: list[list[Piece]]) -> str:
    return "".join(one.text for pieces in taken for one in pieces if isinstance(one, Said))


async def test_each_step_ends_with_what_it_cost(model: LanguageModel, asked: Request):
    for pieces in await steps(model, asked, FOUND):
        assert [isinstance(one, Spent) for one in pieces].count(True) == 1
        assert isinstance(pieces[-1], Spent)


async def test_it_calls_tools_that_are_offered_by_ids_of_their_own(
    model: LanguageModel, asked: Request
):
    taken = await steps(model, asked, FOUND)
    calls = [one for pieces in taken for one in pieces if isinstance(one, ToolCall)]
    assert calls
    assert {one.name for one in calls} <= {spec.name for spec in asked.tools}
    assert len({one.id for one in calls}) == len(calls)


async def test_it_says_something_in_the_end(model: LanguageModel, asked: Request):
    for result, failed in ((FOUND, False), (as_text(failure(IndexDegraded())), True)):
        assert text_of(await steps(model, asked, result, failed=failed)).strip()


async def test_two_replies_at_once_know_nothing_of_each_other(model: LanguageModel, asked: Request):
    alone = await steps(model, asked, FOUND)
    first, second = model.exchange(asked), model.exchange(asked)
    begun = [[piece async for piece in one.step()] for one in (first, second)]
    assert begun == [alone[0], alone[0]]


async def test_a_step_can_be_closed(model: LanguageModel, asked: Request):
    async with aclosing(model.exchange(asked).step()) as pieces:
        assert await anext(pieces)
    with pytest.raises(StopAsyncIteration):
        await anext(pieces)


async def test_the_offline_assistant_goes_by_its_name(palaver: Palaver, asked: Request):
    model = _offline(palaver)
    assert model.name == "offline"
    (*_, last) = await steps(model, asked, FOUND)
    assert isinstance(last[-1], Spent)
    assert last[-1].cost == 0.0
