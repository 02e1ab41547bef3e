"""Questions that are put in the same moment are answered together: in one thread, from one state of
the rows. Of a question that is soon answered, the way there and back is most of what it costs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from palaver.errors import InputError, NotFound
from palaver.index.stored.answers import Answers
from palaver.index.stored.asking import Asking

T = TypeVar("T")
_MOST = 4
"""No more than so many wait for each other."""


@dataclass(frozen=True, slots=True, eq=False)
class _Put:
    """A question, and where its answer goes."""

    question: Callable[[Answers], Any]
    folded: Callable[[], Any] | None
    sketched: bool
    answer: asyncio.Future[Any]
    context: Context = field(default_factory=copy_context)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What became of a question."""

    answer: Any = None
    error: Exception | None = None


_Work = Callable[[Sequence[_Put]], list[_Outcome] | None]


class Together:
    """Collects questions to the index of one user. Safe to use from several event loops."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking
        self._put: dict[asyncio.AbstractEventLoop, list[_Put]] = {}

    async def ask(
        self,
        question: Callable[[Answers], T],
        folded: Callable[[], T] | None = None,
        *,
        sketched: bool = False,
    ) -> T:
        """As `Asking.ask`, for what is soon answered. Raises IndexUnavailable."""
        loop = asyncio.get_running_loop()
        one = _Put(question, folded, sketched, loop.create_future())
        put = self._put.setdefault(loop, [])
        put.append(one)
        if len(put) == 1:  # a turn of the loop later, others have put theirs who gather more
            loop.call_soon(loop.call_soon, self._begin, loop)
        return await one.answer

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        put = self._put.pop(loop)
        for start in range(0, len(put), _MOST):
            some = put[start : start + _MOST]
            self._run(loop, some, self._at_once if len(some) > 1 else self._alone)

    def _run(self, loop: asyncio.AbstractEventLoop, put: Sequence[_Put], work: _Work) -> None:
        try:
            running = loop.run_in_executor(None, work, put)
        except RuntimeError as error:  # the program ends: nobody may wait for ever
            _tell(put, [_Outcome(error=error)] * len(put))
        else:
            running.add_done_callback(partial(self._ran, loop, put))

    def _ran(
        self,
        loop: asyncio.AbstractEventLoop,
        put: Sequence[_Put],
        running: asyncio.Future[list[_Outcome] | None],
    ) -> None:
        outcomes = running.result()
        if outcomes is not None:
            _tell(put, outcomes)
            return
        for one in put:
            self._run(loop, [one], self._alone)

    def _at_once(self, put: Sequence[_Put]) -> list[_Outcome] | None:
        """In a thread. None when each has to be asked alone: the rows cannot answer now, or one of
        the questions fails, which is no other's concern."""
        reached = False

        def asked(answers: Answers) -> list[_Outcome]:
            nonlocal reached
            reached = True
            return [_asked(one, answers) for one in put]

        try:
            found = self._asking.attempt(asked)
        except Exception as error:  # noqa: BLE001 - it is raised where the questions were put
            return None if reached else [_Outcome(error=error)] * len(put)
        return found[0] if found is not None else None

    def _alone(self, put: Sequence[_Put]) -> list[_Outcome]:
        (one,) = put
        ask = partial(self._asking.ask, one.question, one.folded, sketched=one.sketched)
        try:
            return [_Outcome(one.context.run(ask))]
        except Exception as error:  # noqa: BLE001 - it is raised where the question was put
            return [_Outcome(error=error)]


def _asked(one: _Put, answers: Answers) -> _Outcome:
    try:
        return _Outcome(one.context.run(one.question, answers))
    except (NotFound, InputError) as error:  # that is an answer, too
        return _Outcome(error=error)


def _tell(put: Sequence[_Put], outcomes: Sequence[_Outcome]) -> None:
    for one, outcome in zip(put, outcomes, strict=True):
        if one.answer.done():  # whoever asked has gone
            continue
        if outcome.error is not None:
            one.answer.set_exception(outcome.error)
        else:
            one.answer.set_result(outcome.answer)
