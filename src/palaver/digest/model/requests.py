"""Requests: a model is asked once, and once more to mend what is wrong with its answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from palaver.digest.model import prompt
from palaver.digest.model.answer import Fault
from palaver.digest.model.asking import Writer, Written
from palaver.digest.model.breaker import Breaker
from palaver.errors import DigestUnusable
from palaver.index.records import Json

_TOLD = 5
"""An error tells so many reasons."""


class Checked(Protocol):
    """An answer that was looked at."""

    @property
    def faults(self) -> Sequence[Fault]:
        """Everything that is wrong with it."""
        ...


C = TypeVar("C", bound=Checked)


@dataclass(frozen=True, slots=True)
class Request:
    """What a model is told."""

    rules: str
    text: str
    schema: Json


@dataclass(slots=True)
class Spent:
    """What answers have cost together."""

    sums: dict[str, float] = field(default_factory=dict[str, float])

    def add(self, written: Written) -> None:
        cost = {} if written.cost is None else {"cost": written.cost}
        for name, value in {"input": written.input, "output": written.output, **cost}.items():
            self.sums[name] = self.sums.get(name, 0) + value


@dataclass(frozen=True, slots=True)
class Requests:
    """Asks one model."""

    writer: Writer
    breaker: Breaker

    async def answer(self, request: Request, check: Callable[[str], C], spent: Spent) -> C:
        """An answer in which `check` finds no fault. Raises ModelError: DigestUnusable when there
        is none, ModelResting when the model is not asked at all."""
        await self.breaker.tried()
        with self.breaker.watching():
            return await self._mended(request, check, spent)

    async def _mended(self, request: Request, check: Callable[[str], C], spent: Spent) -> C:
        first = await self.writer.write(request.rules, request.text, request.schema)
        spent.add(first)
        checked = check(first.text)
        if checked.faults:
            mending = prompt.repair(request.text, first.text, checked.faults)
            second = await self.writer.write(request.rules, mending, request.schema)
            spent.add(second)
            checked = check(second.text)
        if checked.faults:
            reasons = " ".join(fault.reason for fault in checked.faults[:_TOLD])
            raise DigestUnusable(f"What the model made of it does not hold. {reasons}")
        return checked
