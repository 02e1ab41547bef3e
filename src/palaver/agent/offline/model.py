"""The offline assistant as a language model: it calls tools, and speaks by rules."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator, Sequence
from itertools import count

from palaver.agent.language import (
    Cited,
    Exchange,
    Piece,
    Request,
    Said,
    Spent,
    ToolCall,
    ToolResult,
)
from palaver.agent.offline.asked import asked_in
from palaver.agent.offline.choosing import choose
from palaver.agent.offline.plan import Call, Plan, Spoken
from palaver.agent.offline.telling import Teller
from palaver.agent.offline.texts import BLIND
from palaver.errors import NotFound
from palaver.index.records import Json
from palaver.index.values import OFFLINE
from palaver.times import Clock, Zone


class OfflineModel:
    """Answers with what was said before. The same question, the same answer."""

    def __init__(self, *, name: str, zone: Zone, clock: Clock) -> None:
        """`name` is what the assistant goes by."""
        self._name = name
        self._zone = zone
        self._clock = clock

    @property
    def name(self) -> str:
        return OFFLINE

    def exchange(self, request: Request) -> Exchange:
        asked = asked_in(request)
        teller = Teller(self._name, self._zone(), asked.here)
        return _Exchange(choose(asked, teller, self._clock))


class _Exchange:
    """One reply in the making."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._begun = False
        self._ids = map("call-{}".format, count(1))

    async def step(self, results: Sequence[ToolResult] = ()) -> AsyncGenerator[Piece]:
        told = self._go_on(results)
        if isinstance(told, Spoken):
            yield Cited(told.sources)
            for paragraph in _paragraphs(told.text):
                yield Said(paragraph)
        else:
            for one in told:
                yield ToolCall(next(self._ids), one.name, one.input)
        yield Spent(cost=0.0)

    def _go_on(self, results: Sequence[ToolResult]) -> Spoken | Sequence[Call]:
        """The next calls, or the answer."""
        for result in results:
            if error := _error_in(result):
                return Spoken(f"{BLIND} {error['message']} {error['remedy']}")
        try:
            if self._begun:
                return self._plan.send([_read(result) for result in results])
            self._begun = True
            return next(self._plan)
        except StopIteration as end:
            return end.value


def _error_in(result: ToolResult) -> Json | None:
    """What went wrong, unless all that is wrong is that something is not there any more."""
    error = json.loads(result.content)["error"] if result.failed else None
    return error if error and error["code"] != NotFound.code else None


def _read(result: ToolResult) -> Json:
    return {} if result.failed else json.loads(result.content)


def _paragraphs(text: str) -> Iterator[str]:
    """The pieces in which a text is said; together they are the text."""
    *first, last = text.split("\n\n")
    yield from (f"{one}\n\n" for one in first)
    yield last
