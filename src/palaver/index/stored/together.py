"""Questions that are put in the same moment are answered together: in one thread, from one state of
the rows. Of a question that is soon answered, the way there and back is most of what it costs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from palaver.errors import InputError, NotFound, PalaverError
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
            try:
                work = loop.run_in_executor(None, self._outcomes, some)
            except RuntimeError as error:  # the program ends: nobody may wait for ever
                _tell(some, [_Outcome(error=error)] * len(some))
            else:
                work.add_done_callback(partial(_told, some))

    def _outcomes(self, put: Sequence[_Put]) -> list[_Outcome]:
        """In a thread. What fails for all of them is asked one by one, and fails one by one."""
        if len(put) > 1:
            with suppress(PalaverError):
                found = self._asking.attempt(lambda answers: [_asked(one, answers) for one in put])
                if found is not None:
                    return found[0]
        return [self._alone(one) for one in put]

    def _alone(self, one: _Put) -> _Outcome:
        ask = partial(self._asking.ask, one.question, one.folded, sketched=one.sketched)
        try:
            return _Outcome(one.context.run(ask))
        except Exception as error:  # noqa: BLE001 - it is raised where the question was put
            return _Outcome(error=error)


def _asked(one: _Put, answers: Answers) -> _Outcome:
    try:
        return _Outcome(one.context.run(one.question, answers))
    except (NotFound, InputError) as error:  # that is an answer, too
        return _Outcome(error=error)


def _told(put: Sequence[_Put], work: asyncio.Future[list[_Outcome]]) -> None:
    try:
        outcomes = work.result()
    except Exception as error:  # noqa: BLE001 - it is raised where the questions were put
        outcomes = [_Outcome(error=error)] * len(put)
    _tell(put, outcomes)


def _tell(put: Sequence[_Put], outcomes: Sequence[_Outcome]) -> None:
    for one, outcome in zip(put, outcomes, strict=True):
        if one.answer.done():  # whoever asked has gone
            continue
        if outcome.error is not None:
            one.answer.set_exception(outcome.error)
        else:
            one.answer.set_result(outcome.answer)
